import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { nobody } from '../../domain/hex.ts'
import { quoteByReference } from '../../domain/jobs/deliverable.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { history } from '../../domain/runs/history.ts'
import type { RunEvent } from '../../domain/runs/runEvent.ts'
import type { Run } from '../../ports.ts'
import { type RunRecord, runEventRecord, runRecord } from '../../records/run.ts'
import { type Caller, type Deps, operation, userOf } from '../operation.ts'
import { readPlanRecord } from './planRecord.ts'
import { toRunRecord } from './runRecord.ts'

/** Whether an answer quotes a long deliverable or only refers to it. */
export const quoting = z
  .enum(['whole', 'reference'])
  .default('whole')
  .describe('`reference`: an answer names a long deliverable instead of quoting it; read it from the run')

/**
 * Returns a run of the caller. A run without a user needs no token, because its id is a secret. Runs of others are reported as
 * not found.
 * @throws Problem unauthenticated, run-not-found
 */
export const ownRun = async ({ store }: Pick<Deps, 'store'>, runId: string, caller: Caller): Promise<Run> => {
  const run = await store.run(runId)
  if (run?.user === nobody) return run
  if (run?.user !== userOf(caller)) throw new Problem('run-not-found')
  return run
}

/** Removes a long deliverable from the record and keeps its length. */
const withoutLong = (it: RunRecord): RunRecord =>
  it.job && it.job.deliverable.length > limits.shownDeliverableChars ? { ...it, job: { ...it.job, deliverable: '' } } : it

export const readRun = operation({
  name: 'getRun',
  summary: 'The state of a run: its question, proposal, job and result. A long deliverable is only in `job`.',
  caller: 'anyone',
  scope: 'look',
  input: z.object({ run_id: z.string().max(100), deliverable: quoting }),
  output: runRecord,

  async run({ run_id, deliverable: as }, deps, caller) {
    const run = await ownRun(deps, run_id, caller)
    const job = run.jobId ? await deps.store.job(run.jobId) : undefined
    const whole = toRunRecord(run, job, await readPlanRecord(deps, run))
    const record = as === 'reference' ? withoutLong(whole) : whole
    return { ...record, content: quoteByReference(record.content, { runId: run.id, deliverable: job?.deliverable }) }
  },
})

export const toEventRecord = (it: RunEvent): z.infer<typeof runEventRecord> => ({
  run_id: it.runId,
  seq: it.seq,
  type: it.kind,
  summary_text: it.summary,
  data: it.data,
  timestamp: toIso(it.at),
})

/** Whether the record of an event is the same for every reader. Only the answer at the end of a run may quote a deliverable. */
export const isWhole = (it: RunEvent, as: z.infer<typeof quoting>): boolean =>
  as === 'whole' || it.kind !== 'answer' || it.summary.length <= limits.listedDeliverableChars

/** Returns an event with the deliverable quoted in the requested form. */
export const toQuotedRecord = async ({ store }: Pick<Deps, 'store'>, it: RunEvent, as: z.infer<typeof quoting>) => {
  const record = toEventRecord(it)
  if (isWhole(it, as)) return record
  const deliverable = (await store.jobOfRun(it.runId))?.deliverable
  return { ...record, summary_text: quoteByReference(record.summary_text, { runId: it.runId, deliverable }) }
}

export const readRunEvents = operation({
  name: 'readRunEvents',
  summary: 'Everything that happened in a run, in order. With Accept: text/event-stream it follows the run.',
  caller: 'anyone',
  scope: 'look',
  input: z.object({ run_id: z.string().max(100), after: z.coerce.number().int().min(0).default(0), deliverable: quoting }),
  output: z.array(runEventRecord),

  async run({ run_id, after, deliverable }, deps, caller) {
    const run = await ownRun(deps, run_id, caller)
    const events = await deps.store.runEvents(run.id, after, limits.pageRows)
    return Promise.all(events.map(it => toQuotedRecord(deps, it, deliverable)))
  },
})

const nothingKept = 'Nothing is kept of how this run was decided: it is too old, or the service keeps no histories (RUN_HISTORY).'

export const exportRun = operation({
  name: 'exportRun',
  summary:
    'What the butler read and decided in a run, step by step, with the questions to the model. It can be replayed offline.',
  caller: 'anyone',
  scope: 'look',
  input: z.object({ run_id: z.string().max(100) }),
  output: history,

  async run({ run_id }, deps, caller) {
    const { id } = await ownRun(deps, run_id, caller)
    const steps = await deps.store.runSteps(id)
    if (steps.length === 0) throw new Problem('not-found', nothingKept)
    return { format: 1 as const, run_id: id, steps }
  },
})
