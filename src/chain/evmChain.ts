import type { Address } from '../domain/hex.ts'
import type { Chain, OtherToken } from '../ports.ts'
import { createChainReads } from './reading/chainReads.ts'
import { createContractSignatures } from './reading/contractSignatures.ts'
import { createLaunchpadReads } from './reading/launchpadReads.ts'
import { createPreflight } from './reading/preflight.ts'
import { createTokenDomain } from './reading/tokenDomain.ts'
import { createTransferReads } from './reading/transferReads.ts'
import { createNode, type Node } from './rpc/node.ts'
import { createTokenBalance, createWalletReads } from './rpc/walletReads.ts'
import { createAllowanceHire } from './signing/allowance.ts'
import { createAuthorizations } from './signing/authorizations.ts'
import { createAuthorizedTransfers } from './signing/authorizedTransfers.ts'
import { createCalls } from './signing/calls.ts'
import { type ClientGate, createClientGate, type GateDeps, type SpendingLimits } from './signing/clientGate.ts'
import { createFeedback } from './signing/feedback.ts'
import { createOwnRegistration } from './signing/ownRegistration.ts'
import { toPermissions } from './signing/permissions.ts'
import { createPermittedTransfers } from './signing/permittedTransfers.ts'
import { type ChainPolicy, embeddedPolicy, type HirePath, type Registrar } from './signing/policy.ts'
import { createPermitSigning, createPurchaseSigning, createUptoSigning } from './signing/purchases.ts'
import { createSending } from './signing/sending.ts'
import { createSignerPolicy } from './signing/signerPolicy.ts'
import { createTokenTrades } from './signing/tokenTrades.ts'
import { hasTransfer, logsOf } from './signing/transferLogs.ts'
import { createUptoTransfers } from './signing/uptoTransfers.ts'
import { createValidations } from './signing/validations.ts'
import type { Custody } from './signing/wallets.ts'
import { createWithdrawing } from './signing/withdrawing.ts'

export type EvmChainOptions = {
  chainId: number
  rpcUrl: string
  explorer?: string
  addresses: Chain['addresses']
  usdcDecimals: number
  /** Tokens besides USDC that owners may take out of their wallets; default: none. */
  others?: readonly OtherToken[]
  feeBps: number
  evaluator: Address
  treasury: Address
  wallets: Pick<Custody, 'holder'>
  store: GateDeps['store']
  /** Spending limits of client wallets; default: `defaultSpending`. */
  spending?: SpendingLimits | undefined
  /** Whether the treasury may mint test USDC to new users. */
  faucet: boolean
  /** Confirmations, gas and fees of the chain; default: those of the embedded chain. */
  policy?: ChainPolicy
  hirePath?: HirePath
  registrar?: Registrar
  /** Whether Permit2 and the proxy of x402 are deployed: the one for the scheme `exact`, and the one for `upto`. */
  takesPermits?: boolean
  takesUpto?: boolean
  /** Whether the escrow can return the unused part of a budget: an older one cannot. */
  returnsUnused?: boolean
  /** Called after each broadcast; the embedded chain then mines. */
  afterBroadcast?: () => void
  /** Awaited before each request to the node of the embedded chain, which may be restarting. */
  ready?: () => Promise<void>
}

