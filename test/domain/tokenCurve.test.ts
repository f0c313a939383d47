import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPrice, oneToken, priceOf, quoteBuy, tokenSupply } from '../../src/domain/tokenCurve.ts'

const fresh = { virtualReserve: 5_000_000_000n, reserve: 0n, held: tokenSupply, feeBps: 100 }

test('the price of a new token is seen to rise with a purchase of one cent', () => {
  const { after } = quoteBuy(fresh, 10_000n)
  expect(formatPrice(priceOf(fresh), 6)).toBe('0.000005')
  expect(Number(formatPrice(priceOf(after), 6))).toBeGreaterThan(0.000005)
})

test('a formatted price is at most one ten-millionth below the exact one, and never above it', () => {
  const curve = fc.record({
    virtualReserve: fc.constantFrom(5_000_000_000n, 8_000_000_000_000_000_000n),
    reserve: fc.bigInt({ min: 0n, max: 10n ** 24n }),
    held: fc.bigInt({ min: oneToken, max: tokenSupply }),
    decimals: fc.constantFrom(6, 18),
  })
  fc.assert(
    fc.property(curve, ({ decimals, ...it }) => {
      const exact = priceOf({ ...it, feeBps: 100 })
      const [whole = '', fraction = ''] = formatPrice(exact, decimals).split('.')
      const shown = BigInt(whole + fraction.padEnd(decimals + 12, '0'))
      expect(shown <= exact && (exact - shown) * 10_000_000n <= exact).toBe(true)
    }),
  )
})
