import { z } from 'zod'
import { isJobState, type JobState } from '../../domain/jobs/job.ts'
import { limits } from '../../domain/limits.ts'
import { plan as planTerms } from '../../domain/plans/plan.ts'
import { planState } from '../../domain/plans/planStates.ts'
import type { StepRows, Try } from '../../domain/plans/progress.ts'
import { cancelledByUser } from '../../domain/runTexts/ends.ts'
import { isFree, isGood, isRefused } from '../../domain/x402/purchase.ts'
import { amount, jsonText, maybe } from '../../ports/rows/columns.ts'
import { purchaseRow } from '../../ports/rows/purchase.ts'
import { endedStates, runState } from '../../ports/rows/run.ts'
import type { StoredPlan } from '../../ports.ts'
import type { Sql } from '../engine/db.ts'
import { rowOf } from '../engine/rows.ts'

export const plans = rowOf({
  runId: z.string(),
  terms: maybe(jsonText(planTerms)),
  total: amount,
  decimals: z.number(),
  state: planState,
  mandateId: maybe(z.string()),
  agreedAt: maybe(z.number()),
  stoppedAt: maybe(z.number()),
})

/** An attempt at a step, or the reason why there is none, with its run and its job. */
const attempts = rowOf({
  number: z.number(),
  attempt: z.number(),
  skipped: maybe(z.string()),
  runId: maybe(z.string()),
  runState: maybe(runState),
  answer: maybe(z.string()),
  jobId: maybe(z.string()),
  jobState: maybe(z.custom<JobState>(it => typeof it === 'string' && isJobState(it))),
  budget: maybe(amount),
  returned: maybe(amount),
  outcome: maybe(z.string()),
  reason: maybe(z.string()),
  bought: maybe(purchaseRow.state),
  boughtFor: maybe(amount),
  taken: purchaseRow.taken,
  status: purchaseRow.status,
  requirement: maybe(purchaseRow.requirement),
  whyBought: maybe(z.string()),
  flowing: maybe(z.coerce.number()),
})
type Attempt = ReturnType<typeof attempts.parse>

const isTakenOrFree = `(p.state = 'paid' or p.state = 'unpaid' and p.requirement{PARSED}->>'scheme' = 'upto')`
/**
 * The content has all bytes of the answer, except a mark at its start that says UTF-8. A file stands there as a `data:` URL, which
 * is longer, and a long answer by its beginning or its kind.
 */
const isWholeText = `p.answer_ending = 'whole' and p.answer_bytes <= ${limits.deliverableBytes}
  and octet_length(p.content) in (p.answer_bytes, p.answer_bytes - 3)`

/** Whether a later step may take an answer: it is a whole text, and its seller was paid for it or took nothing. */
export const hasFlowing = `${isTakenOrFree} and p.status between 200 and 299 and ${isWholeText}`

const ofPlan = `select s.number, s.attempt, s.skipped, s.run_id, r.state as run_state, r.answer, j.id as job_id,
  j.state as job_state, j.budget, j.returned, j.outcome, j.reason,
  p.state as bought, p.amount as bought_for, p.taken, p.status, p.requirement, p.reason as why_bought,
  case when ${hasFlowing} then 1 else 0 end as flowing
  from plan_step s left join run r on r.id = s.run_id left join job j on j.run_id = s.run_id
  left join purchase p on p.id = s.run_id and p.agreed_at is not null
  where s.plan_id = $1 order by s.number, s.attempt`

/**
 * A stored plan with its steps; undefined when the retention time has removed it. `found`: the rows of a query for its columns.
 */
export const readPlan = async (sql: Sql, found: Record<string, unknown>[]): Promise<StoredPlan | undefined> => {
  const row = plans.one(found)
  if (!row?.terms) return undefined
  const { terms, stoppedAt, ...of } = row
  return { ...of, isStopped: stoppedAt !== undefined, plan: terms, steps: toSteps(attempts.all(await sql(ofPlan, [row.runId]))) }
}

export const planOf = async (sql: Sql, runId: string): Promise<StoredPlan | undefined> =>
  readPlan(sql, await sql(`select ${plans.columns} from plan where run_id = $1`, [runId]))

const toSteps = (rows: Attempt[]): StepRows[] =>
  [...new Set(rows.map(it => it.number))].map(number => {
    const own = rows.filter(it => it.number === number)
    return { number, skipped: own.find(it => it.skipped !== undefined)?.skipped, tries: own.flatMap(toTry) }
  })

const ended: readonly string[] = endedStates

const boughtStates = {
  ...{ proposed: 'open', declined: 'cancelled', paying: 'escrowed', paid: 'settled', unpaid: 'cancelled' },
} as const satisfies Record<z.infer<typeof purchaseRow.state>, JobState>

/**
 * A payment by x402 in the words of a job: its price is reserved until it is paid, or can no longer be. A seller that served and
 * took nothing is settled.
 */
const toBoughtJob = ({ runId = '', bought, boughtFor: budget, requirement, ...of }: Attempt) => {
  const { status, whyBought: reason = '' } = of
  if (bought === undefined || budget === undefined || requirement === undefined) return undefined
  const taken = bought === 'unpaid' && isFree({ status, requirement }) ? 0n : bought === 'paid' ? (of.taken ?? budget) : undefined
  const isServed = taken !== undefined && status !== undefined && isGood(status)
  const isLost = taken === undefined ? isRefused({ state: bought, status, reason }) : of.flowing !== 1
  return {
    id: runId,
    state: taken === undefined ? boughtStates[bought] : 'settled',
    budget,
    returned: taken === undefined ? 0n : budget - taken,
    reason,
    isCancelled: false,
    bought: { isServed, isLost },
  } as const
}

const toTry = (of: Attempt): Try[] => (of.bought === undefined ? toHired(of) : toBought(of))

const toBought = (of: Attempt): Try[] => {
  const { attempt, runId = '', runState: state, answer = '' } = of
  return [{ attempt, runId, hasEnded: hasEnded(state), answer, job: toBoughtJob(of) }]
}

const hasEnded = (state: Attempt['runState']): boolean => state !== undefined && ended.includes(state)

const toHired = ({
  attempt,
  runId,
  runState: state,
  answer = '',
  jobId,
  jobState,
  budget,
  returned,
  outcome,
  reason = '',
}: Attempt): Try[] => {
  if (runId === undefined) return []
  const job =
    jobId === undefined || jobState === undefined || budget === undefined
      ? undefined
      : {
          id: jobId,
          state: jobState,
          budget,
          returned: jobState === 'settled' ? (returned ?? 0n) : 0n,
          reason,
          isCancelled: reason === cancelledByUser,
          wasAccepted: outcome === 'accepted',
        }
  return [{ attempt, runId, hasEnded: hasEnded(state), answer, job }]
}
