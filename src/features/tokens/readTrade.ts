import type { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import type { Deps } from '../../operations/operation.ts'
import { launchpadOf } from '../../operations/wallets/launchpadOf.ts'
import type { FollowedOrder, LaunchedToken, MinedTrade } from '../../ports.ts'
import type { tradeRecord } from '../../records/token.ts'
import { tokenTables } from './ports.ts'
import { toTradeRecord } from './tradeRecord.ts'

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
