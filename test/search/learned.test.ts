import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toLearnable, toLearned } from '../../src/language/words/learnable.ts'

test('only plain words of a request are learned: no number, address, link or id', () => {
  const asked =
    'Send 25 USDC to 0xa11ce0000000000000000000000000000000beef, mail jane@example.org or @jane, see https://x.org/a and order AB-1234'
  expect(toLearnable(asked)).toEqual(['send', 'usdc', 'mail', 'see', 'order'])
})

test('for any text, the learned words contain no digit and are bounded', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 400 }), { maxLength: 60 }), requests => {
      const learned = toLearned(requests)
      expect(new Set(learned).size).toBeLessThanOrEqual(200)
      for (const term of learned) expect(term).toMatch(/^\p{L}{2,30}$/u)
    }),
  )
})

test('a word has more weight the more requests contain it', () => {
  expect(toLearned(['paint my house', 'paint a wall', 'paint paint paint'])).toEqual(['paint', 'paint', 'paint', 'hous', 'wall'])
})
