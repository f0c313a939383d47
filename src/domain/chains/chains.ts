import { z } from 'zod'

/** The supported chains (specification, Chain ids). A missing chain_id means 97, never a production chain. */
export const chainNames = {
  97: 'BSC testnet',
  84532: 'Base Sepolia',
  1952: 'X Layer testnet',
  56: 'BSC mainnet',
  8453: 'Base mainnet',
} as const

const names: Readonly<Record<number, string>> = chainNames

export const toChainName = (id: number): string => names[id] ?? `chain ${id}`

export const defaultChainId = 97

const productionChains: readonly number[] = [56, 8453]

/** Chains with real money (specification, Chain ids). */
export const isProduction = (id: number): boolean => productionChains.includes(id)

/** A chain id that may be absent, where money may move: never a chain with real money. */
export const chainId = z
  .number()
  .int()
  .default(defaultChainId)
  .describe('Chain id; when absent 97, or else the first test chain that is served')

const readableChain = 'Chain id; when absent 97, or else the first test chain, or else the first chain that is served'
/** A chain id that may be absent, where nothing is paid without another yes. */
export const anyChainId = z.number().int().default(defaultChainId).describe(readableChain)
/** The same in a query string, which is text. */
export const chainOfQuery = z.coerce.number().int().default(defaultChainId).describe(readableChain)

/** The test chain that an absent chain id means: 97, or else the first one; undefined where only real money is served. */
export const toTestChain = (served: readonly number[]): number | undefined =>
  served.includes(defaultChainId) ? defaultChainId : served.find(it => !isProduction(it))

/** The chain of a read or a proposal that names no chain. */
export const toPreselectedChain = (served: readonly number[]): number => toTestChain(served) ?? served[0] ?? defaultChainId

/** CAIP-2 name of a chain, as payment records carry it. */
export const toCaip2 = (id: number) => `eip155:${id}`

/** Whether agents must authenticate on a chain: on every chain with real money. */
export const isStrictChain = (id: number | undefined): boolean => id !== undefined && isProduction(id)
