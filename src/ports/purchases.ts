import type { Address, Hex } from '../domain/hex.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Atomic } from '../domain/money/money.ts'
import type { BodyEnd } from '../domain/x402/paidAnswer.ts'
import type { PaidRequest } from '../domain/x402/purchase.ts'

/**
 * States of a purchase. `paying`: the user consented, and an authorization may be used. `paid`: the token has moved the money.
 * `unpaid`: the authorization expired unused, so nothing was charged.
 */
export type PurchaseState = 'proposed' | 'declined' | 'paying' | 'paid' | 'unpaid'

/**
 * An x402 resource that a user buys from the custodial wallet. Its id is also that of its run. The run starts with the yes,
 * unless the butler proposed the purchase.
 */
export type Purchase = PaidRequest & {
  id: string
  user: Address
  /** The custodial wallet that pays. */
  wallet: Address
  chainId: number
  asset: Address
  payTo: Address
  /** The price; in the scheme `upto` the most that the seller may take. */
  amount: Atomic
  /** In the scheme `upto` what the seller took, as the chain shows it; undefined until then. */
  taken: Atomic | undefined
  timeoutS: number
  /** The x402 version, and the seller's requirement and resource as they are sent back to the seller. */
  version: 1 | 2
  requirement: JsonObject
  resource: JsonObject | undefined
  /** The seller's extensions, which are sent back with the payment. */
  extensions: JsonObject | undefined
  description: string
  /** What the user was told of a resource that a catalogue lists; empty for another one. */
  outside: string
  digest: string
  /** The butler proposed it in a conversation, so its run is that of the user's message. */
  isByButler: boolean
  state: PurchaseState
  mandateId: string | undefined
  /** Nonce and expiry (epoch s) of its only authorization. Both are stored before it is signed. */
  nonce: Hex | undefined
  validBefore: number | undefined
  /** The seller's answer to the paid request; undefined until an answer is final. */
  status: number | undefined
  contentType: string | undefined
  content: string | undefined
  /** Bytes of the answer that arrived, how it ended, and its stored parts (0 if `content` is all of it, or after their time). */
  answerBytes: number | undefined
  answerEnding: BodyEnd | undefined
  answerParts: number
  /** Status of an answer that ended early. It counts when no other answer follows. */
  partialStatus: number | undefined
  hash: Hex | undefined
  reason: string
  /** The number of checks since the last change, and the time of the next one (epoch ms). */
  tries: number
  dueAt: number | undefined
  createdAt: number
  agreedAt: number | undefined
}

/** How much a wallet lets Permit2 move for a purchase. */
export type PermittedPurchase = Pick<Purchase, 'state' | 'amount'>

/** What other parts read about purchases. Absent in a service that buys nothing by x402. */
export type PurchaseReads = {
  /** A user's purchases with an approval of Permit2 whose payment has not expired at a time (epoch ms). */
  permittedPurchases(of: { user: Address; chainId: number; at: number }): Promise<PermittedPurchase[]>
  purchase(id: string): Promise<Purchase | undefined>
  /** Purchases of a conversation that the user consented to, newest first. */
  purchasesOfConversation(conversationId: string, user: Address, limit: number): Promise<Purchase[]>
  /** Newest first. */
  purchases(filter: { user: Address; limit: number }): Promise<Purchase[]>
}
