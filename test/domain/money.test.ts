import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatUsdc,
  isAbove,
  justBelow,
  parseUsdc,
  sumUsdc,
  timesUsdc,
  toCost,
  toRoughUsdc,
} from '../../src/domain/money/money.ts'
import { cpuMs } from '../cpu.ts'

describe.each([6, 18])('USDC with %i decimals', decimals => {
  test('every amount is the same after formatting and parsing', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n }), atomic => {
        expect(parseUsdc(formatUsdc(atomic, decimals), decimals)).toBe(atomic)
      }),
    )
  })

  test('a negative amount can be formatted and never parsed', () => {
    expect(formatUsdc(-15n * 10n ** BigInt(decimals - 1), decimals)).toBe('-1.5')
    for (const text of ['-1', '-0.5', '-0']) expect(parseUsdc(text, decimals)).toBeUndefined()
    for (const number of [-1, -1e-7, -1.5e21]) expect(parseUsdc(number, decimals)).toBeUndefined()
  })

  test('a text with more decimals than the token is refused, and trailing zeros do not count', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 9 }), fc.nat(9), (whole, digit, more) => {
        const fitting = `${whole}.${'0'.repeat(decimals - 1)}${digit}`
        expect(parseUsdc(fitting + '0'.repeat(more), decimals)).toBe(BigInt(whole) * 10n ** BigInt(decimals) + BigInt(digit))
        expect(parseUsdc(`${whole}.${'0'.repeat(decimals)}${'0'.repeat(more)}${digit}`, decimals)).toBeUndefined()
      }),
    )
  })
})

test.each([
  [0.05, 50_000n],
  [5, 5_000_000n],
  [-0, 0n],
  [1e-6, 1n],
  [1.5e-6, undefined],
  [1e-7, undefined],
  [1e-21, undefined],
  [0.1 + 0.2, undefined],
  [1e21, 10n ** 27n],
  [1.25e21, 125n * 10n ** 25n],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  [Number.MIN_VALUE, undefined],
])('the JSON number %d is %s micro-USDC', (number, atomic) => expect(parseUsdc(number, 6)).toBe(atomic))

test.each([
  [1e-7, 10n ** 11n],
  [1.5e-7, 15n * 10n ** 10n],
  [1e-18, 1n],
  [1e-19, undefined],
  [1.0000000000000001e-7, undefined],
])('the JSON number %d with eighteen decimals is %s: exact or refused, never rounded', (number, atomic) =>
  expect(parseUsdc(number, 18)).toBe(atomic),
)

test.each(['', ' 1', '1 ', '1.', '.5', '+1', '1e3', '1,5', '0x10', '١', 'NaN', 'Infinity', '1.5.0', '1_000', '9'.repeat(79)])(
  'the text "%s" is not an amount',
  text => expect(parseUsdc(text, 6)).toBeUndefined(),
)

test.each(['1e+3', '1e-7'])('the text "%s" is not an amount, although a JSON number is written so', text =>
  expect(parseUsdc(text, 18)).toBeUndefined(),
)

test('a price text of one megabyte is refused at once', () => {
  for (const text of [`0.${'0'.repeat(1 << 20)}1`, '9'.repeat(1 << 20), `${'9'.repeat(1 << 20)}.${'0'.repeat(1 << 20)}`])
    expect(cpuMs(() => expect(parseUsdc(text, 6)).toBeUndefined())).toBeLessThan(100)
})

test.each([6, 18])('with %i decimals, the amount just below another is the highest that is lower', decimals => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 128n }), atomic => {
      const total = formatUsdc(atomic, decimals)
      const below = justBelow(total, decimals)
      expect(isAbove(total, below)).toBe(true)
      expect(parseUsdc(below, decimals)).toBe(atomic - 1n)
    }),
  )
  expect(justBelow('0', decimals)).toBe('0')
})

test('amounts of chains with 6 and 18 decimals are added exactly', () => {
  const amounts = [
    { amount: 1_500_000n, decimals: 6 },
    { amount: 1n, decimals: 18 },
  ]
  expect(sumUsdc(amounts)).toBe('1.500000000000000001')
})

test('one amount is above another to the last decimal, and a text that is no amount is never above', () => {
  expect(isAbove('0.100000000000000001', '0.1')).toBe(true)
  expect(isAbove('0.1', '0.10')).toBe(false)
  expect([isAbove('much', '0.1'), isAbove('0.1', 'much')]).toEqual([false, false])
})

test('an amount some whole times is exact, and a text that is no amount has no multiple', () => {
  expect([timesUsdc('0.000000000000000001', 3n), timesUsdc('0.1', 0n), timesUsdc('much', 2n)]).toEqual([
    '0.000000000000000003',
    '0',
    undefined,
  ])
})

test('a cost that may be lower is said as the most, and a rough amount is in USDC', () => {
  expect([toCost('0.1', true), toCost('0.1', false)]).toEqual(['up to 0.1', '0.1'])
  expect([toRoughUsdc(1_500_000n, 6), toRoughUsdc(15, 1)]).toEqual([1.5, 1.5])
})
