import type { Sql } from '../../../src/store/engine/db.ts'

/** As many as a worker reads from its list at a time. */
const abandoned = 100

const counted = `with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${abandoned})`
const runs = `${counted} insert into run (id, conversation_id, "user", chain_id, task, state, answer, created_at, updated_at)
  select id || '-away-' || n, conversation_id || '-away-' || n, "user", 56, task, 'awaiting-job', '', 1, 1 from run, counted
  where id = (select run_id from job where id = $1) on conflict do nothing`
const jobs = `${counted} insert into job (id, run_id, agent_id, agent_wallet, chain_id, "user", user_wallet, terms, offering, budget, fee,
    pickup_by, lease_ms, submit_by, evaluate_by, expires_at, state, created_at, updated_at)
  select id || '-away-' || n, run_id || '-away-' || n, '56:away', agent_wallet, 56, "user", user_wallet, terms, offering, budget, fee,
    1, lease_ms, 1, 1, 1, 'queued', 1, 1 from job, counted
  where id = $1 on conflict do nothing`

/** Copies a job to a chain that is no longer served. Nobody leases the copies, and their deadlines have passed. */
export const abandonJobs = async (sql: Sql, jobId: string): Promise<void> => {
  for (const copy of [runs, jobs]) await sql(copy, [jobId])
}
