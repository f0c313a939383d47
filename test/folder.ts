import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
/** The free space required in /dev/shm. A run needs less than a tenth of it; containers often have only 64 MB. */
const enoughBytes = 2 * 1024 ** 3

const hasRoom = () => {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= enoughBytes
  } catch {
    return false // a system without one
  }
}

const compiled = new URL('../node_modules/.cache/programs', import.meta.url).pathname
const folder = mkdtempSync(join(hasRoom() ? memory : tmpdir(), 'marketplace-'))

/**
 * Creates one folder for all files of a run and deletes it afterwards. It is in memory (/dev/shm) if possible, because the
 * product waits for the disk at every commit. No test checks what survives a power failure.
 */
export const setup = () => {
  // Workers and child processes inherit these variables. Loading code is half of their start time, so compiled code is cached
  // between runs.
  process.env.TMPDIR = folder
  process.env.NODE_COMPILE_CACHE ??= compiled
}
export const teardown = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
