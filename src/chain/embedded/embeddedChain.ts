import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultChainId } from '../../domain/chains/chains.ts'
import { hex } from '../../domain/hex.ts'
import { parseJson } from '../../domain/json.ts'
import type { Chain, Tables } from '../../ports.ts'
import { createEvmChain } from '../evmChain.ts'
import { returnsUnusedIn } from '../public/probe/escrow.ts'
import type { GateDeps, SpendingLimits } from '../signing/clientGate.ts'
import type { Custody } from '../signing/wallets.ts'
import { createAsk } from './devnode/ask.ts'
import { startDevnode } from './devnode.ts'
import {
  checkCode,
  deployMissing,
  type Genesis,
  isSameChain,
  type RecordedGenesis,
  recordedGenesis,
  setUp,
  toGenesis,
  usdcDecimals,
} from './genesis.ts'
import { placeStandins } from './standins.ts'

export type EmbeddedChainOptions = {
  /** Folder of the chain, created when absent. */
  dir: string
  chainId?: number
  store: Pick<Tables, 'journal'> & GateDeps['store']
  wallets: Custody
  /** Fee of the escrow in basis points. It is fixed when the chain is made. */
  feeBps: number
  /** The most that clients may commit; default: generous limits. */
  spending?: SpendingLimits | undefined
  onMined?: () => void
  /** Path of anvil; default: the installed one. */
  anvil?: string | undefined
}

export type EmbeddedChain = {
  chain: Chain
  rpcUrl: string
  pid(): number
  ready(): Promise<void>
  checkpoint(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a chain with test USDC, the escrow, the agent registries and the launchpad of agent tokens. The chain survives
 * restarts of its process and of the service. Rejects without anvil, when another service uses the folder, or when the chain in
 * it belongs to other wallets.
 */
export const startEmbeddedChain = async (options: EmbeddedChainOptions): Promise<EmbeddedChain> => {
  const { dir, store, wallets } = options
  const recorded = await readGenesis(dir)
  const planned = await planGenesis(options, recorded)
  const { chainId, addresses, feeBps, evaluator, treasury } = planned
  const devnode = await startDevnode({
    dir,
    chainId,
    journal: () => store.journal(chainId),
    genesis: ask => setUp(ask, planned, wallets),
    place: placeStandins,
    complete: ask => deployMissing(ask, planned, wallets),
    binary: options.anvil,
    onMined: options.onMined,
  })
  const ask = createAsk(devnode.rpcUrl)
  let returnsUnused: boolean
  try {
    await checkCode(ask, addresses)
    // A folder of an earlier release goes on with its escrow.
    returnsUnused = returnsUnusedIn(hex.parse(await ask('eth_getCode', addresses.escrow, 'latest')))
    // The genesis is recorded after its checkpoint is on disk, so that no record exists without its chain.
    if (!recorded?.addresses.validation) await devnode.checkpoint().then(() => recordGenesis(dir, planned))
  } catch (error) {
    await devnode.stop()
    throw error
  }

  const chain = createEvmChain({
    chainId,
    addresses,
    usdcDecimals,
    feeBps,
    evaluator,
    treasury,
    wallets,
    store,
    spending: options.spending,
    returnsUnused,
    takesUpto: true,
    rpcUrl: devnode.rpcUrl,
    faucet: true,
    afterBroadcast: devnode.poke,
    ready: devnode.ready,
  })
  const { rpcUrl, pid, ready, checkpoint, stop } = devnode
  return { chain, rpcUrl, pid, ready, checkpoint, stop }
}

const planGenesis = async ({ dir, chainId, wallets, feeBps }: EmbeddedChainOptions, recorded: RecordedGenesis | undefined) => {
  const planned = toGenesis({
    chainId: recorded?.chainId ?? chainId ?? defaultChainId,
    feeBps: recorded?.feeBps ?? feeBps,
    deployer: await wallets.ensure('deployer', ''),
    treasury: await wallets.ensure('treasury', ''),
    evaluator: await wallets.ensure('evaluator', ''),
  })
  if (recorded && !isSameChain(recorded, planned))
    throw new Error(`The chain in ${dir} was made with the wallets of another database.`)
  return planned
}

const pathIn = (dir: string) => join(dir, 'genesis.json')

const readGenesis = async (dir: string): Promise<RecordedGenesis | undefined> => {
  const text = await readFile(pathIn(dir), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : recordedGenesis.parse(parseJson(text))
}

const recordGenesis = async (dir: string, of: Genesis) => {
  await mkdir(dir, { recursive: true })
  await writeFile(`${pathIn(dir)}.draft`, JSON.stringify(of, undefined, 2))
  await rename(`${pathIn(dir)}.draft`, pathIn(dir))
}
