import { expect, test } from 'vitest'
import { readConversations, readUnmet } from './conversation.ts'
import { openConversationMarket } from './market.ts'
import { playAll } from './play.ts'

test('no conversation that once ended as expected ends otherwise: hired and paid, declined, left, refused, or without a match', async () => {
  const all = await readConversations()
  expect(all.length).toBeGreaterThanOrEqual(300)
  const market = await openConversationMarket()
  try {
    const played = await playAll(market, all)
    expect(new Set(played.map(it => it.conversation.ends)).size).toBe(6)
    const unmet = await readUnmet()
    expect(played.filter(it => it.faults.length > 0 && !unmet.has(it.conversation.name))).toEqual([])
    expect(played.filter(it => it.faults.length === 0 && unmet.has(it.conversation.name))).toEqual([])
  } finally {
    await market.stop()
  }
}, 600_000)
