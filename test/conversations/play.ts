import type { TestService } from '../service.ts'
import { type Conversation, play } from './conversation.ts'

/** The number of concurrent users, each with one conversation at a time. More would only wait for the CPU. */
const users = 12

export type Played = { conversation: Conversation; faults: string[] }

/**
 * Runs conversations concurrently in one market. Each user always gets the same ones, so that its balance does not depend on
 * chance, and learning is off, so that no conversation makes another one easier.
 */
export const playAll = async (market: TestService, conversations: Conversation[]): Promise<Played[]> => {
  const lane = async (at: number) => {
    const user = await market.user(`talker-${at}`)
    await user.client.post('/v1/learning', { enabled: false })
    const played: Played[] = []
    for (const conversation of conversations.filter((_, index) => index % users === at))
      played.push({ conversation, faults: await play(user, conversation) })
    return played
  }
  return (await Promise.all(Array.from({ length: Math.min(users, conversations.length) }, (_, at) => lane(at)))).flat()
}
