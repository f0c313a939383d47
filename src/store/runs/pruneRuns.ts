import { z } from 'zod'
import { finalStates } from '../../domain/jobs/job.ts'
import { limits } from '../../domain/limits.ts'
import { nothingPruned, type RunPart, runParts } from '../../domain/operator/retention.ts'
import { unminedStates } from '../../ports/rows/effects.ts'
import { askingStates, endedStates, type RunState } from '../../ports/rows/run.ts'
import type { Sql } from '../engine/db.ts'
import { countOf, quoted, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { removeParts } from '../money/purchaseRows.ts'
import { removeThread } from './checkpointRows.ts'

/** Runs pruned per transaction. Other writes can proceed in between. */
const runsAtOnce = 100

const finals = finalStates.map(it => `'${it}'`).join(', ')
const steps = ['approve', 'hire', 'submit', 'complete', 'refund', 'feedback', 'validation-request', 'validation-response']
  .map(it => `'job:' || job.id || ':${it}'`)
  .join(', ')
const unmined = `i.state in (${quoted(unminedStates)})`

// A job is under way until its effects are mined, search has learned from it, and its feedback was written. Until its
// authorization lapses, a payment may be shown again and is then answered with the same deliverable.
const openJob = `select 1 from job where job.run_id = run.id and (job.state not in (${finals}) or job.updated_at >= {NOW} - $1
  or (job.state <> 'cancelled' and job.outcome is not null and job.chain_job_id is not null and job.feedback is null)
  or exists (select 1 from intent i where i.key in (${steps}) and ${unmined})
  or exists (select 1 from outbox o where o.topic = 'learn' and o.key = job.id)
  or exists (select 1 from paid_call c where c.job_id = job.id and c.valid_until >= {NOW})
  or exists (select 1 from paid_call c join intent i on i.key = 'x402:' || c.id where c.job_id = job.id and ${unmined}))`
const openPurchase = 'select 1 from purchase p where p.id = run.id and p.due_at is not null'

const prunableIn = (
  states: readonly RunState[],
) => `run.pruned_at is null and run.state in (${quoted(states)}) and run.updated_at < {NOW} - $1
  and run.held_until is null and run.wake_at is null
  and not exists (${openJob}) and not exists (${openPurchase})`

const prunable = prunableIn(endedStates)
// Whoever deletes their own texts waits for no question of the butler any more.
const ofUser = `${prunableIn([...endedStates, ...askingStates])} and run."user" = $2`

// A run in which money moved, or was allowed to move, keeps its row.
const moneyFacts = ['job', 'mandate_drawing', 'posting']
  .map(table => `exists (select 1 from ${table} m where m.run_id = run.id)`)
  .concat('exists (select 1 from purchase m where m.id = run.id)')
  .concat('exists (select 1 from plan m where m.run_id = run.id and m.agreed_at is not null)')
  .join(' or ')
const isMoney = `case when ${moneyFacts} then 1 else 0 end`

// Packed events are all events of their run.
const packedEvents = 'case when run.events is null then 0 else run.last_seq end'
const dueOf = (which: string) => `select run.id, ${isMoney} as is_money, ${packedEvents} as packed_events from run where ${which}
  order by run.updated_at limit ${runsAtOnce} {SKIP}`
const found = rowOf({ id: z.string(), isMoney: z.number(), packedEvents: z.number() })

const empty = `update run set pruned_at = {NOW}, task = substr(task, 1, ${limits.titleChars}), answer = '', questions = null,
  proposal = null, events = null, choices = null, next_tasks = null, unplanned = null where id = $1`

/** The rows of a run by the column with its id. They are deleted, or one column of them is emptied. */
const parts: Record<RunPart, { table: string; run: string; emptied?: string }> = {
  events: { table: 'run_event', run: 'run_id' },
  messages: { table: 'message', run: 'run_id' },
  inputs: { table: 'run_input', run: 'run_id' },
  checkpoints: { table: 'checkpoint', run: 'thread_id' },
  steps: { table: 'run_step', run: 'run_id' },
  deliverables: { table: 'job', run: 'run_id', emptied: 'deliverable' },
  purchased: { table: 'purchase', run: 'id', emptied: 'content' },
}

/** Removes the texts of ended runs after a retention time. */
export const pruneTable = tableGroup(({ read, write }) => ({
  pruneRuns: (keepMs, user) =>
    write(async ({ sql, later }) => {
      const pruned = { ...nothingPruned }
      const due = user === undefined ? sql(dueOf(prunable), [keepMs]) : sql(dueOf(ofUser), [keepMs, user])
      for (const run of found.all(await due)) {
        for (const part of runParts) pruned[part] += await removePart(sql, part, run.id)
        pruned.events += run.packedEvents
        removeThread(later, run.id)
        await removeParts(sql, run.id)
        // Files to which no job refers any more go when they are expired.
        await sql('delete from file_use where job_id in (select id from job where run_id = $1)', [run.id])
        await sql('update job set kept = null where run_id = $1 and kept is not null', [run.id])
        await sql('delete from plan where run_id = $1 and agreed_at is null', [run.id])
        await sql(`update plan set terms = null where run_id = $1 and state = 'ended'`, [run.id])
        await sql(run.isMoney ? empty : 'delete from run where id = $1', [run.id])
        pruned[run.isMoney ? 'emptied' : 'deleted'] += 1
      }
      return pruned
    }),

  countUnpruned: async user => {
    return countOf(read('select count(*) as total from run where "user" = $1 and pruned_at is null', [user]))
  },

  countPrunable: async keepMs => {
    const runs = await read(
      `select ${isMoney} as is_money, count(*) as total, sum(${packedEvents}) as packed_events from run
        where ${prunable} group by 1`,
      [keepMs],
    )
    const pruned = { ...nothingPruned }
    for (const { isMoney: held, total } of totals.all(runs)) pruned[held ? 'emptied' : 'deleted'] = total
    for (const part of runParts) pruned[part] = await countPart(read, part, keepMs)
    for (const { packedEvents: packed } of totals.all(runs)) pruned.events += packed
    return pruned
  },
}))

const totals = rowOf({ isMoney: z.number(), total: z.coerce.number(), packedEvents: z.coerce.number() })

const removePart = async (sql: Sql, part: RunPart, runId: string): Promise<number> => {
  const { table, run, emptied } = parts[part]
  const remove = emptied
    ? `update ${table} set ${emptied} = null where ${run} = $1 and ${emptied} is not null`
    : `delete from ${table} where ${run} = $1`
  return (await sql(`${remove} returning 1 as one`, [runId])).length
}

const countPart = async (read: Sql, part: RunPart, keepMs: number): Promise<number> => {
  const { table, run, emptied } = parts[part]
  const filled = emptied ? `and part.${emptied} is not null` : ''
  const count = `select count(*) as total from run join ${table} part on part.${run} = run.id where ${prunable} ${filled}`
  return countOf(read(count, [keepMs]))
}
