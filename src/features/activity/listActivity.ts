import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import type { Address } from '../../domain/hex.ts'
import { toSubject } from '../../domain/jobs/job.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { readsOnly } from '../../mcp/annotations.ts'
import { rowsAtOnce } from '../../mcp/marketView.ts'
import { tool } from '../../mcp/tool.ts'
import { ownAgent } from '../../operations/agents/resolveAgent.ts'
import { type Caller, chainOf, type Deps, operation, userOf } from '../../operations/operation.ts'
import type { Job, Purchase } from '../../ports.ts'
import { type ActivityRecord, activityPage } from '../../records/market/activity.ts'
import { toKind } from './kinds.ts'
import { activityTables, type ToldMovement } from './ports.ts'

const mostRows = 100

export const listActivity = operation({
  name: 'listActivity',
  summary:
    'Where the USDC of your wallet came from and went, newest first, as the chain shows it. The amounts add up to the balance.',
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
    const of = await causesOf(deps, shown)
    return { wallet, activity: shown.map(it => toRecord(deps, it, of)), next: last ? String(last.seq) : null }
  },
})

const walletOf = async (deps: Deps, agent: string | undefined, caller: Caller): Promise<Address> => {
  if (agent === undefined) return deps.wallets.ensure('user', userOf(caller))
  return (await ownAgent(deps, agent, caller)).wallet
}

/** The jobs and paid addresses of movements, by the ids of their jobs and runs. */
type Causes = { jobs: ReadonlyMap<string, Job>; paid: ReadonlyMap<string, Purchase> }

const readAll = async <T>(ids: (string | undefined)[], read: (id: string) => Promise<T | undefined>) => {
  const each = [...new Set(ids.flatMap(it => it ?? []))].map(async id => [id, await read(id)] as const)
  return new Map((await Promise.all(each)).flatMap(([id, it]) => (it ? [[id, it]] : [])))
}

const causesOf = async ({ store }: Deps, rows: readonly ToldMovement[]): Promise<Causes> => ({
  jobs: await readAll(
    rows.map(it => it.jobId),
    id => store.job(id),
  ),
  paid: await readAll(
    rows.map(it => (it.jobId ? undefined : it.runId)),
    async id => store.purchase?.(id),
  ),
})

const toRecord = (deps: Deps, it: ToldMovement, { jobs, paid }: Causes): ActivityRecord => {
  const job = jobs.get(it.jobId ?? '')
  const url = paid.get(it.runId ?? '')?.url
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
    subject: job ? toSubject(job.terms.input) : (url?.replace(/^https?:\/\//, '').slice(0, 120) ?? null),
    job_state: job?.state ?? null,
    job_id: it.jobId ?? null,
    run_id: it.runId ?? null,
  }
}

/** `what` is the offering with its agent, or the other wallet. */
const row = z.object({ at: z.string(), kind: z.string(), amount: z.string(), what: z.string() })

export const activityTool = tool({
  name: 'list_activity',
  title: 'List activity',
  operation: listActivity,
  annotations: readsOnly,
  description: 'What the wallet paid and received in USDC, newest first.',
  input: z.object({ before: z.string().optional() }),
  toInput: ({ before }) => ({ limit: rowsAtOnce, ...(before && { before }) }),
  output: z.object({ activity: z.array(row) }),
  show: ({ activity, next }) => ({
    view: {
      activity: activity.map(({ at, kind, amount, agent_handle, offering_name, subject, counterparty }) => ({
        at,
        kind,
        amount,
        what: offering_name === null ? (subject ?? counterparty) : `${offering_name} by ${agent_handle}: ${subject}`,
      })),
    },
    ...(next !== null && { nextStep: `Older ones: call list_activity with before ${next}.` }),
  }),
})
