import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { partRow, uploadRow } from '../../ports/rows/file.ts'
import type { UploadTables } from '../../ports.ts'
import type { Scope, Sql } from '../engine/db.ts'
import { insertion, rowOf } from '../engine/rows.ts'

const stored = rowOf(uploadRow)
const part = rowOf(partRow)
const named = rowOf({ id: z.string() })
const summed = rowOf({ count: z.coerce.number(), bytes: z.coerce.number() })

const begun = `select count(*) as count, coalesce(sum(bytes), 0) as bytes from file_upload where owner = $1 and file_id is null`
const add = `insert into file_upload (id, owner, job_id, name, declared_type, bytes, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, {NOW}, {NOW} + $7)`
const partsOf = `select ${part.columns} from file_part where upload_id = $1 order by start`
const prolong = `update file_upload
  set expires_at = case when created_at + $3 < {NOW} + $2 then created_at + $3 else {NOW} + $2 end
  where id = $1 and file_id is null returning id`
const hasParts = 'exists (select 1 from file_part where upload_id = file_upload.id)'
const due = `select id from file_upload where expires_at < {NOW} + $2 and ($2 = 0 or ${hasParts}) order by expires_at limit $1 {SKIP}`
const end = 'select coalesce(max(start + bytes), 0) as bytes, count(*) as count from file_part where upload_id = $1'

/** Uploads that come in parts. The bytes of the parts are in the vault. */
export const uploadTable = ({ read, write }: Scope): UploadTables => ({
  addUpload: ({ id, owner, jobId, name, declaredType, bytes }, keepMs) =>
    write(async ({ sql }) => {
      const before = summed.parse((await sql(begun, [owner]))[0] ?? {})
      if (before.count >= limits.fileUploadsOfUser || before.bytes + bytes > limits.fileBytesOfUser) return false
      await sql(add, [id, owner, jobId, name, declaredType, bytes, keepMs])
      return true
    }),
  upload: async id => {
    const upload = stored.one(await read(`select ${stored.columns} from file_upload where id = $1`, [id]))
    return upload && { upload, parts: part.all(await read(partsOf, [id])) }
  },
  addPart: (next, keepMs) =>
    write(async ({ sql }) => {
      // The update locks the upload, so that of two parts with the same start one comes first.
      if ((await sql(prolong, [next.uploadId, keepMs, limits.fileKeepMs])).length === 0) return false
      const { bytes, count } = summed.parse((await sql(end, [next.uploadId]))[0] ?? {})
      if (bytes !== next.start || count >= limits.filePartsOfUpload) return false
      await sql(...insertion('file_part', next))
      return true
    }),
  endUpload: (id, fileId) => write(({ sql }) => endWith(sql, id, fileId)),
  expireUploads: ({ limit, aheadMs = 0 }) =>
    write(async ({ sql }) => {
      const ended = named.all(await sql(due, [limit, aheadMs]))
      const parts: string[] = []
      for (const { id } of ended) parts.push(...(await endWith(sql, id, undefined)))
      return { ended: ended.length, parts }
    }),
})

const endWith = async (sql: Sql, id: string, fileId: string | undefined): Promise<string[]> => {
  const parts = named.all(await sql('delete from file_part where upload_id = $1 returning id', [id]))
  if (fileId === undefined) await sql('delete from file_upload where id = $1', [id])
  else await sql('update file_upload set file_id = $2 where id = $1', [id, fileId])
  return parts.map(it => it.id)
}
