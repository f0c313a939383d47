import type { Atomic } from '../money/money.ts'

/** One bar of a price chart. `start` in epoch ms; prices as `priceOf` gives them, the volume in atomic units of the reserve. */
export type Candle = { start: number; open: bigint; high: bigint; low: bigint; close: bigint; volume: Atomic; trades: number }

type Priced = { at: number; price: bigint; amount: Atomic }

const least = (a: bigint, b: bigint) => (a < b ? a : b)
const most = (a: bigint, b: bigint) => (a > b ? a : b)

/**
 * Groups trades into bars. A bar opens at the price before its first trade. Spans without a trade have no bar.
 * @param trades oldest first
 * @param before the price before the first of them
 */
export const toCandles = (trades: readonly Priced[], before: bigint, spanMs: number): Candle[] => {
  const bars: Candle[] = []
  let last = before
  for (const { at, price, amount } of trades) {
    const start = Math.floor(at / spanMs) * spanMs
    const bar = bars.at(-1)
    if (bar?.start === start) {
      Object.assign(bar, { high: most(bar.high, price), low: least(bar.low, price), close: price })
      bar.volume += amount
      bar.trades += 1
    } else
      bars.push({ start, open: last, high: most(last, price), low: least(last, price), close: price, volume: amount, trades: 1 })
    last = price
  }
  return bars
}
