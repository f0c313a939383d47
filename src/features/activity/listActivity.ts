import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import type { Address } from '../../domain/hex.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { ownAgent } from '../../operations/agents/ownAgent.ts'
import { type Caller, chainOf, type Deps, operation, userOf } from '../../operations/operation.ts'
import type { Job } from '../../ports.ts'
import { type ActivityRecord, activityPage } from '../../records/market/activity.ts'
import { toKind } from './kinds.ts'
import { activityTables, type ToldMovement } from './ports.ts'

const mostRows = 100

export const listActivity = operation({
  name: 'listActivity',
  summary:
    'Where the USDC of your wallet came from and went, newest first, as the chain shows it. The amounts add up to the balance.',
  caller: 'user',
  scope: 'look',
  input: z.object({
    agent: z.string().max(200).optional().describe('One of your agents: its wallet in place of yours'),
    limit: z.coerce.number().int().min(1).max(mostRows).default(50),
    before: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number)
      .optional()
      .describe('`next` of the page before'),
  }),
  output: activityPage,

  async run({ agent, limit, before }, deps, caller) {
    const wallet = await walletOf(deps, agent, caller)
    const found = await activityTables(deps.store).movements({ wallet, before, limit: limit + 1 })
    const shown = found.slice(0, limit)
    const last = found.length > limit ? shown.at(-1) : undefined
    const jobs = await jobsOf(deps, shown)
    return {
      wallet,
      activity: shown.map(it => toRecord(deps, it, jobs.get(it.jobId ?? ''))),
      next: last ? String(last.seq) : null,
    }
  },
})

const walletOf = async (deps: Deps, agent: string | undefined, caller: Caller): Promise<Address> => {
  if (agent === undefined) return deps.wallets.ensure('user', userOf(caller))
  return (await ownAgent(deps, agent, caller)).wallet
}

const jobsOf = async ({ store }: Deps, rows: readonly ToldMovement[]): Promise<ReadonlyMap<string, Job>> => {
  const ids = [...new Set(rows.flatMap(it => it.jobId ?? []))]
  const jobs = await Promise.all(ids.map(id => store.job(id)))
  return new Map(jobs.flatMap(it => (it ? [[it.id, it] as const] : [])))
}

const toRecord = (deps: Deps, it: ToldMovement, job: Job | undefined): ActivityRecord => {
  const { usdcDecimals, addresses } = chainOf(deps, it.chainId)
  return {
    activity_id: `${it.chainId}:${it.txHash}:${it.logIndex}`,
    kind: toKind(it, addresses),
    amount: formatUsdc(it.amount, usdcDecimals),
    currency: 'USDC',
    at: toIso(it.at),
    chain_id: it.chainId,
    counterparty: it.other,
    transaction: it.txHash,
    agent_id: job?.agentId ?? null,
    agent_handle: job?.terms.agentHandle ?? null,
    offering_name: job?.terms.offeringName ?? null,
    job_state: job?.state ?? null,
    job_id: it.jobId ?? null,
    run_id: it.runId ?? null,
  }
}
