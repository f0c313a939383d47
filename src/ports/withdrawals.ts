import type { Address } from '../domain/hex.ts'
import type { Atomic } from '../domain/money.ts'
import type { Intent } from './rows.ts'

/** A withdrawal of USDC from a custodial wallet. It always goes to the owner's own wallet. */
export type Withdrawal = {
  id: string
  user: Address
  chainId: number
  /** Decimals of the chain's USDC, in which the amount is given. */
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
   * Withdrawals of a wallet: those under way, those of the last 24 hours, and the amount committed by its hires and
   * purchases. It takes a
   * lock until the transaction ends.
   */
  lockWithdrawals(wallet: Address, chainId: number): Promise<{ underWay: number; today: number; committed: Atomic }>
}
