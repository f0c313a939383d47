import { chmodSync, closeSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Only the owner of the process may read the database: it contains sealed keys and private conversations. */
const ownerOnly = 0o600
const ownerOnlyFolder = 0o700

/**
 * Creates the file and its folder, readable only by their owner, if they do not exist.
 * @returns the real path, with links resolved
 */
export const ensurePrivateFile = (path: string): string => {
  mkdirSync(dirname(path), { recursive: true, mode: ownerOnlyFolder })
  try {
    // An existing file is never opened, because closing it would drop the locks that this process holds on it (POSIX fcntl).
    closeSync(openSync(path, 'wx', ownerOnly))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    chmodSync(path, ownerOnly)
  }
  return realpathSync(path)
}

/**
 * Locks a database file against other processes until released. The lock is an operating system lock on a second, empty
 * database beside the file, so it ends with the process even after a crash.
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
