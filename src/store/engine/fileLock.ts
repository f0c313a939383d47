import { chmodSync, closeSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Only the owner of the process may read what is stored: it holds sealed keys and private conversations. */
const ownerOnly = 0o600
const ownerOnlyFolder = 0o700

/**
 * Makes the file and its folder if there are none, for their owner only.
 * @returns the one real path, whatever links lead to it
 */
export const ensurePrivateFile = (path: string): string => {
  mkdirSync(dirname(path), { recursive: true, mode: ownerOnlyFolder })
  try {
    // Never opens a file that exists: closing it would drop the locks that this process holds on it (POSIX fcntl).
    closeSync(openSync(path, 'wx', ownerOnly))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    chmodSync(path, ownerOnly)
  }
  return realpathSync(path)
}

/**
 * Keeps every other process away from a database file until released. The lock is one of the operating system on a second,
 * empty database beside the file, so that it ends with the process however the process ends.
 */
export const lockFile = (path: string): { release(): void } => {
  const lock = new DatabaseSync(ensurePrivateFile(`${path}.lock`))
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    throw new Error(`The store ${path} is in use: only one process at a time may open it.`, { cause: error })
  }
  return { release: () => lock.close() }
}
