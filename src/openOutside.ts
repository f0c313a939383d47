import { join } from 'node:path'
import type { assemble } from './assemble.ts'
import { createKmsKeys } from './chain/signing/kms/keys.ts'
import { createSealer, keyIdOfSealed, readMasterKey } from './chain/signing/secrets.ts'
import { createWallets } from './chain/signing/wallets.ts'
import type { Config } from './config.ts'
import { createEmbeddings } from './llm/embeddings.ts'
import type { Store, Wakeups } from './ports.ts'
import { openSearch } from './search/search.ts'
import { openChains, type ServedChains } from './servedChains.ts'
import { anySealed } from './store/access/sealed.ts'
import type { MigrationStep } from './store/engine/migrations.ts'
import { openStore } from './store/store.ts'
import type { Options, Outside, Stopping } from './worldOptions.ts'

export type OpenStore = Awaited<ReturnType<typeof openStore>>

type Opening = { tables: ReturnType<typeof assemble>['tables']; wakeups: Wakeups; name: string; whenStopping: Stopping }

/** Opens what outlives the process: the database, the wallets, the chains that can be served, and the index. */
export const openOutside = async (options: Options, { tables, wakeups, name, whenStopping }: Opening) => {
  const { config, clock, log, onMoved, wrap } = options
  const place = config.databaseUrl ? { url: config.databaseUrl, ...config.pooling } : { file: join(config.dataDir, 'market.db') }
  const onMigration = (step: MigrationStep) => {
    const { isDone, ...of } = step
    if (isDone) log.info(of, 'schema migrated')
    else log.warn(of, 'the schema is being migrated; this start goes on when it is done')
    options.onMigration?.(step)
  }
  const opened = await openStore({ ...place, tables, clock, wakeups, name, onMigration, onMoved })
  whenStopping(opened.close)
  const { sealer, wallets } = await openWallets(config, opened)
  const onMined = () => {
    for (const waiting of ['intents', 'blocks'] as const) wakeups.notify(waiting)
  }
  const served = await openChains({ config, store: opened, wallets, name, onMined })
  whenStopping(served.stop)
  const { store, admitted } = await admitWrapped({ served, store: opened, wrap })
  const embeddings = config.embeddings && createEmbeddings(config.embeddings)
  const search = await openSearch({ dir: join(config.dataDir, 'search'), clock, embeddings })
  whenStopping(search.close)
  return { opened, sealer, wallets, served, store, admitted, search }
}

/** The custodial wallets, whose keys are sealed in the store or held by a key service. */
const openWallets = async (config: Config, store: OpenStore) => {
  const sealed = await anySealed(store.db)
  const keyFile = join(config.dataDir, 'master.key')
  const sealedWith = sealed && keyIdOfSealed(sealed)
  const { masterKey: hex, databaseUrl } = config
  const sealer = createSealer(await readMasterKey({ hex, file: keyFile, sealedWith, databaseUrl }))
  const kms = config.kms && createKmsKeys(config.kms)
  return { sealer, wallets: createWallets({ store, sealer, kms }) }
}

type Admission = { served: ServedChains; store: Store; wrap: (outside: Outside) => Outside }

/** Opens the store and the chains that can be served now, and wraps them. */
const admitWrapped = async ({ served, store, wrap }: Admission) => {
  let wrapped = store
  const admitted = (await served.admit()).map(it => {
    const outside = wrap({ store: wrapped, chain: it.chain })
    wrapped = outside.store
    return { ...it, chain: outside.chain }
  })
  return { store: wrapped, admitted }
}
