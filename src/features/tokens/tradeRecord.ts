import type { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { assetSymbol, coinDecimals, toTradeText } from '../../domain/tokens/agentToken.ts'
import { type Curve, formatPrice, priceOf, tokenDecimals } from '../../domain/tokens/tokenCurve.ts'
import type { Deps } from '../../operations/operation.ts'
import { renamed } from '../../operations/renamed.ts'
import { launchpadOf } from '../../operations/wallets/readWallet.ts'
import type { Chain, FollowedOrder, LaunchedToken, MinedTrade, TradeOrder } from '../../ports.ts'
import type { quoteRecord, tradeRecord } from '../../records/token.ts'
import { tokenTables } from './ports.ts'

type At = { token: LaunchedToken; chain: Pick<Chain, 'usdcDecimals'> }

const toFields = (order: TradeOrder, { token, chain }: At) => {
  const assetDecimals = order.asset === 'usdc' ? chain.usdcDecimals : coinDecimals
  const money = (amount: Atomic) => formatUsdc(amount, assetDecimals)
  const tokens = (amount: Atomic) => formatUsdc(amount, tokenDecimals)
  const [paid, got] = order.side === 'buy' ? [money, tokens] : [tokens, money]
  const fields = {
    ...renamed(order, ['digest', 'token', 'chainId', 'wallet', 'side']),
    symbol: token.symbol,
    asset: assetSymbol(order.asset, order.chainId),
    amount_in: paid(order.amountIn),
    least_out: got(order.leastOut),
    fee: money(order.fee),
    deadline: toIso(order.deadline),
  }
  return { fields, got, assetDecimals }
}

export const toQuoteRecord = (order: TradeOrder, at: At & { curve: Curve }): z.infer<typeof quoteRecord> => {
  const { fields, got, assetDecimals } = toFields(order, at)
  const text = toTradeText({ ...order, symbol: at.token.symbol, assetDecimals })
  return { ...fields, expected_out: got(order.expectedOut), price: formatPrice(priceOf(at.curve), assetDecimals), text }
}

// A transaction is no trade: it is done once the event of the launchpad was read.
const statuses = { waiting: 'pending', sent: 'pending', confirmed: 'pending', reverted: 'failed' } as const

const reverted = 'The launchpad refused the trade: the price moved beyond the limit, or the deadline passed. Nothing was traded.'
const neverSent = 'The trade was not sent before its deadline. Nothing was traded.'

type TradeFacts = At & { mined: MinedTrade | undefined; now: number }

const toTradeRecord = (order: FollowedOrder, { mined, now, ...at }: TradeFacts): z.infer<typeof tradeRecord> => {
  const { fields, got } = toFields(order, at)
  const isLate = order.sending === undefined && now > order.deadline
  const status = mined ? 'done' : order.sending ? statuses[order.sending] : isLate ? 'failed' : 'pending'
  const received = mined && (order.side === 'buy' ? mined.tokens : mined.amount)
  const failure = order.sending === 'reverted' ? reverted : neverSent
  return {
    ...fields,
    trade_id: order.id,
    status,
    reason: status === 'failed' ? failure : '',
    received: received === undefined ? null : got(received),
    tx_hash: mined?.txHash ?? order.hash ?? null,
  }
}

/** A trade as its user reads it. It is done once the event of the launchpad was read. @throws Problem quote-not-found */
export const readTrade = async (
  deps: Deps,
  { token, id }: { token: LaunchedToken; id: string },
): Promise<z.infer<typeof tradeRecord>> => {
  const order = await tokenTables(deps.store).tradeOrder(id)
  if (!order) throw new Problem('quote-not-found')
  const { chain } = launchpadOf(deps, order.chainId)
  const mined = order.sending === 'reverted' ? await madeByOthers(deps, order) : await madeByUs(deps, order)
  return toTradeRecord(order, { token, chain, mined, now: deps.clock.now() })
}

const madeByUs = async ({ store }: Deps, { chainId, hash }: FollowedOrder) =>
  hash && (await tokenTables(store).minedTrade(chainId, { txHash: hash }))

/** Equal trades of a wallet that are compared with an order. */
const comparedTrades = 5

/** Anyone may send the authorization of a purchase. Ours is then refused, although the purchase was made. */
const madeByOthers = async (deps: Deps, order: FollowedOrder): Promise<MinedTrade | undefined> => {
  const { chain, launchpad } = launchpadOf(deps, order.chainId)
  const { chainId, token, wallet: from, side, asset, amountIn: value } = order
  if (side !== 'buy' || asset !== 'usdc') return undefined
  const terms = { from, to: launchpad.address, value, nonce: launchpad.purchaseNonce(order) }
  const equal = await tokenTables(deps.store).tradesOf({
    chainId,
    token,
    trader: from,
    side,
    amount: value,
    limit: comparedTrades,
  })
  for (const trade of equal) {
    const paidBy = await chain.authorized?.transferOf(terms, { minedIn: trade.txHash })
    if (paidBy === trade.txHash) return trade
  }
  return undefined
}
