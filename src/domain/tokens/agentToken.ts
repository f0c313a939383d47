import { z } from 'zod'
import { digestChars } from '../consent/digest.ts'
import { secondMs, toIso } from '../durations.ts'
import type { Address } from '../hex.ts'
import { canonical, sha256 } from '../json.ts'
import { type Atomic, formatUsdc } from '../money/money.ts'
import { lookOf } from '../text/lookAlikes.ts'
import { tokenDecimals } from './tokenCurve.ts'

/** Coins of the supported chains. The wrapped one, which a curve may hold, has a W before its symbol. */
const coins: Record<number, string> = { 97: 'BNB', 56: 'BNB', 84532: 'ETH', 8453: 'ETH', 1952: 'OKB' }
export const coinSymbol = (chainId: number): string => coins[chainId] ?? 'ETH'
export const wrappedSymbol = (chainId: number): string => `W${coinSymbol(chainId)}`
/** Decimals of the coins of all supported chains, and of their wrapped forms. */
export const coinDecimals = 18

/**
 * Name and symbol of a token, as the contract accepts them: plain ASCII, so no control characters, no direction marks, and no
 * look-alike letters of other scripts.
 */
export const tokenName = z
  .string()
  .min(1)
  .max(32)
  .regex(/^[!-~](?:[ -~]*[!-~])?$/, 'must be printable ASCII without a space at either end')
export const tokenSymbol = z
  .string()
  .min(2)
  .max(10)
  .regex(/^[A-Z0-9]+$/, 'must be letters A-Z and digits')

/** What is paid for a token or received for it: the asset of its curve, or the coin of the chain. */
export type TradeAsset = 'usdc' | 'wrapped' | 'coin'

export const assetSymbol = (asset: TradeAsset, chainId: number): string =>
  ({ usdc: 'USDC', wrapped: wrappedSymbol(chainId), coin: coinSymbol(chainId) })[asset]

/** Whether a symbol looks like that of an asset with which tokens are paid on some chain. */
export const isMoneySymbol = (symbol: string): boolean =>
  ['USDC', 'USDT', ...Object.values(coins), ...Object.values(coins).map(coin => `W${coin}`)].some(
    it => lookOf(it) === lookOf(symbol),
  )

/** The asset with this symbol, in any letter case; undefined for others. */
export const assetOfSymbol = (symbol: string, chainId: number): TradeAsset | undefined =>
  (['usdc', 'wrapped', 'coin'] as const).find(it => assetSymbol(it, chainId).toLowerCase() === symbol.toLowerCase())

/** The terms of a trade to which a user consents. Amounts are atomic units, the deadline is in epoch ms. */
export type TradeTerms = {
  id: string
  chainId: number
  wallet: Address
  token: Address
  side: 'buy' | 'sell'
  asset: TradeAsset
  /** Paid: the asset for a purchase, tokens for a sale. */
  amountIn: Atomic
  /** The least to receive, else the contract refuses the trade. */
  leastOut: Atomic
  deadline: number
}

/** Fingerprint of a trade's terms. It contains the id of the quote, so it cannot be used for another. */
export const toTradeDigest = (of: TradeTerms): string => {
  const { id, chainId, wallet, token, side, asset, deadline } = of
  const amounts = { amountIn: `${of.amountIn}`, leastOut: `${of.leastOut}` }
  return sha256(canonical({ id, chainId, wallet, token, side, asset, deadline, ...amounts })).slice(0, digestChars)
}

type Worded = TradeTerms & { symbol: string; assetDecimals: number; fee: Atomic }

export const toTradeText = ({
  side,
  asset,
  chainId,
  symbol,
  assetDecimals,
  amountIn,
  leastOut,
  fee,
  deadline,
}: Worded): string => {
  const money = (amount: Atomic) => `${formatUsdc(amount, assetDecimals)} ${assetSymbol(asset, chainId)}`
  const tokens = (amount: Atomic) => `${formatUsdc(amount, tokenDecimals)} ${symbol}`
  const [paid, got] = side === 'buy' ? [money(amountIn), tokens(leastOut)] : [tokens(amountIn), money(leastOut)]
  const until = toIso(Math.floor(deadline / secondMs) * secondMs)
  return `${side === 'buy' ? 'Pay' : 'Sell'} ${paid} for at least ${got}, fee ${money(fee)}, until ${until}?`
}
