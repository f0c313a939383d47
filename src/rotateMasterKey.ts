import { access, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createSealer, readMasterKey, SealError } from './chain/signing/secrets.ts'
import type { Config } from './config.ts'
import { systemClock } from './process/system.ts'
import { resealAll } from './store/access/sealed.ts'
import { openStore } from './store/store.ts'

type Rotation = Pick<Config, 'dataDir' | 'databaseUrl' | 'masterKey'> & {
  /** 64 hex digits, when the master key is not in a file. */
  newMasterKey: string | undefined
}

/**
 * Seals every secret with a new master key. An interrupted run can be repeated, because secrets sealed with the new key are
 * recognised. No service may use the store meanwhile.
 * @returns the number of secrets
 * @throws Error when a service uses the file, or when a key is missing
 * @throws SealError when the old key does not fit
 */
export const rotateMasterKey = async ({ dataDir, databaseUrl, masterKey, newMasterKey }: Rotation): Promise<number> => {
  if ((masterKey === undefined) !== (newMasterKey === undefined))
    throw new Error('NEW_MASTER_KEY belongs to MASTER_KEY: set both, or neither where the key is a file in DATA_DIR.')
  const file = join(dataDir, 'master.key')
  const draft = `${file}.next`
  if (masterKey === undefined)
    await access(file).catch(() => {
      throw new Error(`There is no master key in ${file}.`)
    })
  const store = await openStore({
    ...(databaseUrl ? { url: databaseUrl } : { file: join(dataDir, 'market.db') }),
    clock: systemClock,
  })
  try {
    const before = createSealer(await readMasterKey({ hex: masterKey, file }))
    // The new key must be on disk before any secret is sealed with it.
    const after = createSealer(await readMasterKey({ hex: newMasterKey, file: draft }))
    const count = await resealAll(store.db, (sealed, purpose) => after.seal(openWith([after, before], sealed, purpose), purpose))
    if (masterKey === undefined) await rename(draft, file)
    return count
  } finally {
    await store.close()
  }
}

type Opener = Pick<ReturnType<typeof createSealer>, 'open'>

const openWith = ([first, second]: [Opener, Opener], sealed: string, purpose: string): string => {
  try {
    return first.open(sealed, purpose)
  } catch (error) {
    if (!(error instanceof SealError && error.reason === 'wrong-master-key')) throw error
    return second.open(sealed, purpose)
  }
}
