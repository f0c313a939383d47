import type { WalletRole } from '../../ports.ts'
import { type GasCeilings, gasCeilings } from '../rpc/gas.ts'

/** How a chain is treated, as far as chains differ in it. */
export type ChainPolicy = {
  /** Blocks that must lie on top of what is believed. */
  confirmations: number
  /** Time between two blocks; nobody asks the node more often than twice in it. */
  blockTimeMs: number
  gas: GasCeilings
  /** The most that is offered for a unit of gas; undefined offers what the chain asks for. */
  maxFeePerGasWei: bigint | undefined
  /** Native coin of one filling of a custodial wallet. */
  topUpWei: bigint
  /** Bytes that were sent and not seen mined are sent again after this time. */
  resendAfterMs: number
  /** What waited for so long is replaced by the same call for a higher fee; undefined where fees move nothing. */
  replaceAfterMs: number | undefined
  /** Whether a call is tried before it is signed, so that one that would fail costs no gas. */
  triesFirst: boolean
}

/** How a hire is paid: with a signed authorization in one transaction (EIP-3009), or with an approval before it. */
export type HirePath = 'authorization' | 'allowance'

/** Whose wallet sends a registration. */
export type Registrar = Extract<WalletRole, 'treasury' | 'agent'>

/** The embedded chain mines when something waits, has no rival history, and its coin costs nothing. */
export const embeddedPolicy: ChainPolicy = {
  confirmations: 0,
  blockTimeMs: 0,
  gas: gasCeilings,
  maxFeePerGasWei: undefined,
  topUpWei: 10n ** 17n,
  resendAfterMs: 1_000,
  replaceAfterMs: undefined,
  triesFirst: false,
}
