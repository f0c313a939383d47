import { tooLarge } from '../../domain/files/fileQuota.ts'
import { limits } from '../../domain/limits.ts'
import { StorageFull } from '../../domain/problem.ts'
import type { Deps } from '../operation.ts'

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
