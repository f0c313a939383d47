import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
/** A run keeps less than a tenth of this at a time; containers often have 64 MB there. */
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
 * One folder for all that a run writes, taken away after it. Where the machine has a disk in memory it lies there: the product
 * waits for the disk at every commit, and no guarantee that a test gives is about a machine that loses its power.
 */
export const setup = () => {
  // Workers and the programs they start inherit these. Loading a program is half of its start; what one run compiled, the next need not.
  process.env.TMPDIR = folder
  process.env.NODE_COMPILE_CACHE ??= compiled
}
export const teardown = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
