import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toLearnable, toLearned } from '../../src/domain/learned.ts'

test('of a request only plain words are learned, no number, address, link or id', () => {
  const asked =
    'Send 25 USDC to 0xa11ce0000000000000000000000000000000beef, mail jane@example.org or @jane, see https://x.org/a and order AB-1234'
  expect(toLearnable(asked)).toEqual(['send', 'usdc', 'mail', 'see', 'order'])
})

test('whatever is typed, what is learned has no digit and is bounded', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 400 }), { maxLength: 60 }), requests => {
      const learned = toLearned(requests)
      expect(new Set(learned).size).toBeLessThanOrEqual(200)
      for (const term of learned) expect(term).toMatch(/^\p{L}{2,30}$/u)
    }),
  )
})

test('the more requests have a word, the more it counts', () => {
  expect(toLearned(['paint my house', 'paint a wall', 'paint paint paint'])).toEqual(['paint', 'paint', 'paint', 'hous', 'wall'])
})
