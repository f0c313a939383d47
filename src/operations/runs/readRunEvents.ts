import { z } from 'zod'
import { jsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type RunEvent, runEventKind } from '../../domain/runEvent.ts'
import { operation } from '../operation.ts'
import { ownRun } from './readRun.ts'

export const runEventRecord = z.object({
  run_id: z.string(),
  seq: z.number(),
  type: runEventKind,
  summary_text: z.string(),
  data: jsonObject,
  timestamp: z.string(),
})

export const toEventRecord = (it: RunEvent): z.infer<typeof runEventRecord> => ({
  run_id: it.runId,
  seq: it.seq,
  type: it.kind,
  summary_text: it.summary,
  data: it.data,
  timestamp: new Date(it.at).toISOString(),
})

export const readRunEvents = operation({
  name: 'readRunEvents',
  summary: 'Everything that happened in a run, in order. With Accept: text/event-stream it follows the run.',
  caller: 'anyone',
  input: z.object({ run_id: z.string().max(100), after: z.coerce.number().int().min(0).default(0) }),
  output: z.array(runEventRecord),

  async run({ run_id, after }, deps, caller) {
    const run = await ownRun(deps, run_id, caller)
    return (await deps.store.runEvents(run.id, after, limits.pageRows)).map(toEventRecord)
  },
})
