import { secondMs } from '../../domain/durations.ts'
import { hashOf, toChecklist } from '../../domain/jobs/acceptance.ts'
import type { JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { PassingProblem, Problem } from '../../domain/problem.ts'
import type { Terms } from '../../domain/runs/proposal.ts'
import { fullShare, type OpenCalls, type Share } from '../../domain/x402/paidCallShares.ts'
import type { Authorization } from '../../domain/x402/x402.ts'
import { toCallDeadlines, toEndMs } from '../../domain/x402/x402Times.ts'
import { maySpend } from '../../operations/gasBudget.ts'
import type { Deps } from '../../operations/operation.ts'
import type { Tables } from '../../ports.ts'
import { type FollowedPaidCall, paidCallsOf } from './ports.ts'
import type { Sale } from './sale.ts'

type Purchase = {
  sale: Sale
  input: string
  authorization: Authorization
  requestHash: string
  /** What the facilitator of the chain is asked for; undefined where there is none. */
  facilitation: JsonObject | undefined
  /** What the payer's wallet can pay now in USDC. */
  spendable: Atomic
}

/** Thrown when another request claimed the authorization first. The whole write is rolled back. */
class AlreadyClaimed extends Error {}

/**
 * Claims the nonce of a valid payment and queues its work, in one write. Of several requests with the same payment, only one
 * succeeds.
 * @returns the call that owns the payment, possibly from another request; undefined when the wallet cannot pay it in
 * addition to calls in progress
 * @throws Problem rate-limited, gas-budget-used
 */
export const startPaidCall = async (deps: Deps, it: Purchase): Promise<FollowedPaidCall | undefined> => {
  const { sale, authorization } = it
  const { from: payer, nonce } = authorization
  const { chainId, addresses } = sale.chain
  try {
    const isCovered = await deps.store.atomically(tables => claim(tables, deps, it))
    if (!isCovered) return undefined
  } catch (error) {
    if (!(error instanceof AlreadyClaimed)) throw error
  }
  return paidCallsOf(deps.store).paidCallOfNonce({ chainId, asset: addresses.usdc, payer, nonce })
}

const claim = async (tables: Tables, { ids, clock }: Deps, it: Purchase): Promise<boolean> => {
  const { sale, input, authorization, requestHash, facilitation, spendable } = it
  const { agent, offering, price, chain, transfers } = sale
  const { from: payer, nonce } = authorization
  const open = await paidCallsOf(tables).lockPaidCalls({ payer, chainId: chain.chainId, agentId: agent.id, owner: agent.owner })
  refuseMore(open, clock.now())
  if (open.amount + price > spendable) return false
  if (!(await maySpend(tables, { wallet: agent.owner, chain }, 'call'))) throw new Problem('gas-budget-used', agentGas)
  const [runId, jobId] = [ids.fresh('run'), ids.fresh('job')]
  const run = { id: runId, conversationId: ids.fresh('conversation'), user: payer, chainId: chain.chainId, task: input }
  await tables.addRun({ ...run, target: agent.id, state: 'awaiting-job' })
  await tables.addRunEvent(runId, { kind: 'message', summary: input, data: { role: 'user' }, key: 'message' })
  const job = await tables.addJob({
    ...{ id: jobId, runId, agentId: agent.id, agentWallet: agent.wallet, chainId: chain.chainId },
    ...{ user: payer, userWallet: payer, budget: 0n, fee: 0n },
    terms: toTerms(sale, input),
    offering,
    checklist: toChecklist(offering.deliverable),
    deadlines: toCallDeadlines(offering.slaMinutes, authorization, clock.now()),
  })
  if (!job) throw new RangeError(`the new run ${runId} has a job already`)
  const claimed = await paidCallsOf(tables).addPaidCall({
    ...{ id: ids.fresh('x402'), chainId: chain.chainId, payer, asset: chain.addresses.usdc, nonce, amount: price },
    ...{ payTo: agent.wallet, requestHash, jobId, runId, validUntil: toEndMs(authorization) },
    ...{ sender: chain.treasury, settlement: transfers.transfer(authorization), facilitation },
  })
  if (!claimed) throw new AlreadyClaimed()
  for (const event of ['fund', 'queue'] as const) await tables.moveJob(jobId, event)
  return true
}

const heldBy: Record<keyof OpenCalls, string> = {
  agent: 'Too many paid calls of this agent are under way.',
  owner: "Too many paid calls of this agent's owner are under way.",
  payer: 'Too many paid calls of this wallet are under way.',
  all: 'Too many paid calls are under way.',
}

/** @throws Problem rate-limited that names the time when another call may start */
const refuseMore = ({ unpaid, ...open }: OpenCalls & { unpaid: Share }, now: number): void => {
  const full = fullShare(open)
  if (full) throw toLater(`${heldBy[full.of]} A place is free`, full.endsBy, now)
  if (unpaid.open >= limits.unpaidCallsADay)
    throw toLater(
      `${unpaid.open} payments of this wallet failed today after the work was done. Agents work for it again`,
      unpaid.endsBy,
      now,
    )
}

const toLater = (words: string, at: number | undefined, now: number): Problem => {
  const endsAt = Math.max(at ?? 0, now + secondMs)
  return new PassingProblem(
    'rate-limited',
    `${words} at ${new Date(endsAt).toISOString()}, or before.`,
    Math.ceil((endsAt - now) / secondMs),
  )
}

const agentGas = 'The treasury pays no more gas for paid calls of this agent today. Hire it instead.'

const toTerms = ({ agent, offering, price, chain }: Sale, input: string): Terms => {
  const amount = formatUsdc(price, chain.usdcDecimals)
  return {
    ...{ chainId: chain.chainId, agentId: agent.id, agentHandle: agent.handle },
    ...{ offeringId: offering.id, offeringName: offering.name, offeringVersion: offering.version },
    ...{ input, price: amount, fee: '0', total: amount, slaMinutes: offering.slaMinutes },
    ...(offering.usage && { usage: offering.usage }),
    checklistHash: hashOf(toChecklist(offering.deliverable)),
  }
}
