import type { Address } from '../domain/hex.ts'
import type { Chain } from '../ports.ts'
import { createAuthorizations } from './authorizations.ts'
import { createCalls } from './calls.ts'
import { type GasCeilings, gasCeilings } from './gas.ts'
import { createLooks } from './looks.ts'
import { createNode } from './node.ts'
import { toPermissions } from './permissions.ts'
import { createSending } from './sending.ts'
import { createSignerPolicy } from './signerPolicy.ts'
import { createTokenDomain } from './tokenDomain.ts'
import type { Custody } from './wallets.ts'

export type EvmChainOptions = {
  chainId: number
  rpcUrl: string
  addresses: Chain['addresses']
  usdcDecimals: number
  feeBps: number
  evaluator: Address
  treasury: Address
  wallets: Pick<Custody, 'holder'>
  /** Whether the treasury may mint test USDC to new users. */
  faucet: boolean
  gas?: GasCeilings
  /** A hint after each broadcast; the embedded chain mines then. */
  afterBroadcast?: () => void
  /** How to reach `rpcUrl`; the embedded chain lets questions wait while it starts again. */
  fetch?: typeof globalThis.fetch
}

/** A chain behind JSON-RPC, with the escrow, token and registry at the given addresses. Does not ask anything yet. */
export const createEvmChain = (options: EvmChainOptions): Chain => {
  const { chainId, addresses, usdcDecimals, feeBps, evaluator, treasury, wallets, faucet, gas = gasCeilings } = options
  const node = createNode(options)
  const usdcDomain = createTokenDomain(node, addresses.usdc)
  const policy = createSignerPolicy(toPermissions({ addresses, faucet }))

  return {
    chainId,
    usdcDecimals,
    addresses,
    evaluator,
    treasury,
    feeBps,
    ...createCalls({ addresses, gas, faucet }),
    ...createAuthorizations({ chainId, addresses, evaluator, gas, wallets, usdcDomain }),
    ...createSending({ chainId, node, wallets, policy, afterBroadcast: options.afterBroadcast }),
    ...createLooks({ node, addresses }),
  }
}
