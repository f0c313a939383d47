import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { free } from '../domain/files/free.ts'

/** Folders and files of the service that no other account of the machine reads. */
export const ownerOnly = { folder: 0o700, file: 0o600 }

/** A folder of bytes that are on their way to the place where they are kept. */
export type Drafts = {
  /** Writes bytes whole, lasting through a power failure, or not at all, and frees them. @returns the path of the draft */
  write(id: string, bytes: AsyncIterable<Uint8Array>): Promise<string>
  /** Removes drafts that are older than a time (epoch ms): their writers have ended. @returns how many */
  removeBefore(time: number): Promise<number>
  /** Free bytes of the disk of the drafts. */
  freeBytes(): Promise<number>
}

export const createDrafts = (folder: string): Drafts => ({
  async write(id, bytes) {
    const path = join(folder, id)
    await mkdir(folder, { recursive: true, mode: ownerOnly.folder })
    try {
      await writeAll(path, bytes)
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
    return path
  },
  async removeBefore(time) {
    const names = await olderThan(folder, time)
    for (const name of names) await rm(join(folder, name), { force: true })
    return names.length
  },
  async freeBytes() {
    await mkdir(folder, { recursive: true, mode: ownerOnly.folder })
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  },
})

/** Writes each chunk while the next one is received and encrypted. */
const writeAll = async (path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  const file = await open(path, 'wx', ownerOnly.file)
  let writing: Promise<void> | undefined
  try {
    for await (const chunk of bytes) {
      await writing
      writing = file.appendFile(chunk).then(() => free(chunk))
      // Its failure is thrown at the next chunk, or at the end.
      writing.catch(() => undefined)
    }
    await writing
    await file.sync()
  } finally {
    await writing?.catch(() => undefined)
    await file.close()
  }
}

export const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/** The names in a folder of what was last written before a time (epoch ms). */
export const olderThan = async (folder: string, time: number): Promise<string[]> => {
  const names = await namesIn(folder)
  const times = await Promise.all(names.map(it => stat(join(folder, it)).catch(() => undefined)))
  return names.filter((_, at) => (times[at]?.mtimeMs ?? Infinity) < time)
}