/** Builds the Chain port for a node behind JSON-RPC with the given contract addresses. It sends no request yet. */
export const createEvmChain = (options: EvmChainOptions): Chain => {
  const { chainId, addresses, usdcDecimals, feeBps, evaluator, treasury, wallets, faucet, store, spending } = options
  const { policy: treated = embeddedPolicy, hirePath = 'authorization', registrar = 'treasury' } = options
  const { others = [], takesPermits = false, takesUpto = false } = options
  const { gas, topUpWei, maxFeePerGasWei, confirmations, blockTimeMs, replaceAfterMs, resendAfterMs } = treated
  const node = createNode(options)
  const usdcDomain = createTokenDomain(node, addresses.usdc)
  const settling = { node, usdc: addresses.usdc, sender: treasury, policy: treated }
  const policy = createSignerPolicy(
    toPermissions({ addresses, others, evaluator, faucet, hirePath, registrar, takesPermits, takesUpto }),
  )

  const gate = createClientGate({ store, chainId, usdcDecimals, addresses, others, spending })
  const { preflight, isHired } = createPreflight({ node, chainId, addresses })

  return {
    chainId,
    usdcDecimals,
    explorer: options.explorer,
    addresses,
    evaluator,
    treasury,
    feeBps,
    registrar,
    replaceAfterMs,
    resendAfterMs,
    isHired,
    ...(treated.triesFirst && { preflight }),
    spendingRefusal: gate.spendingRefusal,
    ...createCalls({ addresses, gas, faucet, topUpWei, returnsUnused: options.returnsUnused ?? false }),
    ...createFeedback({ addresses, gas }),
    ...(addresses.validation && {
      validations: createValidations({ node, registry: addresses.validation, evaluator, gas }),
    }),
    ...createWithdrawing({ addresses, gas }),
    ...createAuthorizations({ chainId, addresses, evaluator, gas, wallets, gate, usdcDomain }),
    ...createSettling(options, { settling, usdcDomain, gate }),
    ...(hirePath === 'allowance' && createAllowanceHire({ addresses, evaluator, gas })),
    ...(registrar === 'agent' && createOwnRegistration({ registry: addresses.registry, gas })),
    ...createSending({ chainId, node, wallets, policy, gate, maxFeePerGasWei, afterBroadcast: options.afterBroadcast }),
    hasMoved: createMoved(node),
    ...createChainReads({ node, addresses, confirmations, freshMs: blockTimeMs / 2 }),
    ...createTransferReads(node, { usdc: addresses.usdc, others }),
    ...(others.length > 0 && { others: { tokens: others, balance: createTokenBalance(node) } }),
    ...createWalletReads(node),
    ...createContractSignatures(node),
    ...createLaunchpad(node, { chainId, addresses, gas, wallets, gate, usdcDomain, hirePath }),
  }
}

type Settling = {
  settling: Pick<Parameters<typeof createAuthorizedTransfers>[0], 'node' | 'usdc' | 'sender' | 'policy'>
  usdcDomain: ReturnType<typeof createTokenDomain>
  gate: ClientGate
}

const createSettling = (options: EvmChainOptions, { settling, usdcDomain, gate }: Settling) => {
  const { hirePath = 'authorization', takesPermits = false, takesUpto = false } = options
  const signing = { chainId: options.chainId, addresses: options.addresses, wallets: options.wallets, gate }
  const signPurchase = createPurchaseSigning({ ...signing, usdcDomain })
  return {
    ...(hirePath === 'authorization' && {
      authorized: createAuthorizedTransfers({ ...settling, domain: usdcDomain, signPurchase }),
    }),
    ...(takesPermits && { permitted: createPermittedTransfers({ ...settling, signPurchase: createPermitSigning(signing) }) }),
    ...(takesUpto && { upto: createUptoTransfers({ ...settling, signPurchase: createUptoSigning(signing) }) }),
  }
}

const createMoved =
  (node: Node): Chain['hasMoved'] =>
  async (hash, { token, ...moved }) => {
    const logs = await logsOf(node, hash)
    return logs && hasTransfer(logs, token, moved)
  }

type LaunchpadParts = Omit<Parameters<typeof createTokenTrades>[0], 'addresses'> & Pick<Chain, 'addresses'>

const createLaunchpad = (node: Node, { addresses, ...parts }: LaunchpadParts): Pick<Chain, 'launchpad'> => {
  const { launchpad, wrappedCoin } = addresses
  if (!launchpad) return {}
  return {
    launchpad: {
      address: launchpad,
      wrappedCoin,
      ...createLaunchpadReads(node, launchpad),
      ...createTokenTrades({ ...parts, addresses: { ...addresses, launchpad } }),
    },
  }
}
