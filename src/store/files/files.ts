import { z } from 'zod'
import { makeRoom } from '../../domain/files/fileQuota.ts'
import { flag } from '../../ports/rows/columns.ts'
import { fileRow } from '../../ports/rows/file.ts'
import type { FileRow, FileTables } from '../../ports.ts'
import type { Scope, Sql } from '../engine/db.ts'
import { hasRow, insertion, placesOf, rowOf } from '../engine/rows.ts'
import { jobColumns, toJobs } from '../jobs/jobRows.ts'

const stored = rowOf(fileRow)
const { columns } = stored
const kept = rowOf({ id: z.string(), bytes: z.number(), isUsed: flag })
const summed = rowOf({ bytes: z.coerce.number() })
const named = rowOf({ id: z.string() })
const idsOf = (rows: Record<string, unknown>[]) => named.all(rows).map(it => it.id)

const used = 'exists (select 1 from file_use u where u.file_id = file.id)'
const ofOwner = `select id, bytes, case when ${used} then 1 else 0 end as is_used from file
  where owner = $1 and job_id is null order by seq {LOCK}`
/** The same file of a job is found by its job, because a provider has many files of jobs. */
const again = (ofJob: string) => `update file set expires_at = {NOW} + $4
  where seq = (select max(seq) from file where owner = $1 and sha256 = $2 and name = $3 and ${ofJob}) returning ${columns}`
const [againOfOwner, againOfJob] = [again('job_id is null'), again('job_id = $5')]
const remove = `delete from file where id = $1 and not ${used} returning id`
const ofOwnerBefore = `select ${columns} from file where owner = $1 and job_id is null and seq < coalesce($2, seq + 1)
  order by seq desc limit $3`
const ofUse = `select ${columns} from file where id in (select file_id from file_use where job_id = $1 and role = $2) order by seq`
const due = `select id, bytes, 0 as is_used from file where expires_at < {NOW} + $2 and not ${used}
  order by expires_at limit $1 {SKIP}`
const known = (ids: string) => `select id from file where id in (${ids}) union all select id from file_part where id in (${ids})`
const allBytes = `select (select coalesce(sum(bytes), 0) from file) + (select coalesce(sum(bytes), 0) from file_part) as bytes`
/** Jobs in which somebody may have the same file. The newest decide, because older ones have ended. */
const jobsAtOnce = 50
const toRead = `select ${jobColumns} from job where id in (select job_id from file_use where file_id = $1 and role = 'input')
  and agent_id in (select id from agent where owner = $2 or key = $3) order by seq desc limit ${jobsAtOnce}`
const bought = `select ${jobColumns} from job where id in (select job_id from file_use where file_id = $1 and role = 'deliverable')
  and "user" = $2 order by seq desc limit ${jobsAtOnce}`

/** Files and the jobs that refer to them. Their bytes are in the vault. */
export const fileTable = ({ read, run, write }: Scope): FileTables => ({
  addFile: (file, keepMs) =>
    write(async ({ sql }) => {
      const { owner, sha256, name, jobId } = file
      const same = [owner, sha256, name, keepMs]
      const before = stored.one(jobId === undefined ? await sql(againOfOwner, same) : await sql(againOfJob, [...same, jobId]))
      if (before) return { file: before, removed: [] }
      const removed = jobId === undefined ? makeRoom(kept.all(await sql(ofOwner, [owner])), file.bytes) : []
      if (!removed) return undefined
      for (const id of removed) await sql(remove, [id])
      return { file: await insert(sql, file, keepMs), removed }
    }),
  file: async id => stored.one(await read(`select ${columns} from file where id = $1`, [id])),
  files: async ({ owner, before, limit }) => stored.all(await read(ofOwnerBefore, [owner, before, limit])),
  knownFiles: async ids => new Set(idsOf(await read(known(placesOf(ids) || 'null'), ids))),
  filesForJob: async jobId => stored.all(await read(`select ${columns} from file where job_id = $1 order by seq`, [jobId])),
  filesOfJob: async (jobId, role) => stored.all(await read(ofUse, [jobId, role])),
  jobsOfFile: async (id, { wallet, agentKey }) => [
    ...toJobs(await read(toRead, [id, wallet, agentKey])).map(job => ({ role: 'input' as const, job })),
    ...(wallet === undefined ? [] : toJobs(await read(bought, [id, wallet]))).map(job => ({ role: 'deliverable' as const, job })),
  ],
  useFiles: (jobId, role, ids) =>
    write(async ({ sql }) => {
      for (const id of ids) {
        if ((await sql('select id from file where id = $1 {LOCK}', [id])).length === 0) return false
        const [text, params] = insertion('file_use', { fileId: id, jobId, role })
        await sql(`${text} on conflict do nothing`, params)
      }
      return true
    }),
  usedFiles: async ids =>
    new Set(
      idsOf(await read(`select distinct file_id as id from file_use where file_id in (${placesOf(ids) || 'null'})`, [...ids])),
    ),
  removeFile: id => hasRow(run(remove, [id])),
  expireFiles: ({ limit, aheadMs = 0, bytes = Infinity }) =>
    write(async ({ sql }) => {
      const removed: string[] = []
      let freed = 0
      for (const it of kept.all(await sql(due, [limit, aheadMs]))) {
        if (freed >= bytes) break
        const ids = idsOf(await sql(remove, [it.id]))
        removed.push(...ids)
        freed += ids.length * it.bytes
      }
      return removed
    }),
  bytesOfFiles: async () => summed.one(await read(allBytes))?.bytes ?? 0,
})

type NewFile = Parameters<FileTables['addFile']>[0]

const added = `insert into file (id, owner, job_id, sha256, bytes, media_type, declared_type, name, sealed, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, {NOW}, {NOW} + $10) returning ${columns}`

const insert = async (sql: Sql, file: NewFile, keepMs: number): Promise<FileRow> => {
  const { id, owner, jobId, sha256, bytes, mediaType, declaredType, name, sealed } = file
  const of = [id, owner, jobId, sha256, bytes, mediaType, declaredType, name, sealed]
  return stored.parse((await sql(added, [...of, keepMs]))[0] ?? {})
}
