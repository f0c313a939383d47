import { z } from 'zod'
import { hourMs, minuteMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import type { LateJobs } from '../../domain/operator/alerts.ts'
import { maybe } from '../../ports/rows/columns.ts'
import { unminedStates } from '../../ports/rows/effects.ts'
import type { Tables } from '../../ports.ts'
import type { Value } from '../engine/db.ts'
import { nowOf } from '../engine/now.ts'
import { quoted, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { isHire, jobColumns, toSoundJobs } from './jobRows.ts'

const open = `state not in ('settled', 'refunded', 'cancelled')`

const pile = rowOf({ kind: z.string(), state: z.string(), count: z.coerce.number(), oldestMs: z.coerce.number() })
const backlog = `select 'job' as kind, state, count(*) as count, {NOW} - min(updated_at) as oldest_ms from job
  where ${open} group by state
  union all select 'effect', state, count(*), {NOW} - min(created_at) from intent
  where state in (${quoted(unminedStates)}) group by state
  union all select 'run', 'due', count(*), coalesce({NOW} - min(wake_at), 0) from run where wake_at is not null`

/** Nearly over: less than a tenth of the time is left, within these bounds in ms. */
const nearly = (deadline: string, { min, max }: { min: number; max: number }) =>
  `${deadline} < {NOW} + ${max} and ${deadline} - {NOW} < case when (${deadline} - j.created_at) / 10 < ${min} then ${min}
    else (${deadline} - j.created_at) / 10 end`
const firstLate = ({ missing, deadline, condition }: { missing: LateJobs['missing']; deadline: string; condition: string }) =>
  `select '${missing}' as missing, count(*) over () as count, ${deadline} - {NOW} as left_ms, j.id as job_id,
   coalesce((select a.handle from agent a where a.id = j.agent_id), j.agent_id) as agent
   from job j where ${condition} order by ${deadline} limit 1`
const undelivered = firstLate({
  ...{ missing: 'deliverable', deadline: 'j.submit_by' },
  condition: `j.state in ('escrowed', 'queued', 'leased') and ${nearly('j.submit_by', { min: minuteMs / 2, max: hourMs })}`,
})
const unsettled = firstLate({
  ...{ missing: 'settlement', deadline: 'j.expires_at' },
  condition: `j.${open} and j.state in ('submitted', 'settling') and ${nearly('j.expires_at', { min: 0, max: 5 * minuteMs })}`,
})
const late = rowOf({
  missing: z.enum(['deliverable', 'settlement']),
  count: z.coerce.number(),
  leftMs: z.coerce.number(),
  jobId: z.string(),
  agent: z.string(),
})

/** A transaction of this age in ms has been committed, so its rows are not missed by a reader that goes on from there. */
const committedMs = 2_000
/** The most hires of one reading. */
const mostEnded = 10_000
const ended = rowOf({
  chainId: z.number(),
  state: z.string(),
  hireMs: z.coerce.number(),
  settlementMs: maybe(z.coerce.number()),
})
const endedHires = `select chain_id, state, updated_at - created_at as hire_ms,
  updated_at - submitted_at as settlement_ms from job
  where updated_at > $1 and updated_at <= $2 and not (${open}) and ${isHire} limit ${mostEnded}`

/** Queries of the workers that make every job end. Each reads one chain, page by page. */
export const jobEndTable = tableGroup(({ read, aside }) => {
  // The plus signs disable indexes in SQLite that would scan every job of the chain, including those that ended long ago.
  const pagesOf = (condition: string, params: Value[] = []): Tables['openJobs'] => {
    const text = `select seq, ${jobColumns} from job where +chain_id = $1 and +seq > $2 and ${condition} order by +seq limit $3`
    return async (chainId, { afterSeq, limit }) =>
      toSoundJobs(aside, await read(text, [chainId, afterSeq, aside.limit('job', limit), ...params]))
  }
  return {
    backlog: async () => pile.all(await read(backlog)),
    endedHires: async after => {
      const upTo = (await nowOf(read)) - committedMs
      return { upTo, hires: after === undefined ? [] : ended.all(await read(endedHires, [after, upTo])) }
    },
    lateJobs: async () => late.all([...(await read(undelivered)), ...(await read(unsettled))]),
    openJobs: pagesOf(`${open} and ${isHire}`),
    overdueJobs: pagesOf(
      `((state in ('escrowed', 'queued', 'leased') and submit_by < {NOW}) or (state = 'queued' and attempt >= $4))`,
      [limits.attempts],
    ),
    untakenSteps: pagesOf(
      `state = 'queued' and attempt = 0 and {NOW} - created_at > (submit_by - created_at) / 2 and exists (
        select 1 from plan_step s join plan p on p.run_id = s.plan_id
        where s.run_id = job.run_id and s.attempt = 0 and p.state = 'running' and p.stopped_at is null)`,
    ),
    unjudgedJobs: pagesOf(`${open} and state = 'submitted' and evaluate_by < {NOW}`),
    unfundedJobs: pagesOf(`${open} and chain_job_id is null and ${isHire} and expires_at < {NOW}`),
    expiredEscrows: pagesOf(`${open} and chain_job_id is not null and expires_at < {NOW}`),
  }
})
