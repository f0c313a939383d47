import { toIso } from '../../domain/durations.ts'
import { maySee } from '../../domain/jobs/job.ts'
import { Problem } from '../../domain/problem.ts'
import type { FileReader, FileRow } from '../../ports.ts'
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

/**
 * A file that somebody may read: its owner, the agent that works on it, and the buyer of what an agent delivered.
 * @throws Problem file-not-found for everybody else, as if it did not exist
 */
export const findFile = async ({ store }: Pick<Deps, 'store'>, id: string, reader: FileReader): Promise<FileRow> => {
  const file = await store.file(id)
  if (file && reader.wallet !== undefined && file.owner === reader.wallet) return file
  const isKnown = reader.wallet !== undefined || reader.agentKey !== undefined
  if (file && isKnown && (await store.jobsOfFile(id, reader)).some(maySee)) return file
  throw new Problem('file-not-found')
}
