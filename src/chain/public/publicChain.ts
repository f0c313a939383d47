import { BaseError } from 'viem'
import { Problem } from '../../domain/problem.ts'
import type { Chain, Tables } from '../../ports.ts'
import { createEvmChain } from '../evmChain.ts'
import { answered, createNode, type Node } from '../rpc/node.ts'
import type { GateDeps, SpendingLimits } from '../signing/clientGate.ts'
import type { Custody } from '../signing/wallets.ts'
import { type ChainChoice, type ChainSettings, toChainSettings } from './chainConfigs.ts'
import { type ChainFacts, probeChain } from './probe.ts'

export type PublicChainDeps = {
  store: Pick<Tables, 'claimKey' | 'cursor' | 'setCursor'> & GateDeps['store']
  wallets: Custody
  spending?: SpendingLimits | undefined
}

/** A chain that can be served, with the shortest sensible time between two questions; or why it is not, in plain sentences. */
export type Opened = { chain: Chain; blockTimeMs: number } | { refused: string }

/**
 * Opens a chain that somebody else runs, after a probe of all that money depends on. Treasury and evaluator are custodial
 * wallets of this service; the operator fills the treasury with native coin.
 */
export const openPublicChain = async (choice: ChainChoice, deps: PublicChainDeps): Promise<Opened> => {
  try {
    return await open(choice, deps)
  } catch (error) {
    // Short messages only: the long ones carry the node's address, and that may carry a key.
    if (error instanceof Problem) return { refused: error.detail }
    if (error instanceof BaseError) return { refused: `The node behind RPC_URL_${choice.chainId} says: ${error.shortMessage}` }
    throw error
  }
}

const open = async (choice: ChainChoice, { store, wallets, spending }: PublicChainDeps): Promise<Opened> => {
  const settings = toChainSettings(choice)
  const node = createNode(settings)
  const probe = await probeChain(settings, node)
  if ('findings' in probe) return { refused: probe.findings.join(' ') }
  if (!settings.escrow) throw new RangeError('a chain without escrow passed its probe')

  const treasury = await wallets.ensure('treasury', '')
  const { facts } = probe
  if (facts.feeBps > 0 && facts.feeReceiver !== treasury)
    return { refused: `The escrow pays its fee to ${facts.feeReceiver}, not to the treasury of this service, ${treasury}.` }
  const known = await isKnownChain({ settings, node, store })
  if (!known) return { refused: strangerWords(settings.chainId) }

  const { policy, usdc, registry, reputation } = settings
  const evaluator = await wallets.ensure('evaluator', '')
  const chain = createEvmChain({
    ...toParts(facts),
    chainId: settings.chainId,
    rpcUrl: settings.rpcUrl,
    explorer: settings.explorer,
    addresses: { escrow: settings.escrow, usdc: usdc.address, registry, reputation },
    ...{ evaluator, treasury, wallets, store, spending, policy },
    faucet: false,
  })
  await startCursor(chain, store)
  return { chain, blockTimeMs: policy.blockTimeMs }
}

const toParts = ({ usdcDecimals, feeBps, hirePath, registrar }: ChainFacts) => ({ usdcDecimals, feeBps, hirePath, registrar })

const strangerWords = (chainId: number) =>
  `The database holds jobs of another chain ${chainId}, or of another escrow on it; give this one a database of its own.`

type Known = { settings: ChainSettings; node: Node; store: PublicChainDeps['store'] }

/** Job ids and nonces mean one history and one escrow: the first ones that a database saw under a chain id stand. */
const isKnownChain = async ({ settings, node, store }: Known): Promise<boolean> => {
  const { hash } = await answered(node.getBlock({ blockNumber: 0n }))
  return claimChain(store, settings.chainId, `${hash} ${settings.escrow}`)
}

/** Whether the database knows the chain id by this name, or by none so far. */
export const claimChain = async (store: Pick<Tables, 'claimKey'>, chainId: number, name: string): Promise<boolean> => {
  const claimed = await store.claimKey('chain', `${chainId}`, name)
  return claimed === 'claimed' || claimed.requestHash === name
}

/** What happened before the first start concerns nobody here: watching begins at the head. */
const startCursor = async (chain: Chain, store: PublicChainDeps['store']) => {
  if (await store.cursor(chain.chainId)) return
  const { number, hash } = await chain.head()
  await store.setCursor(chain.chainId, { number, hash })
}
