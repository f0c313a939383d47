import { expect, test } from 'vitest'
import { type Conversation, readConversations, readUnmet } from './conversation.ts'
import { openConversationMarket } from './market.ts'
import { playAll } from './play.ts'

/** The sample takes a few seconds; `npm run conversations` runs all conversations. */
const sampled = 40

/** A constant sample with conversations of every ending. */
const sample = (all: Conversation[]): Conversation[] => {
  const byEnding = [...all].sort((a, b) => a.ends.localeCompare(b.ends))
  return Array.from({ length: sampled }, (_, at) => byEnding[Math.floor((at * byEnding.length) / sampled)]).filter(
    it => it !== undefined,
  )
}

test('no conversation that once ended as expected ends otherwise: hired and paid, declined, left, refused, or without a match', async () => {
  const all = await readConversations()
  expect(all.length).toBeGreaterThanOrEqual(300)
  const market = await openConversationMarket()
  try {
    const played = await playAll(market, sample(all))
    expect(new Set(played.map(it => it.conversation.ends)).size).toBe(6)
    const unmet = await readUnmet()
    expect(played.filter(it => it.faults.length > 0 && !unmet.has(it.conversation.name))).toEqual([])
  } finally {
    await market.stop()
  }
})
