import { z } from 'zod'
import { toFileName } from '../../domain/files/fileName.ts'
import { toDeclaredType } from '../../domain/files/mediaType.ts'
import type { Address } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { Upload } from '../../ports.ts'
import type { FileRecord } from '../../records/file.ts'
import type { Deps } from '../operation.ts'
import { readRecordOf } from './fileRecord.ts'
import { makeRoomFor } from './makeRoom.ts'

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
