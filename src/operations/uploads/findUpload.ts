import { toIso } from '../../domain/durations.ts'
import { Problem } from '../../domain/problem.ts'
import type { FileRow, PartRow, UploadRow } from '../../ports.ts'
import type { FileRecord, UploadRecord } from '../../records/file.ts'
import { type LinkParts, linkParts } from '../files/fileLinks.ts'
import { readRecordOf } from '../files/fileRecord.ts'
import { keepUpload } from '../files/keepUpload.ts'
import { findUploadJob } from '../gateway/keepJobFile.ts'
import { type Caller, checkScope, type Deps, userOf } from '../operation.ts'

export { linkParts }

export type Begun = { upload: UploadRow; parts: PartRow[] }

/**
 * Who uploads: a user, or an agent for a job.
 * @throws Problem unauthenticated, insufficient-scope and those of an upload for a job
 */
export const uploaderOf = async (
  deps: Deps,
  { jobId, bytes, link }: { jobId: string | undefined; bytes?: number; link: LinkParts },
  caller: Caller,
): Promise<Pick<FileRow, 'owner' | 'jobId'>> => {
  checkScope({ scope: jobId === undefined ? 'hire' : 'sell', caller: 'anyone' }, caller)
  return jobId === undefined ? { owner: userOf(caller), jobId } : findUploadJob(deps, { jobId, bytes, link }, caller)
}

/**
 * An upload that its uploader goes on with.
 * @throws Problem upload-not-found for everybody else, as if it did not exist
 */
export const findUpload = async (deps: Deps, { id, link }: { id: string; link: LinkParts }, caller: Caller): Promise<Begun> => {
  const found = await deps.store.upload(id)
  if (!found) throw new Problem('upload-not-found')
  const { owner } = await uploaderOf(deps, { jobId: found.upload.jobId, link }, caller)
  if (owner !== found.upload.owner) throw new Problem('upload-not-found')
  return found
}

/** The bytes that are here: all of them once the upload is a file, which has no parts. */
export const offsetOf = ({ upload, parts }: Begun): number =>
  upload.fileId === undefined ? parts.reduce((sum, it) => sum + it.bytes, 0) : upload.bytes

/** The file of an upload whose bytes are all here. It is made now where a process ended before it was. */
export const finish = async (deps: Deps, begun: Begun): Promise<FileRecord | undefined> => {
  const { upload, parts } = begun
  if (upload.fileId !== undefined) {
    const made = await deps.store.file(upload.fileId)
    return made && readRecordOf(deps, made)
  }
  if (offsetOf(begun) < upload.bytes) return undefined
  const { name, owner, declaredType, bytes: length } = upload
  const given = { bytes: join(deps, parts), length, declaredType, name }
  const file = await keepUpload(deps, { upload: given, name, owner, ...(upload.jobId !== undefined && { jobId: upload.jobId }) })
  await deps.files.remove(await deps.store.endUpload(upload.id, file.file_id))
  return file
}

async function* join({ files }: Pick<Deps, 'files'>, parts: readonly PartRow[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield* files.open(part)
}

export const toUploadRecord = (begun: Begun, file: FileRecord | undefined): UploadRecord => {
  const { id, name, bytes, expiresAt } = begun.upload
  return {
    upload_id: id,
    name,
    bytes,
    offset: file ? bytes : offsetOf(begun),
    expires_at: toIso(expiresAt),
    file: file ?? null,
  }
}

/** What programs of the tus protocol (1.0.0) read of an answer about one upload. */
export const tusHeaders = ({ offset, bytes, expires_at }: UploadRecord): Record<string, string> => ({
  'upload-offset': String(offset),
  'upload-length': String(bytes),
  'upload-expires': new Date(expires_at).toUTCString(),
})
