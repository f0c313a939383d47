import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  boughtFor,
  formatPrice,
  minOut,
  oneToken,
  priceOf,
  quoteBuy,
  quoteSell,
  soldFor,
  tokenSupply,
} from '../../src/domain/tokens/tokenCurve.ts'

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

test('a purchase and the sale of its tokens are quoted to the unit', () => {
  const bought = quoteBuy(fresh, 100_000_000n)
  expect(bought).toEqual({
    out: 19_415_571_680_721_710_139_242_988n,
    fee: 1_000_000n,
    after: { ...fresh, reserve: 99_000_000n, held: tokenSupply - 19_415_571_680_721_710_139_242_988n },
  })
  expect(quoteSell(bought.after, bought.out)).toMatchObject({ out: 98_009_999n, fee: 990_000n })
})

const amounts = fc.bigInt({ min: 100n, max: 10n ** 14n })

test('buying and selling the same tokens never gains, and k never falls', () => {
  fc.assert(
    fc.property(amounts, amounts, (first, second) => {
      const before = quoteBuy(fresh, first).after
      const bought = quoteBuy(before, second)
      const sold = quoteSell(bought.after, bought.out)
      expect(sold.out + bought.fee + sold.fee).toBeLessThanOrEqual(second)
      expect(sold.after.reserve).toBeGreaterThanOrEqual(before.reserve)
      expect(sold.after.held).toBe(before.held)
    }),
  )
})

test('a mined trade changes the curve as its quote did', () => {
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: 1n, max: 100n }), (paid, part) => {
      const bought = quoteBuy(fresh, paid)
      expect(boughtFor(fresh, paid, bought.out)).toEqual(bought)
      const tokens = bought.out / part
      const sold = quoteSell(bought.after, tokens)
      const mined = soldFor(bought.after, tokens, sold.out)
      // Two fees one unit apart may give the same amount.
      expect(sold.fee - mined.fee).toBeOneOf([0n, 1n])
      expect(mined.after.held).toBe(sold.after.held)
      expect(mined.after.reserve - sold.after.reserve).toBe(sold.fee - mined.fee)
    }),
  )
})

test('the minimum of a trade is below its quote by the slippage, rounded down', () => {
  expect(minOut(1_000_000n, 0)).toBe(1_000_000n)
  expect(minOut(1_000_000n, 50)).toBe(995_000n)
  expect(minOut(999n, 50)).toBe(994n)
})
