import { z } from 'zod'
import type { Tables } from '../../ports.ts'
import type { Scope } from '../engine/db.ts'
import { rowOf } from '../engine/rows.ts'
import { jobColumns, toJobs } from './jobRows.ts'

const numbered = rowOf({ seq: z.number() })
const open = `state not in ('settled', 'refunded', 'cancelled')`

type EndTables = Pick<Tables, 'openJobs' | 'unjudgedJobs' | 'unfundedJobs' | 'expiredEscrows'>

/** The reading lists of the workers that see to it that every job ends. */
export const jobEndTable = ({ read }: Scope): EndTables => {
  const overdue = async (condition: string, limit: number) =>
    toJobs(await read(`select ${jobColumns} from job where ${condition} order by expires_at, seq limit $1`, [limit]))
  return {
    openJobs: async (chainId, { afterSeq, limit }) => {
      const rows = await read(
        `select seq, ${jobColumns} from job where chain_id = $1 and ${open} and budget <> '0' and seq > $2 order by seq limit $3`,
        [chainId, afterSeq, limit],
      )
      const jobs = toJobs(rows)
      return numbered.all(rows).flatMap(({ seq }, at) => jobs.slice(at, at + 1).map(job => ({ ...job, seq })))
    },
    unjudgedJobs: limit => overdue(`state = 'submitted' and evaluate_by < {NOW}`, limit),
    unfundedJobs: limit => overdue(`${open} and chain_job_id is null and budget <> '0' and expires_at < {NOW}`, limit),
    expiredEscrows: limit => overdue(`${open} and chain_job_id is not null and expires_at < {NOW}`, limit),
  }
}
