import { join } from 'node:path'
import { startEmbeddedChain } from './chain/embedded/embeddedChain.ts'
import type { ChainChoice } from './chain/public/chainConfigs.ts'
import { claimChain, openPublicChain } from './chain/public/publicChain.ts'
import type { Custody } from './chain/signing/wallets.ts'
import type { Config } from './config.ts'
import { defaultChainId } from './domain/chains/chains.ts'
import type { Chain, Store } from './ports.ts'
import { takeAlone } from './store/engine/exclusive.ts'

export type Served = { chain: Chain; blockTimeMs: number }

/** The chains of one process. Refused ones are probed again, because the operator may have fixed the cause. */
export type ServedChains = {
  /** The reason for each configured chain that is not served, in a plain sentence. */
  refused: ReadonlyMap<number, string>
  /** Probes every chain that is not served yet. The returned chains are served from now on. */
  admit(): Promise<Served[]>
  stop(): Promise<void>
}

/** `name` of this process on a PostgreSQL server. */
type Deps = { config: Config; store: Store; wallets: Custody; name: string; onMined(): void }

/**
 * Opens the configured public chains, otherwise the embedded one. Test money and real money are never served together.
 * @throws Error when the embedded chain cannot run with this configuration
 */
export const openChains = async (deps: Deps): Promise<ServedChains> =>
  deps.config.chains.length > 0 ? openPublicChains(deps) : openEmbeddedChain(deps)

const openEmbeddedChain = async ({ config, store, wallets, name, onMined }: Deps): Promise<ServedChains> => {
  if (!(await claimChain(store, defaultChainId, 'embedded')))
    throw new Error(
      `This database belongs to a public chain ${defaultChainId}: name it by RPC_URL_${defaultChainId}, or use another database.`,
    )
  const { feeBps, anvil, spending, databaseUrl: url } = config
  const lost = Promise.withResolvers<void>()
  const leave = url ? await takeEmbedded({ url, name, onLost: lost.resolve }) : async () => undefined
  const dir = join(config.dataDir, 'chain')
  const { chain, stop } = await startEmbeddedChain({ dir, store, wallets, feeBps, anvil, spending, onMined }).catch(
    async (error: unknown) => {
      await leave()
      throw error
    },
  )
  // Another process has the chain of this database now, so this one must not mine any more.
  void lost.promise.then(stop)
  let waiting = [{ chain, blockTimeMs: 0 }]
  const admit = async () => {
    const admitted = waiting
    waiting = []
    return admitted
  }
  const stopAll = async () => {
    await stop()
    await leave()
  }
  return { refused: new Map(), admit, stop: stopAll }
}

/** Two embedded chains would send the transactions of one database on two chains. */
const takeEmbedded = (at: { url: string; name: string; onLost(): void }) =>
  takeAlone({ ...at, key: defaultChainId }).catch((error: unknown) => {
    const cause = error instanceof Error ? error.message : String(error)
    throw new Error(
      'The embedded chain of this PostgreSQL database is in use. ' +
        `${cause} Serve its chain with RPC_URL_${defaultChainId} in every process, ` +
        'or give this process a database of its own.',
      { cause: error },
    )
  })

const openPublicChains = ({ config, store, wallets }: Deps): ServedChains => {
  const waiting = new Map(config.chains.map(it => [it.chainId, it]))
  const refused = new Map<number, string>()

  const tryOne = async (choice: ChainChoice): Promise<Served[]> => {
    const opened = await openPublicChain(choice, { store, wallets, spending: config.spending })
    if ('refused' in opened) {
      refused.set(choice.chainId, opened.refused)
      return []
    }
    refused.delete(choice.chainId)
    waiting.delete(choice.chainId)
    return [opened]
  }
  return {
    refused,
    admit: async () => (await Promise.all([...waiting.values()].map(tryOne))).flat(),
    stop: async () => undefined,
  }
}
