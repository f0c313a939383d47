import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import type { Tables } from '../../ports.ts'
import type { Scope, Value } from '../engine/db.ts'
import { rowOf } from '../engine/rows.ts'
import { jobColumns, toJobs } from './jobRows.ts'

const numbered = rowOf({ seq: z.number() })
const open = `state not in ('settled', 'refunded', 'cancelled')`

const pile = rowOf({ kind: z.string(), state: z.string(), count: z.coerce.number(), oldestMs: z.coerce.number() })
const backlog = `select 'job' as kind, state, count(*) as count, {NOW} - min(updated_at) as oldest_ms from job where ${open} group by state
  union all select 'effect', state, count(*), {NOW} - min(created_at) from intent where state in ('waiting', 'sent') group by state
  union all select 'run', 'due', count(*), coalesce({NOW} - min(wake_at), 0) from run where wake_at is not null`

type EndTables = Pick<Tables, 'backlog' | 'openJobs' | 'overdueJobs' | 'unjudgedJobs' | 'unfundedJobs' | 'expiredEscrows'>
type ReadPage = EndTables['openJobs']

/** Queries of the workers that make every job end. Each reads one chain, page by page. */
export const jobEndTable = ({ read }: Scope): EndTables => {
  // The plus signs disable indexes in SQLite that would scan every job of the chain, including those that ended long ago.
  const pagesOf = (condition: string, params: Value[] = []): ReadPage => {
    const text = `select seq, ${jobColumns} from job where +chain_id = $1 and +seq > $2 and ${condition} order by +seq limit $3`
    return async (chainId, { afterSeq, limit }) => {
      const rows = await read(text, [chainId, afterSeq, limit, ...params])
      const jobs = toJobs(rows)
      return numbered.all(rows).flatMap(({ seq }, at) => jobs.slice(at, at + 1).map(job => ({ ...job, seq })))
    }
  }
  return {
    backlog: async () => pile.all(await read(backlog)),
    openJobs: pagesOf(`${open} and budget <> '0'`),
    overdueJobs: pagesOf(
      `((state in ('escrowed', 'queued', 'leased') and submit_by < {NOW}) or (state = 'queued' and attempt >= $4))`,
      [limits.attempts],
    ),
    unjudgedJobs: pagesOf(`${open} and state = 'submitted' and evaluate_by < {NOW}`),
    unfundedJobs: pagesOf(`${open} and chain_job_id is null and budget <> '0' and expires_at < {NOW}`),
    expiredEscrows: pagesOf(`${open} and chain_job_id is not null and expires_at < {NOW}`),
  }
}
