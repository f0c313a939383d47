import { z } from 'zod'
import { toFileName } from '../../domain/files/fileName.ts'
import { tooLarge } from '../../domain/files/fileQuota.ts'
import { toDeclaredType } from '../../domain/files/mediaType.ts'
import type { Address } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { Problem, StorageFull } from '../../domain/problem.ts'
import type { Upload } from '../../ports.ts'
import type { FileRecord } from '../../records/file.ts'
import type { Deps } from '../operation.ts'
import { readRecordOf } from './fileRecord.ts'

/** A file in the body of a request. It is read as it comes, and never in memory whole. */
export const upload = z.custom<Upload>(it => typeof it === 'object' && it !== null && 'bytes' in it, 'must be a file')

/** @param of.mostBytes the bytes that the file may have, if that is less than any file may */
type Keeping = { upload: Upload; name: string | undefined; owner: Address; jobId?: string; mostBytes?: number }

/**
 * Keeps an uploaded file. First its bytes, then its row: a file without a row is swept, and a row has all its bytes.
 * @throws Problem body-too-large, too-many-kept, storage-full
 */
export const keepUpload = async (deps: Deps, of: Keeping): Promise<FileRecord> => {
  const { files, store, ids } = deps
  const { upload: given, owner, jobId } = of
  const name = toFileName(of.name ?? given.name ?? '')
  const declared = toDeclaredType(given.declaredType)
  await makeRoomFor(given.length ?? 0, deps)
  const id = ids.fresh('file')
  const kept = await files.keep(id, { bytes: given.bytes, declaredType: declared, name })
  const declaredType = declared === kept.mediaType ? undefined : declared
  const added = await store.addFile({ id, owner, jobId, name, declaredType, ...kept }, limits.fileKeepMs)
  if (added?.file.id !== id) await files.remove([id])
  if (!added) throw new Problem('too-many-kept', tooMany)
  await files.remove(added.removed)
  return readRecordOf(deps, added.file)
}

const tooMany =
  `You keep ${limits.filesOfUser} files or ${limits.fileBytesOfUser / 1_024 ** 3} GiB, and jobs refer to the older ones. ` +
  'They go with their jobs.'

/** Files that are removed in one transaction. */
const filesAtOnce = 100
/** The upload to which the last part came first. One goes at a time, because it may have as many bytes as many files. */
const oldest = { limit: 1, aheadMs: limits.fileUploadMs - limits.fileRestMs }

/**
 * Makes room for a file: of those that no job refers to, the ones go that were uploaded or renewed first, and then uploads that
 * nobody goes on with. The newest stay, because somebody is about to name them in a task.
 * @param bytes those that the sender announces; 0 when it announces none
 * @throws Problem body-too-large; StorageFull when too few can go
 */
export const makeRoomFor = async (bytes: number, { files, store }: Pick<Deps, 'files' | 'store'>): Promise<void> => {
  if (bytes > files.mostBytes) throw tooLarge(files.mostBytes)
  const aheadMs = limits.fileKeepMs - limits.fileRestMs
  for (let missing = await files.missingBytes(bytes); missing > 0; missing = await files.missingBytes(bytes)) {
    const expired = await store.expireFiles({ limit: filesAtOnce, aheadMs, bytes: missing })
    const removed = expired.length > 0 ? expired : (await store.expireUploads(oldest)).parts
    if (removed.length === 0) throw new StorageFull('files', new Error('no file can go'))
    await files.remove(removed)
  }
}
