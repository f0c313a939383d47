import type { Address, Hex } from '../domain/hex.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Atomic } from '../domain/money.ts'
import type { PaidRequest } from '../domain/purchase.ts'

/**
 * States of a purchase. `paying`: its user agreed, and an authorization may be used. `paid`: the token has moved the money.
 * `unpaid`: the authorization expired unused, so nothing was charged.
 */
export type PurchaseState = 'proposed' | 'declined' | 'paying' | 'paid' | 'unpaid'

/** A resource of x402 that a user buys from the custodial wallet. Its id is also that of its run, which starts with the yes. */
export type Purchase = PaidRequest & {
  id: string
  user: Address
  /** The custodial wallet that pays. */
  wallet: Address
  chainId: number
  asset: Address
  payTo: Address
  amount: Atomic
  timeoutS: number
  /** Version of x402, the seller's requirement and its resource, as they go back to the seller. */
  version: 1 | 2
  requirement: JsonObject
  resource: JsonObject | undefined
  description: string
  digest: string
  state: PurchaseState
  mandateId: string | undefined
  /** Nonce and end (epoch s) of its only authorization. Both are stored before it is signed. */
  nonce: Hex | undefined
  validBefore: number | undefined
  /** The seller's answer to the paid request; undefined until there is one that is final. */
  status: number | undefined
  contentType: string | undefined
  content: string | undefined
  hash: Hex | undefined
  reason: string
  /** Looks since the last change, and when the next one is due (epoch ms). */
  tries: number
  dueAt: number | undefined
  createdAt: number
  agreedAt: number | undefined
}

export type NewPurchase = Omit<
  Purchase,
  | 'state'
  | 'mandateId'
  | 'nonce'
  | 'validBefore'
  | 'status'
  | 'contentType'
  | 'content'
  | 'hash'
  | 'reason'
  | 'tries'
  | 'dueAt'
  | 'createdAt'
  | 'agreedAt'
>

/** Purchases of users by x402. Functions that decide return the changed row, or undefined when another write came first. */
export type PurchaseTables = {
  /** Inserts unless the id exists, and returns the stored purchase. It deletes the user's old ones that were never agreed to. */
  addPurchase(purchase: NewPurchase): Promise<Purchase>
  purchase(id: string): Promise<Purchase | undefined>
  /** Newest first. */
  purchases(filter: { user: Address; limit: number }): Promise<Purchase[]>
  /** A user's purchases under way, and those of the last 24 hours. It takes a lock until the transaction ends. */
  lockPurchases(user: Address): Promise<{ underWay: number; today: number }>
  /** Records the consent and the only authorization of a proposed purchase. */
  agreePurchase(id: string, of: { nonce: Hex; validBefore: number; mandateId: string | undefined }): Promise<Purchase | undefined>
  declinePurchase(id: string): Promise<Purchase | undefined>
  /** Purchases under way whose next look is due. */
  duePurchases(limit: number): Promise<Purchase[]>
  /** Takes a due purchase for `leaseMs`; undefined when another process has it. */
  leasePurchase(id: string, leaseMs: number): Promise<Purchase | undefined>
  /** Stores the seller's answer to the paid request. The first one is kept. */
  answerPurchase(id: string, of: { status: number; contentType: string; content: string }): Promise<Purchase | undefined>
  /** Sets the next look, with the reason for it. */
  postponePurchase(id: string, of: { inMs: number; reason: string }): Promise<void>
  endPurchase(id: string, of: { state: 'paid' | 'unpaid'; hash: Hex | undefined; reason: string }): Promise<Purchase | undefined>
}
