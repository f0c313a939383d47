import type { Address } from '../domain/hex.ts'
import type { Atomic } from '../domain/money/money.ts'
import type { TradeAsset } from '../domain/tokens/agentToken.ts'
import type { Intent } from './rows.ts'

/** What a custodial wallet holds: USDC, wrapped coin, coin, or the agent token at an address. */
export type HeldAsset = TradeAsset | Address

/** A withdrawal from a custodial wallet. It always goes to the owner's own wallet. */
export type Withdrawal = {
  id: string
  user: Address
  chainId: number
  asset: HeldAsset
  /** Decimals of the asset, in which the amount is given. */
  decimals: number
  /** The custodial wallet: the user's own, or that of one of their agents. */
  wallet: Address
  amount: Atomic
  createdAt: number
}

/** A withdrawal with the state of its transaction. */
export type FollowedWithdrawal = Withdrawal & Pick<Intent, 'state' | 'hash'>

export type WithdrawalTables = {
  /** Inserts only the withdrawal. Its intent `withdraw:<id>` must be added in the same transaction. */
  addWithdrawal(withdrawal: Omit<Withdrawal, 'createdAt'>): Promise<Withdrawal>
  withdrawal(id: string): Promise<FollowedWithdrawal | undefined>
  /** Newest first. */
  withdrawals(filter: { user: Address; limit: number }): Promise<FollowedWithdrawal[]>
  /**
   * Withdrawals of a wallet: those under way, those of the last 24 hours, and the amount of an asset that its hires,
   * purchases and trades have committed. It takes a lock until the transaction ends.
   */
  lockWithdrawals(
    wallet: Address,
    of: { chainId: number; asset: HeldAsset },
  ): Promise<{ underWay: number; today: number; committed: Atomic }>
}
