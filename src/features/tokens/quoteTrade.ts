import { z } from 'zod'
import { chainId } from '../../domain/chains/chains.ts'
import { secondMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { type Atomic, parseUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { assetOfSymbol, coinDecimals, type TradeAsset, toTradeDigest } from '../../domain/tokens/agentToken.ts'
import { minOut, quoteBuy, quoteSell, tokenDecimals } from '../../domain/tokens/tokenCurve.ts'
import { operation, userOf } from '../../operations/operation.ts'
import { launchpadOf } from '../../operations/wallets/readWallet.ts'
import type { Chain, LaunchedToken } from '../../ports.ts'
import { quoteRecord } from '../../records/token.ts'
import { tokenTables } from './ports.ts'
import { tokenOf } from './tokenRecord.ts'
import { toQuoteRecord } from './tradeRecord.ts'

export const quoteTrade = operation({
  name: 'quoteTrade',
  summary: 'Quote a purchase or sale of a token, exact to the unit. Nothing is traded before you accept its digest.',
  scope: 'look',
  input: z.strictObject({
    token: z.string().max(200).describe('Address, or id or handle of the agent'),
    chain_id: chainId,
    side: z.enum(['buy', 'sell']),
    amount: z.union([z.string().max(100), z.number()]).describe('To pay for a purchase, in tokens for a sale; decimal'),
    asset: z.string().max(10).optional().describe("USDC, the wrapped coin or the coin; default: the asset of the token's curve"),
    slippage_bps: z.number().int().min(0).max(limits.maxSlippageBps).default(limits.slippageBps),
    seconds: z.number().int().min(limits.minQuoteSeconds).max(limits.maxQuoteSeconds).default(limits.quoteSeconds),
  }),
  output: quoteRecord,

  async run({ token: text, chain_id, side, amount, asset: symbol, slippage_bps, seconds }, deps, caller) {
    const user = userOf(caller)
    const token = await tokenOf(deps, text, chain_id)
    const { chain, launchpad } = launchpadOf(deps, token.chainId)
    const asset = toAsset(symbol, token)
    const amountIn = toAmount(amount, side === 'buy' ? decimalsOf(asset, chain) : tokenDecimals)
    const curve = await launchpad.curve(token.token)
    if (!curve) throw new Problem('token-not-found')
    const { out, fee } = side === 'buy' ? quoteBuy(curve, amountIn) : quoteSell(curve, amountIn)
    if (out <= 0n) throw new Problem('invalid-input', 'The amount is too small to trade.', '/amount')
    const head = await chain.head()
    const terms = {
      id: deps.ids.fresh('trade'),
      chainId: chain.chainId,
      wallet: await deps.wallets.ensure('user', user),
      token: token.token,
      side,
      asset,
      amountIn,
      leastOut: minOut(out, slippage_bps) || 1n,
      // The contract compares with the time of its block, which may be ahead of this machine.
      deadline: toSeconds(Math.max(deps.clock.now(), head.timeMs)) + seconds * secondMs,
    }
    const order = { ...terms, user, expectedOut: out, fee, digest: toTradeDigest(terms) }
    const added = await tokenTables(deps.store).addQuote(order, limits.openQuotes)
    if (!added) throw new Problem('too-many-quotes')
    return toQuoteRecord(added, { token, chain, curve })
  },
})

const toSeconds = (timeMs: number) => Math.floor(timeMs / secondMs) * secondMs

const toAsset = (symbol: string | undefined, { reserveKind, chainId }: LaunchedToken): TradeAsset => {
  const asset = symbol === undefined ? reserveKind : assetOfSymbol(symbol, chainId)
  if (asset === reserveKind || (asset === 'coin' && reserveKind === 'wrapped')) return asset
  throw new Problem('invalid-input', `The curve of this token does not trade in ${symbol}.`, '/asset')
}

const decimalsOf = (asset: TradeAsset, { usdcDecimals }: Chain) => (asset === 'usdc' ? usdcDecimals : coinDecimals)

/** Maximum amount in atomic units: no account holds more, and the contract's integers can hold it. */
const maxAtomic = 2n ** 112n

const toAmount = (amount: string | number, decimals: number): Atomic => {
  const parsed = parseUsdc(amount, decimals)
  if (parsed !== undefined && parsed > 0n && parsed < maxAtomic) return parsed
  throw new Problem('invalid-input', `An amount above 0 with at most ${decimals} decimals.`, '/amount')
}
