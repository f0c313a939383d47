import { z } from 'zod'
import { parseJson } from '../../domain/json.ts'
import { flag, jsonText, maybe } from '../../ports/rows/columns.ts'
import { runInput, runRow } from '../../ports/rows/run.ts'
import { rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { hasOthers } from '../runs/replacedRuns.ts'
import { dueRuns } from '../runs/runTurns.ts'
import { jobObjectOf, parseJob } from './jobRows.ts'

const held = rowOf({ ...runRow, holds: z.number() })
const inputs = jsonText(z.array(z.object({ key: z.string(), input: z.string().transform(parseJson).pipe(runInput) })))
const claimed = rowOf({
  ...runRow,
  holds: z.number(),
  isBinding: flag,
  isAlone: flag,
  // Whoever needs one of them reads its row, which names the fault.
  inputs: maybe(inputs)
    .transform(all => new Map(all?.map(it => [it.key, it.input])))
    .optional()
    .catch(undefined),
  job: maybe(z.string().transform(parseJob)),
})

// wake_at is cleared at the claim, so that a wake during the work is noticed afterwards. What else is read may be older than the
// run's row, which another writer may have changed meanwhile.
const claim = `with ${dueRuns}
  update run set wake_at = null, holds = holds + 1, held_until = {NOW} + $2 where id in (select id from due)
  returning ${held.columns}, case when exists (select 1 from plan where plan.run_id = run.id)
    or exists (select 1 from purchase where purchase.id = run.id) then 1 else 0 end as is_binding,
  case when ${hasOthers} then 0 else 1 end as is_alone,
  (select cast({ARRAY}({OBJECT}('key', i.interrupt_id, 'input', i.input)) as text) from run_input i
    where i.run_id = run.id) as inputs,
  (select cast(${jobObjectOf('j')} as text) from job j where j.id = run.job_id) as job`

/** Leases woken runs, each with what its step reads first. */
export const claimTable = tableGroup(({ run, aside }) => ({
  claimRuns: async (leaseMs, limit) =>
    aside
      .sound('run', claimed, await run(claim, [limit, leaseMs]))
      .map(({ holds, ...it }) => ({ run: it, lease: String(holds) })),
}))
