import type { WalletRole } from '../../ports.ts'
import { type GasCeilings, gasCeilings } from '../rpc/gas.ts'

export type ChainPolicy = {
  confirmations: number
  /** Time between two blocks in ms. The node is polled at most twice in that time. */
  blockTimeMs: number
  gas: GasCeilings
  /** Highest fee per gas in wei; undefined has no limit. */
  maxFeePerGasWei: bigint | undefined
  /** Native coin of one top-up of a custodial wallet, in wei. */
  topUpWei: bigint
  /** A transaction that is not mined is broadcast again after this time in ms. */
  resendAfterMs: number
  /** A transaction that is not mined is replaced with higher fees after this time in ms; undefined never replaces. */
  replaceAfterMs: number | undefined
  /** Whether a call is simulated before it is signed, so that one that would revert costs no gas. */
  triesFirst: boolean
}

/** How a hire is paid: with a signed authorization in one transaction (EIP-3009), or with a separate approval first. */
export type HirePath = 'authorization' | 'allowance'

/** The wallet role that sends a registration. */
export type Registrar = Extract<WalletRole, 'treasury' | 'agent'>

/** The embedded chain mines on demand, has no competing forks, and its coin is free. */
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
