import { toIso } from '../../domain/durations.ts'
import type { FileRow } from '../../ports.ts'
import type { FileRecord } from '../../records/file.ts'
import type { Deps } from '../operation.ts'
import { renamed } from '../renamed.ts'

export const toFileRecord = (it: FileRow, isUsed: boolean): FileRecord => ({
  file_id: it.id,
  ...renamed(it, ['name', 'mediaType', 'bytes', 'sha256']),
  ...(it.declaredType !== undefined && { declared_media_type: it.declaredType }),
  ...(it.jobId !== undefined && { job_id: it.jobId }),
  created_at: toIso(it.createdAt),
  expires_at: isUsed ? null : toIso(it.expiresAt),
})

/** A file as its readers see it, with what the store says of its jobs. */
export const readRecordOf = async ({ store }: Pick<Deps, 'store'>, file: FileRow): Promise<FileRecord> =>
  toFileRecord(file, (await store.usedFiles([file.id])).has(file.id))
