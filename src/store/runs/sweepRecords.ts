import { nobody } from '../../domain/hex.ts'
import type { Later } from '../engine/db.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { removeThread } from './checkpointRows.ts'

/** Runs deleted per transaction. Other writes can proceed in between. */
const runsAtOnce = 100

const postings = `delete from posted_job where expires_at < {NOW} - $1
  or (state in ('completed', 'rejected') and updated_at < {NOW} - $1) or (is_proven = 0 and created_at < {NOW} - 2 * $1)`
const tests = 'delete from test_job where created_at < {NOW} - $1'
const groups = 'delete from agent_group where owner is null and created_at < {NOW} - $1'
// Only runs without a user are swept. They never have a job, so they hold no money.
const idleRuns = `select id from run where "user" = '${nobody}' and updated_at < {NOW} - $1 and held_until is null
  and job_id is null
  order by seq limit ${runsAtOnce} {SKIP}`

/** Deletes records of callers without a token, and test jobs, after a retention time. */
export const sweepTable = tableGroup(({ write }) => ({
  sweepRecords: keepMs =>
    write(async ({ sql, later }) => {
      await sql(postings, [keepMs])
      await sql(groups, [keepMs])
      await sql(tests, [keepMs])
      const runs = (await sql(idleRuns, [keepMs])).map(row => String(row.id))
      for (const id of runs) removeRun(later, id)
      return runs.length === runsAtOnce
    }),
}))

const removeRun = (later: Later, id: string): void => {
  removeThread(later, id)
  for (const table of ['run_input', 'run_event', 'run_step', 'message']) later(`delete from ${table} where run_id = $1`, [id])
  later('delete from run where id = $1', [id])
}
