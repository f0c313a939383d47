import type { Address } from '../domain/hex.ts'
import type { Atomic } from '../domain/money.ts'
import type { Intent } from './rows.ts'

/** USDC that the owner of a custodial wallet takes out: it goes to the owner's own wallet and to no other. */
export type Withdrawal = {
  id: string
  user: Address
  chainId: number
  /** Of the chain's USDC, in which the amount counts. */
  decimals: number
  /** The custodial wallet: of the user, or of an agent of theirs. */
  wallet: Address
  amount: Atomic
  createdAt: number
}

/** A withdrawal and where the transaction of its intent stands. */
export type FollowedWithdrawal = Withdrawal & Pick<Intent, 'state' | 'hash'>

export type WithdrawalTables = {
  /** Inserts it alone: its intent `withdraw:<id>` belongs into the same transaction. */
  addWithdrawal(withdrawal: Omit<Withdrawal, 'createdAt'>): Promise<Withdrawal>
  withdrawal(id: string): Promise<FollowedWithdrawal | undefined>
  /** Newest first. */
  withdrawals(filter: { user: Address; limit: number }): Promise<FollowedWithdrawal[]>
  /**
   * How many of a wallet are on their way and were asked for in the last 24 hours, and what its hires are about to take. Until the
   * transaction ends whoever else asks waits.
   */
  holdWithdrawals(wallet: Address, chainId: number): Promise<{ underWay: number; today: number; committed: Atomic }>
}
