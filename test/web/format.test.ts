import { expect, test } from 'vitest'
import { toMinutes, toReadable, toTypedUsdc, toUsdc } from '../../src/web/client/format.ts'

test.each([
  ['0.1', '0.10', '0.10'],
  ['25', '25.00', '25.00'],
  ['12.5', '12.50', '12.50'],
  [0.05, '0.05', '0.05'],
  ['1234.5', '1,234.50', '1234.50'],
  ['0.000001', '0.000001', '0.000001'],
])('the amount %s has at least two decimals wherever it is shown and typed', (amount, shown, typed) => {
  expect([toUsdc(amount), toTypedUsdc(amount)]).toEqual([shown, typed])
})

test('an invalid amount or duration is shown as a dash', () => {
  expect([toUsdc(Number.NaN), toUsdc('lots'), toMinutes(Number.NaN)]).toEqual(['–', '–', '– minutes'])
})

test('amounts in a sentence are formatted like all others, and other numbers stay', () => {
  expect(toReadable('0.1 USDC of 5 USDC are back in job 7, which costs 1.25 USDC more.')).toBe(
    '0.10 USDC of 5.00 USDC are back in job 7, which costs 1.25 USDC more.',
  )
})
