import { BaseError } from 'viem'
import { Problem } from '../../domain/problem.ts'
import type { Chain, Tables } from '../../ports.ts'
import { createEvmChain } from '../evmChain.ts'
import { answered, createNode, type Node } from '../rpc/node.ts'
import type { GateDeps, SpendingLimits } from '../signing/clientGate.ts'
import type { Custody } from '../signing/wallets.ts'
import { type ChainChoice, type ChainSettings, toChainSettings } from './chainConfigs.ts'
import { probeLaunchpad } from './probe/launchpad.ts'
import { readOtherTokens } from './probe/otherTokens.ts'
import { registersFor } from './probe/registry.ts'
import { probeValidation } from './probe/validation.ts'
import { type ChainFacts, probeChain } from './probe.ts'

export type PublicChainDeps = {
  store: Pick<Tables, 'claimKey' | 'cursor' | 'setCursor'> & GateDeps['store']
  wallets: Custody
  spending?: SpendingLimits | undefined
}

/** Either the chain and its block time in ms, or the reason for not serving it. */
export type Opened = { chain: Chain; blockTimeMs: number } | { refused: string }

/**
 * Opens a chain run by others, after a probe of everything that money depends on. Treasury and evaluator are custodial wallets
 * of this service; the operator funds the treasury with native coin.
 */
export const openPublicChain = async (choice: ChainChoice, deps: PublicChainDeps): Promise<Opened> => {
  try {
    return await open(choice, deps)
  } catch (error) {
    // Long messages contain the node's URL, which may contain an API key.
    if (error instanceof Problem) return { refused: error.detail }
    if (error instanceof BaseError)
      return { refused: `The node behind RPC_URL_${choice.chainId} returned an error: ${error.shortMessage}` }
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
  const tokens = await probeLaunchpad(settings, { node, treasury })
  if (tokens && 'finding' in tokens) return { refused: tokens.finding }
  const unfit = await probeValidation(settings, node)
  if (unfit) return { refused: unfit }
  const known = await isKnownChain({ settings, node, store })
  if (!known) return { refused: strangerWords(settings.chainId) }

  const { policy, usdc, registry, reputation, validation } = settings
  const isOurs = facts.registrar === 'treasury' && (await registersFor(node, registry, treasury))
  const evaluator = await wallets.ensure('evaluator', '')
  const chain = createEvmChain({
    ...toParts(facts),
    others: await readOtherTokens(settings, { node, counted: [usdc.address, tokens?.wrappedCoin] }),
    registrar: isOurs ? 'treasury' : 'agent',
    chainId: settings.chainId,
    rpcUrl: settings.rpcUrl,
    explorer: settings.explorer,
    addresses: {
      escrow: settings.escrow,
      usdc: usdc.address,
      registry,
      reputation,
      validation,
      ...(tokens && { launchpad: settings.launchpad, wrappedCoin: tokens.wrappedCoin }),
    },
    evaluator,
    treasury,
    wallets,
    store,
    spending,
    policy,
    faucet: false,
  })
  await startCursor(chain, store)
  return { chain, blockTimeMs: policy.blockTimeMs }
}

const toParts = ({ feeReceiver: _feeReceiver, ...parts }: ChainFacts) => parts

const strangerWords = (chainId: number) =>
  `The database contains jobs of another chain with id ${chainId}, or of another escrow on it. Use a separate database.`

type Known = { settings: ChainSettings; node: Node; store: PublicChainDeps['store'] }

/** Job ids and nonces are valid for one history and one escrow only. A database keeps the first pair it saw for each chain id. */
const isKnownChain = async ({ settings, node, store }: Known): Promise<boolean> => {
  const { hash } = await answered(node.getBlock({ blockNumber: 0n }))
  return claimChain(store, settings.chainId, `${hash} ${settings.escrow}`)
}

/** Claims the chain id for `name`. False when the database has it for another name. */
export const claimChain = async (store: Pick<Tables, 'claimKey'>, chainId: number, name: string): Promise<boolean> => {
  const claimed = await store.claimKey('chain', `${chainId}`, name)
  return claimed === 'claimed' || claimed.requestHash === name
}

/** Events before the first start concern no job of this database, so the cursor starts at the head. */
const startCursor = async (chain: Chain, store: PublicChainDeps['store']) => {
  if (await store.cursor(chain.chainId)) return
  const { number, hash } = await chain.head()
  await store.setCursor(chain.chainId, { number, hash })
}
