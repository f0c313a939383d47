import { z } from 'zod'
import { chainId } from '../../domain/chains.ts'
import type { Address } from '../../domain/hex.ts'
import { sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type Atomic, formatUsdc, parseUsdc } from '../../domain/money.ts'
import { Problem } from '../../domain/problem.ts'
import type { Chain, FollowedWithdrawal } from '../../ports.ts'
import { ownAgent } from '../agents/ownAgent.ts'
import { maySpend } from '../gasBudget.ts'
import { type Caller, chainOf, type Deps, operation, userOf } from '../operation.ts'
import { toWithdrawalRecord, withdrawalRecord } from './withdrawalRecord.ts'

export const withdraw = operation({
  name: 'withdraw',
  summary:
    "Withdraw USDC from your custodial wallet or your agent's. It is always sent to your own wallet; the treasury pays the gas.",
  caller: 'user',
  repeats: 'same',
  input: z.object({
    agent_id: z
      .string()
      .max(200)
      .nullish()
      .describe('Agent whose wallet to withdraw from; your own custodial wallet when absent'),
    chain_id: chainId,
    amount: z
      .union([z.string().max(100), z.number()])
      .nullish()
      .describe('Decimal USDC; when absent, all that is not reserved for a hire'),
  }),
  output: withdrawalRecord,

  async run({ agent_id, chain_id, amount }, deps, caller) {
    const user = userOf(caller)
    const from = await sourceOf(deps, { agentId: agent_id ?? undefined, chainId: chain_id, caller })
    const asked = amount == null ? undefined : toAmount(amount, from.chain)
    const held = await from.chain.usdcBalance(from.wallet)
    return toWithdrawalRecord(await take(deps, { ...from, id: toId(deps, user, caller.idempotencyKey), user, asked, held }))
  },
})

type Source = { wallet: Address; chain: Chain }

const sourceOf = async (deps: Deps, of: { agentId: string | undefined; chainId: number; caller: Caller }): Promise<Source> => {
  if (of.agentId === undefined)
    return { wallet: await deps.wallets.ensure('user', userOf(of.caller)), chain: chainOf(deps, of.chainId) }
  const agent = await ownAgent(deps, of.agentId, of.caller)
  return { wallet: agent.wallet, chain: chainOf(deps, agent.chainId) }
}

const toAmount = (amount: string | number, { usdcDecimals }: Chain): Atomic => {
  const parsed = parseUsdc(amount, usdcDecimals)
  if (parsed !== undefined && parsed > 0n) return parsed
  throw new Problem('invalid-input', `An amount of USDC above 0 with at most ${usdcDecimals} decimals.`, '/amount')
}

/** The same idempotency key always gives the same withdrawal id. */
const toId = ({ ids }: Deps, user: Address, key: string | undefined) =>
  key === undefined ? ids.fresh('withdrawal') : `withdrawal_${sha256(`${user}:${key}`).slice(0, 32)}`

type Taking = Source & { id: string; user: Address; asked: Atomic | undefined; held: Atomic }

const take = async (deps: Deps, { wallet, chain, id, user, asked, held }: Taking): Promise<FollowedWithdrawal> => {
  const { chainId, usdcDecimals: decimals } = chain
  const transfer = chain.withdraw
  if (!transfer) throw new Problem('method-not-offered')
  return deps.store.atomically(async tables => {
    const { underWay, today, committed } = await tables.lockWithdrawals(wallet, chainId)
    const known = await tables.withdrawal(id)
    if (known) return known
    if (underWay > 0) throw new Problem('withdrawal-pending')
    if (today >= limits.withdrawalsADay) throw new Problem('too-many-withdrawals')
    if (!(await maySpend(tables, { wallet: user, chain }, 'withdrawal'))) throw new Problem('gas-budget-used')
    const free = held > committed ? held - committed : 0n
    const amount = asked ?? free
    if (amount === 0n || amount > free)
      throw new Problem('insufficient-funds', `The wallet has ${formatUsdc(free, decimals)} USDC to take out.`)
    const added = await tables.addWithdrawal({ id, user, chainId, decimals, wallet, amount })
    await tables.addIntents([{ key: `withdraw:${id}`, chainId, sender: wallet, call: transfer(user, amount), after: undefined }])
    return { ...added, state: 'waiting' as const, hash: undefined }
  })
}
