import { z } from 'zod'
import { type Address, address } from '../domain/hex.ts'
import type { Atomic } from '../domain/money/money.ts'
import type { TradeAsset } from '../domain/tokens/agentToken.ts'
import { maybe, type RowOf } from './rows/columns.ts'
import type { Intent } from './rows.ts'

/** What a custodial wallet holds: USDC, wrapped coin, coin, or the agent token at an address. */
export type HeldAsset = TradeAsset | Address

/** A withdrawal from a custodial wallet: to the owner's own wallet, or to an outside address that the owner had added before. */
export type Withdrawal = {
  id: string
  user: Address
  chainId: number
  asset: HeldAsset
  /** Decimals of the asset, in which the amount is given. */
  decimals: number
  /** The custodial wallet: the user's own, or that of one of their agents. */
  wallet: Address
  /** The owner's own wallet, or an outside address of theirs. */
  to: Address
  amount: Atomic
  createdAt: number
}

export type FollowedWithdrawal = Withdrawal & Pick<Intent, 'state' | 'hash'>

/** An outside address to which an account withdraws. Times are epoch ms. */
export const withdrawalAddressRow = {
  id: z.string(),
  user: address,
  chainId: z.number(),
  address,
  name: z.string(),
  createdAt: z.number(),
  /** Nothing is sent there before. */
  usableAt: z.number(),
  removedAt: maybe(z.number()),
}
export type WithdrawalAddress = RowOf<typeof withdrawalAddressRow>
export type NewWithdrawalAddress = Omit<WithdrawalAddress, 'createdAt' | 'usableAt' | 'removedAt'> & { delayMs: number }

export type OutsideAddress = Pick<WithdrawalAddress, 'user' | 'chainId' | 'address'>

export type WithdrawalAddressTables = {
  /**
   * Adds an address that can be used after its delay. One that was removed and is added again waits anew.
   * @returns `known` when it is there, `full` when `most` others of its user are, removed ones of the last days included
   */
  addWithdrawalAddress(address: NewWithdrawalAddress, most: number): Promise<WithdrawalAddress | 'known' | 'full'>
  /** Of a user, newest first, without removed ones. */
  withdrawalAddresses(user: Address): Promise<WithdrawalAddress[]>
  /** Removes an address; undefined when the user has no such one. */
  removeWithdrawalAddress(id: string, user: Address): Promise<WithdrawalAddress | undefined>
  /** An address that was not removed, and whether its delay is over. It takes a lock until the transaction ends. */
  lockWithdrawalAddress(of: OutsideAddress): Promise<(WithdrawalAddress & { isUsable: boolean }) | undefined>
  /** Whether an address could be used at a time (epoch ms), whether or not it was removed since. */
  wasUsable(of: OutsideAddress, at: number): Promise<boolean>
}

export type WithdrawalTables = WithdrawalAddressTables & {
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
