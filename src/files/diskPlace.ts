import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Place } from './place.ts'

const ownerOnly = { folder: 0o700, file: 0o600 }
const readAheadBytes = 256 * 1_024
const page = 500

/** Keeps bytes in a folder of this machine, as `ab/cdef…`. A draft becomes a file by one rename, after it is on the disk. */
export const createDiskPlace = (folder: string): Place => {
  const drafts = join(folder, 'drafts')
  const pathOf = (id: string) => {
    const [, digits] = /^file_([0-9a-f]{32})$/.exec(id) ?? []
    if (!digits) throw new RangeError('an id that is no file id')
    return join(folder, digits.slice(0, 2), digits.slice(2))
  }
  return {
    async write(id, bytes) {
      const path = pathOf(id)
      const draft = join(drafts, id)
      await mkdir(drafts, { recursive: true, mode: ownerOnly.folder })
      try {
        await pipeline(
          Readable.from(bytes, { objectMode: true }),
          createWriteStream(draft, { flags: 'wx', mode: ownerOnly.file, flush: true }),
        )
        await mkdir(dirname(path), { recursive: true, mode: ownerOnly.folder })
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      await flushFolder(dirname(path))
    },
    async *read(id, { start, end }) {
      if (end > start) yield* createReadStream(pathOf(id), { start, end: end - 1, highWaterMark: readAheadBytes })
    },
    remove: id => rm(pathOf(id), { force: true }),
    async *idsBefore(time) {
      for (const half of await namesIn(folder)) {
        if (!/^[0-9a-f]{2}$/.test(half)) continue
        const names = await olderThan(join(folder, half), time)
        for (let at = 0; at < names.length; at += page) yield names.slice(at, at + page).map(name => `file_${half}${name}`)
      }
    },
    async removeDrafts(time) {
      const names = await olderThan(drafts, time)
      for (const name of names) await rm(join(drafts, name), { force: true })
      return names.length
    },
    async freeBytes() {
      await mkdir(folder, { recursive: true, mode: ownerOnly.folder })
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
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

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

const olderThan = async (folder: string, time: number): Promise<string[]> => {
  const names = await namesIn(folder)
  const times = await Promise.all(names.map(it => stat(join(folder, it)).catch(() => undefined)))
  return names.filter((_, at) => (times[at]?.mtimeMs ?? Infinity) < time)
}
