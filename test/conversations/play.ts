import type { TestService } from '../service.ts'
import { type Conversation, play } from './conversation.ts'

/** The number of concurrent users, each with one conversation at a time. More would only wait for the CPU. */
const users = 12

export type Played = { conversation: Conversation; faults: string[] }

/** Runs conversations concurrently in one market. */
export const playAll = async (market: TestService, conversations: Conversation[]): Promise<Played[]> => {
  const waiting = conversations.values()
  const played: Played[] = []
  const lane = async (name: string) => {
    const user = await market.user(name)
    for (const conversation of waiting) played.push({ conversation, faults: await play(user, conversation) })
  }
  await Promise.all(Array.from({ length: Math.min(users, conversations.length) }, (_, at) => lane(`talker-${at}`)))
  return played
}
