import { z } from 'zod'
import { isJobState, type JobState } from '../../domain/jobs/job.ts'
import { plan as planTerms } from '../../domain/plans/plan.ts'
import { planState } from '../../domain/plans/planStates.ts'
import type { StepRows, Try } from '../../domain/plans/progress.ts'
import { cancelledByUser } from '../../domain/runTexts/ends.ts'
import { amount, jsonText, maybe } from '../../ports/rows/columns.ts'
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
})
type Attempt = ReturnType<typeof attempts.parse>

const ofPlan = `select s.number, s.attempt, s.skipped, s.run_id, r.state as run_state, r.answer, j.id as job_id,
  j.state as job_state, j.budget, j.returned, j.outcome, j.reason
  from plan_step s left join run r on r.id = s.run_id left join job j on j.run_id = s.run_id
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

const toTry = ({
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
  return [{ attempt, runId, hasEnded: state !== undefined && ended.includes(state), answer, job }]
}
