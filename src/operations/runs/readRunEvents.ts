import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { quoteByReference } from '../../domain/jobs/deliverable.ts'
import { limits } from '../../domain/limits.ts'
import type { RunEvent } from '../../domain/runs/runEvent.ts'
import { runEventRecord } from '../../records/run.ts'
import { type Deps, operation } from '../operation.ts'
import { ownRun, quoting } from './readRun.ts'

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
