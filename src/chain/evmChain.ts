import type { Address } from '../domain/hex.ts'
import type { Chain } from '../ports.ts'
import { createLooks } from './reading/looks.ts'
import { createTokenDomain } from './reading/tokenDomain.ts'
import { createTrials } from './reading/trials.ts'
import { createNode } from './rpc/node.ts'
import { createQuestions } from './rpc/questions.ts'
import { createAllowanceHire } from './signing/allowance.ts'
import { createAuthorizations } from './signing/authorizations.ts'
import { createCalls } from './signing/calls.ts'
import { createClientGate, type GateDeps, type SpendingLimits } from './signing/clientGate.ts'
import { createFeedback } from './signing/feedback.ts'
import { createOwnRegistration } from './signing/ownRegistration.ts'
import { toPermissions } from './signing/permissions.ts'
import { type ChainPolicy, embeddedPolicy, type HirePath, type Registrar } from './signing/policy.ts'
import { createSending } from './signing/sending.ts'
import { createSignerPolicy } from './signing/signerPolicy.ts'
import type { Custody } from './signing/wallets.ts'
import { createWithdrawing } from './signing/withdrawing.ts'

export type EvmChainOptions = {
  chainId: number
  rpcUrl: string
  /** Where the public sees its transactions. */
  explorer?: string
  addresses: Chain['addresses']
  usdcDecimals: number
  feeBps: number
  evaluator: Address
  treasury: Address
  wallets: Pick<Custody, 'holder'>
  /** Where a client's yes, its jobs and what it committed are looked up before its wallet signs. */
  store: GateDeps['store']
  /** What clients may commit; generous when absent. */
  spending?: SpendingLimits | undefined
  /** Whether the treasury may mint test USDC to new users. */
  faucet: boolean
  /** How the chain is treated; as the embedded one when absent. */
  policy?: ChainPolicy
  hirePath?: HirePath
  registrar?: Registrar
  /** A hint after each broadcast; the embedded chain mines then. */
  afterBroadcast?: () => void
  /** How to reach `rpcUrl`; the embedded chain lets questions wait while it starts again. */
  fetch?: typeof globalThis.fetch
  /** Questions of one moment go out together. */
  batch?: boolean
}

/** A chain behind JSON-RPC, with the escrow, token and registry at the given addresses. Does not ask anything yet. */
export const createEvmChain = (options: EvmChainOptions): Chain => {
  const { chainId, addresses, usdcDecimals, feeBps, evaluator, treasury, wallets, faucet, store, spending } = options
  const { policy: treated = embeddedPolicy, hirePath = 'authorization', registrar = 'treasury' } = options
  const { gas, topUpWei, maxFeePerGasWei, confirmations, replaceAfterMs, resendAfterMs } = treated
  const node = createNode(options)
  const usdcDomain = createTokenDomain(node, addresses.usdc)
  const policy = createSignerPolicy(toPermissions({ addresses, faucet, hirePath, registrar }))

  const gate = createClientGate({ store, chainId, usdcDecimals, addresses, spending })
  const { preflight, isHired } = createTrials({ node, chainId, addresses })

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
    ...createCalls({ addresses, gas, faucet, topUpWei }),
    ...createFeedback({ addresses, gas }),
    ...createWithdrawing({ usdc: addresses.usdc, gas }),
    ...createAuthorizations({ chainId, addresses, evaluator, gas, wallets, gate, usdcDomain }),
    ...(hirePath === 'allowance' && createAllowanceHire({ addresses, evaluator, gas })),
    ...(registrar === 'agent' && createOwnRegistration({ registry: addresses.registry, gas })),
    ...createSending({ chainId, node, wallets, policy, gate, maxFeePerGasWei, afterBroadcast: options.afterBroadcast }),
    ...createLooks({ node, addresses, confirmations }),
    ...createQuestions(node),
  }
}
