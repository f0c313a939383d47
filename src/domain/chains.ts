import { z } from 'zod'

/** The supported chains (specification, Chain ids). A missing chain_id means 97, never a production chain. */
export const chainNames = {
  97: 'BSC testnet',
  84532: 'Base Sepolia',
  1952: 'X Layer testnet',
  56: 'BSC mainnet',
  8453: 'Base mainnet',
} as const

export const defaultChainId = 97

const productionChains: readonly number[] = [56, 8453]

/** Chains with real money (specification, Chain ids). */
export const isProduction = (id: number): boolean => productionChains.includes(id)

export const chainId = z.number().int().default(defaultChainId).describe('Chain id; 97 when absent')

/** CAIP-2 name of a chain, as payment records carry it. */
export const toCaip2 = (id: number) => `eip155:${id}`

/** Whether agents must authenticate on a chain: on every chain with real money. */
export const isStrictChain = (id: number | undefined): boolean => id !== undefined && isProduction(id)
