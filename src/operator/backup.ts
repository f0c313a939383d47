import { chmod, copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import type { Config } from '../config.ts'
import { ensurePrivateFolder, isThere } from '../process/folder.ts'
import { lockFile } from '../store/engine/fileLock.ts'

type Place = Pick<Config, 'dataDir' | 'databaseUrl' | 'masterKey'>

const database = 'market.db'
const key = 'master.key'
const ownerOnly = 0o600

const refusePostgres = (databaseUrl: string | undefined, words: string) => {
  if (databaseUrl) throw new Error(`DATABASE_URL names a PostgreSQL server: ${words} Keep MASTER_KEY or ${key} as well.`)
}

/**
 * Copies the database and the master key, also while the service runs. The embedded chain is replayed from the database, and the
 * search index is rebuilt from it.
 * @returns the names of the files
 * @throws Error when the folder has a backup already, or when the database is a PostgreSQL server
 */
export const backUp = async ({ dataDir, databaseUrl, masterKey }: Place, folder: string): Promise<string[]> => {
  refusePostgres(databaseUrl, 'back it up with pg_dump --format=custom.')
  if (await isThere(join(folder, database))) throw new Error(`${folder} has a backup already. Name another folder.`)
  if (!(await isThere(join(dataDir, database)))) throw new Error(`There is no database in ${dataDir}.`)
  await ensurePrivateFolder(folder)
  const source = new DatabaseSync(join(dataDir, database), { readOnly: true })
  const part = join(folder, `${database}.part`)
  try {
    await copyDatabase(source, part)
  } finally {
    source.close()
  }
  await chmod(part, ownerOnly)
  const names = masterKey === undefined ? [key, database] : [database]
  if (masterKey === undefined) await copyFile(join(dataDir, key), join(folder, key))
  // The database comes last: a folder with it is a whole backup.
  await rename(part, join(folder, database))
  return names
}

/**
 * Puts a backup into an empty DATA_DIR.
 * @throws Error when DATA_DIR has a database or a chain, or when the folder has no whole backup
 */
export const restore = async ({ dataDir, databaseUrl, masterKey }: Place, folder: string): Promise<string[]> => {
  refusePostgres(databaseUrl, 'restore it with pg_restore.')
  if (!(await isThere(join(folder, database)))) throw new Error(`${folder} has no whole backup.`)
  for (const name of [database, 'chain', key])
    if (await isThere(join(dataDir, name))) throw new Error(`${dataDir} is not empty: it has ${name}. Name another DATA_DIR.`)
  await ensurePrivateFolder(dataDir)
  const lock = lockFile(join(dataDir, database))
  try {
    const names = masterKey === undefined ? [key, database] : [database]
    for (const name of names) {
      await copyFile(join(folder, name), join(dataDir, name))
      await chmod(join(dataDir, name), ownerOnly)
    }
    return names
  } catch (error) {
    await rm(join(dataDir, database), { force: true })
    throw error
  } finally {
    lock.release()
  }
}
