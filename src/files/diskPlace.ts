import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createDrafts, namesIn, olderThan, ownerOnly } from './drafts.ts'
import { type Place, toKey } from './place.ts'

const readBytes = 256 * 1_024
const page = 500

/** Keeps bytes in a folder of this machine, as `ab/cdef…`. A draft becomes a file by one rename, after it is on the disk. */
export const createDiskPlace = (folder: string): Place => {
  const drafts = createDrafts(join(folder, 'drafts'))
  const pathOf = (id: string) => join(folder, toKey(id))
  return {
    async write(id, bytes) {
      const path = pathOf(id)
      const draft = await drafts.write(id, bytes)
      try {
        await mkdir(dirname(path), { recursive: true, mode: ownerOnly.folder })
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      await flushFolder(dirname(path))
    },
    async *read(id, { start, end }) {
      if (end <= start) return
      const file = await open(pathOf(id))
      try {
        const buffer = Buffer.allocUnsafeSlow(Math.min(readBytes, end - start))
        for (let at = start; at < end; ) {
          const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - at), at)
          if (bytesRead === 0) return
          yield buffer.subarray(0, bytesRead)
          at += bytesRead
        }
      } finally {
        await file.close()
      }
    },
    remove: id => rm(pathOf(id), { force: true }),
    async *idsBefore(time) {
      for (const half of await namesIn(folder)) {
        if (!/^[0-9a-f]{2}$/.test(half)) continue
        const names = await olderThan(join(folder, half), time)
        for (let at = 0; at < names.length; at += page) yield names.slice(at, at + page).map(name => `file_${half}${name}`)
      }
    },
    removeDrafts: drafts.removeBefore,
    isOnDisk: true,
    freeBytes: drafts.freeBytes,
    check: async () => undefined,
  }
}

/** Makes a rename last through a power failure. */
const flushFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
