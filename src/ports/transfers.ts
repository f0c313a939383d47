import type { Address, Hex } from '../domain/hex.ts'
import type { Atomic } from '../domain/money/money.ts'
import type { Authorization } from '../domain/x402/x402.ts'
import type { Refusal } from '../domain/x402/x402Refusal.ts'
import type { Call } from './rows.ts'

/** Transfers of USDC that their payers signed (EIP-3009). Anyone may send them, and only the named payee gets the money. */
export type AuthorizedTransfers = {
  /** EIP-712 name and version of the token. */
  domain(): Promise<{ name: string; version: string }>
  /** Returns why the token would refuse the transfer now; undefined if it would accept it. */
  refusal(it: Authorization): Promise<Refusal | undefined>
  transfer(it: Authorization): Call
  /** Keccak-256 of a text in UTF-8, which is the nonce of a payment by MPP. */
  hash(text: string): Hex
  /**
   * Returns the transaction that made exactly this transfer, whoever sent it: its receipt names token, payer, payee and amount.
   * Undefined if no transaction made it: the nonce is unused, or the payer withdrew it or used it for another transfer.
   * `unclear`: the nonce is used, and the node does not show for what.
   * @param of.minedIn a transaction that is looked at first
   * @param of.since how far back to search, in epoch ms; only the newest blocks when absent
   * @param of.isUsed the nonce is known to be used. Another node may lag behind the one that said so.
   */
  transferOf(
    it: Pick<Authorization, 'from' | 'to' | 'value' | 'nonce'>,
    of?: { minedIn?: Hex | undefined; since?: number | undefined; isUsed?: boolean },
  ): Promise<Hex | 'unclear' | undefined>
  /**
   * Signs the stored authorization of a purchase that its user consented to. Repeated calls return the same signature.
   * @throws SigningRefused
   */
  signPurchase(id: string): Promise<Authorization>
  /**
   * Whether the nonce of an authorization was used, at a final block: for its transfer, for another one, or to withdraw it.
   * `expired`: it was not used, and no later block can accept it.
   */
  stateOf(it: Pick<Authorization, 'from' | 'nonce' | 'validBefore'>): Promise<'used' | 'open' | 'expired'>
}

/**
 * Transfers of USDC that their payers signed for Permit2. Anyone may send them through the proxy of x402, and only the named
 * payee gets the money. A payer has approved Permit2 before.
 */
export type PermittedTransfers = Pick<AuthorizedTransfers, 'refusal' | 'transfer' | 'signPurchase' | 'transferOf' | 'stateOf'> & {
  /** Lets Permit2 move exactly this amount from the sending wallet. It replaces an earlier approval. */
  approve(amount: Atomic): Call
  /** The proxy of x402, for which the payers sign. */
  spender: Address
  /** The amount that Permit2 may move from a wallet. */
  allowance(of: Address): Promise<Atomic>
  /**
   * Returns the transfers of this amount from the payer to the payee that name no payment, newest first. In the scheme `upto`,
   * those of at most this amount.
   * @param since epoch ms; earlier ones may be among them
   */
  movesSince(it: Pick<Authorization, 'from' | 'to' | 'value'>, since: number): Promise<Move[]>
}

/** A transfer in a transaction, of more than nothing. */
export type Move = { hash: Hex; amount: Atomic }

/**
 * Payments of x402 in the scheme `upto`: their payers signed for Permit2 that the named facilitator may take at most an amount,
 * for the named payee alone. `transferOf` is about a settlement of exactly the given value.
 */
export type UptoTransfers = Pick<
  PermittedTransfers,
  'refusal' | 'signPurchase' | 'transferOf' | 'stateOf' | 'approve' | 'spender' | 'allowance' | 'movesSince'
> & {
  /** The one wallet that settles what is sold here. */
  facilitator: Address
  /** The settlement of a payment before its amount is known. It takes nothing. */
  transfer(it: Authorization): Call
  /** The same settlement, which takes this amount. @throws RangeError above the signed amount */
  take(settlement: Call, amount: Atomic): Call
  /**
   * Returns the transaction that settled a payment, and what it took, as its receipt says. The other answers are those of
   * `transferOf`.
   * @param it.value the most that may be taken
   */
  takenOf(
    it: Pick<Authorization, 'from' | 'to' | 'value' | 'nonce'>,
    of?: Parameters<AuthorizedTransfers['transferOf']>[1],
  ): Promise<Move | 'unclear' | undefined>
}
