import { type Atomic, formatUsdc } from '../money/money.ts'

/**
 * The curve of an agent token (contract TokenLaunchpad): x·y = k, where x is the reserve plus a virtual reserve and y the
 * tokens that the curve holds. Every rounding is that of the contract, so quotes are exact to the unit.
 */
export type Curve = {
  /** Sets the first price. In atomic units of the reserve asset, as the reserve. */
  virtualReserve: Atomic
  reserve: Atomic
  /** Tokens that the curve holds, in atomic units of 18 decimals. */
  held: Atomic
  /** Fee of each trade in basis points of the reserve asset. */
  feeBps: number
}

/** What a trade gives, its fee, and the curve after it. `out` is in tokens for a purchase, in the reserve asset for a sale. */
export type Trade = { out: Atomic; fee: Atomic; after: Curve }

/** Number of atomic units of a whole token. All agent tokens have 18 decimals. */
export const tokenDecimals = 18
export const oneToken = 10n ** BigInt(tokenDecimals)
/** The fixed supply of each token, which the curve holds at the launch. */
export const tokenSupply = 1_000_000_000n * oneToken

const allBps = 10_000n

const feeOf = (amount: Atomic, { feeBps }: Curve): Atomic => (amount * BigInt(feeBps) + allBps - 1n) / allBps

/** A purchase for `amountIn` of the reserve asset, fee included. */
export const quoteBuy = (curve: Curve, amountIn: Atomic): Trade => {
  const fee = feeOf(amountIn, curve)
  const paid = amountIn - fee
  const { virtualReserve, reserve, held } = curve
  const out = (held * paid) / (virtualReserve + reserve + paid)
  return { out, fee, after: { ...curve, reserve: reserve + paid, held: held - out } }
}

/** A sale of `tokens`; `out` is what the seller gets after the fee. */
export const quoteSell = (curve: Curve, tokens: Atomic): Trade => {
  const { virtualReserve, reserve, held } = curve
  const gross = ((virtualReserve + reserve) * tokens) / (held + tokens)
  const fee = feeOf(gross, curve)
  return { out: gross - fee, fee, after: { ...curve, reserve: reserve - gross, held: held + tokens } }
}

/**
 * A sale whose seller got `out`, taken as mined. Some values of `out` have two possible fees, one unit apart; it takes the lower.
 */
export const soldFor = (curve: Curve, tokens: Atomic, out: Atomic): Trade => {
  const { reserve, held, feeBps } = curve
  let gross = (out * allBps) / (allBps - BigInt(feeBps))
  while (gross - feeOf(gross, curve) < out) gross += 1n
  return { out, fee: gross - out, after: { ...curve, reserve: reserve - gross, held: held + tokens } }
}

/** A purchase that gave `out` tokens, taken as mined. */
export const boughtFor = (curve: Curve, amountIn: Atomic, out: Atomic): Trade => {
  const fee = feeOf(amountIn, curve)
  return { out, fee, after: { ...curve, reserve: curve.reserve + amountIn - fee, held: curve.held - out } }
}

/** Decimals of a price beyond those of the reserve asset, because a new token costs a small part of an atomic unit. */
const priceDecimals = 12

/** Price of a whole token in 10^-12 atomic units of the reserve asset, rounded down. */
export const priceOf = ({ virtualReserve, reserve, held }: Curve): bigint =>
  ((virtualReserve + reserve) * oneToken * 10n ** BigInt(priceDecimals)) / held

/** Formats a price as a decimal of the reserve asset with at most eight digits after its leading zeros. */
export const formatPrice = (price: bigint, reserveDecimals: number): string => {
  const [cut = '0'] = /^0\.0*\d{1,8}|^\d+(?:\.\d{1,8})?/.exec(formatUsdc(price, reserveDecimals + priceDecimals)) ?? []
  return cut.includes('.') ? cut.replace(/\.?0+$/, '') : cut
}

/** The least that a trader accepts, for a slippage in basis points. */
export const minOut = (out: Atomic, slippageBps: number): Atomic => (out * (allBps - BigInt(slippageBps))) / allBps

/** One bar of a price chart. `start` in epoch ms; prices as `priceOf` gives them, the volume in atomic units of the reserve. */
type Candle = { start: number; open: bigint; high: bigint; low: bigint; close: bigint; volume: Atomic; trades: number }

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
