import { z } from 'zod'
import { chainId } from '../../domain/chains/chains.ts'
import type { Address } from '../../domain/hex.ts'
import { sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type Atomic, formatUsdc, parseUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { assetOfSymbol, assetSymbol, coinDecimals } from '../../domain/tokens/agentToken.ts'
import { tokenDecimals } from '../../domain/tokens/tokenCurve.ts'
import type { Chain, FollowedWithdrawal, HeldAsset } from '../../ports.ts'
import { withdrawalRecord } from '../../records/withdrawal.ts'
import { ownAgent } from '../agents/ownAgent.ts'
import { maySpend } from '../gasBudget.ts'
import { type Caller, chainOf, type Deps, operation, userOf } from '../operation.ts'
import { launchpadOf } from '../wallets/launchpadOf.ts'
import { spendable } from '../wallets/spendable.ts'
import { toWithdrawalRecord } from './withdrawalRecord.ts'

export const withdraw = operation({
  name: 'withdraw',
  summary:
    "Withdraw USDC, coin or tokens from your custodial wallet or your agent's. It is always sent to your own wallet; " +
    'the treasury pays the gas.',
  caller: 'user',
  scope: 'money',
  repeats: 'same',
  isYes: () => true,
  asksPasskey: true,
  input: z.strictObject({
    agent_id: z
      .string()
      .max(200)
      .nullish()
      .describe('Agent whose wallet to withdraw from; your own custodial wallet when absent'),
    chain_id: chainId,
    amount: z
      .union([z.string().max(100), z.number()])
      .optional()
      .describe('Decimal amount; when absent, all that is not reserved for a hire, a trade or gas'),
    asset: z
      .string()
      .max(200)
      .default('USDC')
      .describe(
        'USDC, the coin of the chain, its wrapped form (BNB, WBNB), or a token: its address, or id or handle of its agent',
      ),
  }),
  output: withdrawalRecord,

  async run({ agent_id, chain_id, amount, asset: text }, deps, caller) {
    const user = userOf(caller)
    const from = await sourceOf(deps, { agentId: agent_id ?? undefined, chainId: chain_id, caller })
    if (from.wallet === user) throw new Problem('method-not-offered', ownAlready)
    const held = await heldAs(deps, text, from)
    const asked = amount === undefined ? undefined : toAmount(amount, held)
    return toWithdrawalRecord(await take(deps, { ...from, ...held, id: toId(deps, user, caller.idempotencyKey), user, asked }))
  },
})

const ownAlready = 'Your account is this wallet itself, so there is no other wallet of yours to which it could be sent.'

type Source = { wallet: Address; chain: Chain }

const sourceOf = async (deps: Deps, of: { agentId: string | undefined; chainId: number; caller: Caller }): Promise<Source> => {
  if (of.agentId === undefined)
    return { wallet: await deps.wallets.ensure('user', userOf(of.caller)), chain: chainOf(deps, of.chainId) }
  const agent = await ownAgent(deps, of.agentId, of.caller)
  return { wallet: agent.wallet, chain: chainOf(deps, agent.chainId) }
}

/** What is withdrawn, with the amount that the wallet can spend. */
type Held = { asset: HeldAsset; symbol: string; decimals: number; held: Atomic }

/** @throws Problem token-not-found, tokens-not-offered */
const heldAs = async (deps: Deps, text: string, { wallet, chain }: Source): Promise<Held> => {
  const { chainId, usdcDecimals } = chain
  const named = assetOfSymbol(text, chainId)
  // Tokens, coin and wrapped coin come from trades, so they are withdrawn where tokens are offered.
  if (named !== 'usdc') launchpadOf(deps, chainId)
  if (!named && !deps.tokens) throw new Problem('tokens-not-offered')
  const token = named ? undefined : await deps.tokens?.find(text, chainId, deps)
  const asset = named ?? token?.token ?? 'usdc'
  const symbol = token?.symbol ?? assetSymbol(named ?? 'usdc', chainId)
  const decimals = token ? tokenDecimals : named === 'usdc' ? usdcDecimals : coinDecimals
  return { asset, symbol, decimals, held: await spendable(chain, wallet, asset) }
}

const toAmount = (amount: string | number, { symbol, decimals }: Held): Atomic => {
  const parsed = parseUsdc(amount, decimals)
  if (parsed !== undefined && parsed > 0n) return parsed
  throw new Problem('invalid-input', `An amount of ${symbol} above 0 with at most ${decimals} decimals.`, '/amount')
}

/** The same idempotency key always gives the same withdrawal id. */
const toId = ({ ids }: Deps, user: Address, key: string | undefined) =>
  key === undefined ? ids.fresh('withdrawal') : `withdrawal_${sha256(`${user}:${key}`).slice(0, 32)}`

type Taking = Source & Held & { id: string; user: Address; asked: Atomic | undefined }

const take = async (deps: Deps, { wallet, chain, id, user, asked, ...of }: Taking): Promise<FollowedWithdrawal> => {
  const { chainId } = chain
  const { asset, symbol, decimals, held } = of
  const transfer = chain.withdraw
  if (!transfer) throw new Problem('method-not-offered')
  return deps.store.atomically(async tables => {
    const { underWay, today, committed } = await tables.lockWithdrawals(wallet, { chainId, asset })
    const known = await tables.withdrawal(id)
    if (known) return known
    if (underWay > 0) throw new Problem('withdrawal-pending')
    if (today >= limits.withdrawalsADay) throw new Problem('too-many-withdrawals')
    if (!(await maySpend(tables, { wallet: user, chain }, 'withdrawal'))) throw new Problem('gas-budget-used')
    const free = held > committed ? held - committed : 0n
    const amount = asked ?? free
    if (amount === 0n || amount > free)
      throw new Problem('insufficient-funds', `The wallet has ${formatUsdc(free, decimals)} ${symbol} to take out.`)
    const added = await tables.addWithdrawal({ id, user, chainId, asset, decimals, wallet, amount })
    await tables.addIntents([
      { key: `withdraw:${id}`, chainId, sender: wallet, call: transfer(asset, user, amount), after: undefined },
    ])
    return { ...added, state: 'waiting' as const, hash: undefined }
  })
}
