import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { fullShare } from '../../src/domain/x402/paidCallShares.ts'

const share = (open: number) => ({ open, endsBy: open > 0 ? 1_000 : undefined })

/** Starts calls of owners with one agent each, each by its own payer, until nobody may start one more. */
const fill = (owners: number) => {
  const held = Array.from({ length: owners }, () => 0)
  const all = () => held.reduce((sum, it) => sum + it, 0)
  const mayStart = (of: number) =>
    fullShare({ payer: share(0), agent: share(held[of] ?? 0), owner: share(held[of] ?? 0), all: share(all()) }) === undefined
  for (let isOpen = true; isOpen; ) {
    isOpen = false
    for (let of = 0; of < owners; of += 1)
      if (mayStart(of)) {
        held[of] = (held[of] ?? 0) + 1
        isOpen = true
      }
  }
  return { held, all: all() }
}

test('owners who fill their share leave places for a newcomer, however many they are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), owners => {
      const { all } = fill(owners)
      const newcomer = { payer: share(0), agent: share(0), owner: share(0), all: share(all) }
      expect(fullShare(newcomer)).toBeUndefined()
    }),
    { numRuns: 20 },
  )
  expect(fill(1).all).toBeLessThan(limits.paidCalls / 8)
})

test('a full share names its party and when the first call ends', () => {
  const none = { payer: share(0), agent: share(0), owner: share(0), all: share(0) }
  expect(fullShare(none)).toBeUndefined()
  expect(fullShare({ ...none, agent: share(250), all: share(250) })).toEqual({ of: 'agent', endsBy: 1_000 })
  expect(fullShare({ ...none, owner: share(400), all: share(400) })).toEqual({ of: 'owner', endsBy: 1_000 })
  expect(fullShare({ ...none, payer: share(limits.paidCallsOfPayer), all: share(300) })).toEqual({ of: 'payer', endsBy: 1_000 })
  expect(fullShare({ ...none, all: share(limits.paidCalls) })).toEqual({ of: 'all', endsBy: 1_000 })
})
