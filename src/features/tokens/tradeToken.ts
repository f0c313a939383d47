import { z } from 'zod'
import { chainId } from '../../domain/chains/chains.ts'
import { sentDigest } from '../../domain/consent/sentDigest.ts'
import { limits } from '../../domain/limits.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { assetSymbol, coinDecimals } from '../../domain/tokens/agentToken.ts'
import { tokenDecimals } from '../../domain/tokens/tokenCurve.ts'
import type { Caller } from '../../operations/caller.ts'
import { maySpend } from '../../operations/gasBudget.ts'
import { demandPasskeyAbove } from '../../operations/hires/yesLimit.ts'
import { chainOf, type Deps, operation, userOf } from '../../operations/operation.ts'
import { waitUntil } from '../../operations/waiting.ts'
import { launchpadOf, spendable } from '../../operations/wallets/readWallet.ts'
import type { FollowedOrder, LaunchedToken, NewIntent } from '../../ports.ts'
import { tradeRecord } from '../../records/token.ts'
import { tokenTables } from './ports.ts'
import { tokenOf } from './tokenRecord.ts'
import { readTrade } from './tradeRecord.ts'

export const tradeToken = operation({
  name: 'tradeToken',
  summary: 'Accept a quote by its digest: your custodial wallet makes exactly this trade, once. No mandate covers a trade.',
  scope: 'money',
  repeats: 'same',
  isYes: () => true,
  input: z.strictObject({
    token: z.string().max(200).describe('Address, or id or handle of the agent'),
    chain_id: chainId,
    digest: sentDigest.describe('Of the quote whose terms the user said yes to'),
  }),
  output: tradeRecord,

  async run({ token: text, chain_id, digest }, deps, caller) {
    const token = await tokenOf(deps, text, chain_id)
    const order = await tokenTables(deps.store).tradeOrderOfDigest(userOf(caller), digest)
    if (!order || order.token !== token.token || order.chainId !== token.chainId) throw new Problem('quote-not-found')
    if (order.agreedAt === undefined) await askPasskey(deps, order, caller)
    if (order.sending === undefined) await startTrade(deps, order)
    return awaitTrade(deps, { token, id: order.id, signal: caller.signal })
  },
})

/**
 * A large purchase of tokens needs the passkey, as a large hire does. One that is paid in coin has no price in USDC here, so it
 * always does. A sale pays the wallet itself.
 * @throws PasskeyProblem, Problem signature-mismatch
 */
const askPasskey = async (deps: Deps, order: FollowedOrder, { passkeyAnswer }: Caller): Promise<void> => {
  const { id, user, side, asset, amountIn, digest, chainId: onChain } = order
  if (side === 'sell') return
  const total = asset === 'usdc' ? formatUsdc(amountIn, chainOf(deps, onChain).usdcDecimals) : anyAmount
  await demandPasskeyAbove(deps, { user, operation: 'tradeToken', digest, total, terms: { order_id: id } }, passkeyAnswer)
}

/** More than every limit. */
const anyAmount = '1e30'

/**
 * Records the yes, then hands the trade to the sender. The signer requires the recorded yes, so they are two writes. After a
 * crash between them the same request continues, and without one nothing is ever signed.
 */
const startTrade = async (deps: Deps, order: FollowedOrder): Promise<void> => {
  const { chain, launchpad } = launchpadOf(deps, order.chainId)
  const paid = order.side === 'sell' ? order.token : order.asset
  if (order.deadline <= deps.clock.now()) throw new Problem('quote-expired')
  const held = await spendable(chain, order.wallet, paid)
  await deps.store.atomically(async tables => {
    const { committed } = await tables.lockWithdrawals(order.wallet, { chainId: order.chainId, asset: paid })
    const free = held - committed
    if (free < order.amountIn)
      throw new Problem('insufficient-funds', shortfall(order, free > 0n ? free : 0n, chain.usdcDecimals))
    if (order.agreedAt === undefined && !(await maySpend(tables, { wallet: order.user, chain }, 'trade')))
      throw new Problem('gas-budget-used')
    const answer = await tokenTables(tables).agreeTrade(order.id)
    if (answer === 'under-way') throw new Problem('trade-pending')
    if (answer === 'too-late') throw new Problem('quote-expired')
  })
  const calls = await launchpad.trade(order)
  const of = { chainId: order.chainId, sender: order.wallet }
  const intents = calls.map((call, at): NewIntent => {
    const isLast = at === calls.length - 1
    const [key, after] = isLast
      ? [`trade:${order.id}`, at === 0 ? undefined : `trade:${order.id}:approve`]
      : [`trade:${order.id}:approve`, undefined]
    return { ...of, key, call, after }
  })
  await deps.store.addIntents(intents)
}

const shortfall = ({ side, asset, chainId: id }: FollowedOrder, free: Atomic, usdcDecimals: number): string => {
  const decimals = side === 'sell' ? tokenDecimals : asset === 'usdc' ? usdcDecimals : coinDecimals
  return (
    `Your wallet can spend ${formatUsdc(free, decimals)} ` +
    `${side === 'sell' ? 'of these tokens' : assetSymbol(asset, id)} now.`
  )
}

type Awaiting = { token: LaunchedToken; id: string; signal: AbortSignal | undefined }

const awaitTrade = async (deps: Deps, { token, id, signal }: Awaiting) => {
  const at = { channel: 'blocks', deadline: deps.clock.now() + limits.tokenWaitMs, signal }
  await waitUntil(deps, at, async () => {
    const order = await tokenTables(deps.store).tradeOrder(id)
    if (order?.sending === 'reverted') return true
    return order?.hash && (await tokenTables(deps.store).minedTrade(order.chainId, { txHash: order.hash })) ? true : undefined
  })
  return readTrade(deps, { token, id })
}

export const listTrades = operation({
  name: 'listTrades',
  summary: 'Your trades of tokens, newest first.',
  scope: 'look',
  input: z.object({}),
  output: z.object({ trades: z.array(tradeRecord) }),

  async run(_, deps, caller) {
    const orders = await tokenTables(deps.store).tradeOrders({ user: userOf(caller), limit: limits.pageRows })
    const trades = orders.map(async ({ id, chainId: chain, token: address }) => {
      const token = await tokenTables(deps.store).token(chain, address)
      return token ? [await readTrade(deps, { token, id })] : []
    })
    return { trades: (await Promise.all(trades)).flat() }
  },
})
