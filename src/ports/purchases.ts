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
 * An x402 resource that a user buys from the custodial wallet. Its id is also that of its run. The run starts with the yes, unless
 * the butler proposed the purchase.
 */
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
  /** The x402 version, and the seller's requirement and resource as they are sent back to the seller. */
  version: 1 | 2
  requirement: JsonObject
  resource: JsonObject | undefined
  /** The seller's extensions, which are sent back with the payment. */
  extensions: JsonObject | undefined
  description: string
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

export type NewPurchase = Omit<
  Purchase,
  | 'state'
  | 'mandateId'
  | 'nonce'
  | 'validBefore'
  | 'status'
  | 'contentType'
  | 'content'
  | 'answerBytes'
  | 'answerEnding'
  | 'answerParts'
  | 'partialStatus'
  | 'hash'
  | 'reason'
  | 'tries'
  | 'dueAt'
  | 'createdAt'
  | 'agreedAt'
>

/** What is stored of a seller's answer. `content` is what people read of it. */
export type SellerAnswer = {
  status: number
  contentType: string
  content: string
  bytes: number
  ending: BodyEnd
  parts: number
}

/**
 * Purchases of users by x402. Functions that change a state return the changed row, or undefined when another write came first.
 */
export type PurchaseTables = {
  /**
   * Inserts unless the id exists, and returns the stored purchase. A new proposal of the butler replaces the one of the same run
   * that has no consent. Deletes the user's old purchases without consent.
   */
  addPurchase(purchase: NewPurchase): Promise<Purchase>
  purchase(id: string): Promise<Purchase | undefined>
  /** Purchases of a conversation that the user consented to, newest first. */
  purchasesOfConversation(conversationId: string, user: Address, limit: number): Promise<Purchase[]>
  /** Newest first. */
  purchases(filter: { user: Address; limit: number }): Promise<Purchase[]>
  /**
   * A user's running purchases, those of the last 24 hours, running ones with an approval of Permit2, and the bytes of stored answers of the user and of all users. It takes
   * a lock until the transaction ends.
   */
  lockPurchases(user: Address): Promise<{ underWay: number; today: number; approvals: number; bytes: number; bytesOfAll: number }>
  /** Stores the consent and the only authorization of a purchase that is proposed with this digest. */
  agreePurchase(
    id: string,
    of: { digest: string; nonce: Hex; validBefore: number; mandateId: string | undefined },
  ): Promise<Purchase | undefined>
  declinePurchase(id: string): Promise<Purchase | undefined>
  /** Running purchases whose next check is due. */
  duePurchases(limit: number): Promise<Purchase[]>
  /** Leases a due purchase for `limits.purchaseLeaseMs`; undefined when another process has it. */
  leasePurchase(id: string): Promise<Purchase | undefined>
  /** Stores the seller's answer to the paid request. The first one is kept. */
  answerPurchase(id: string, answer: SellerAnswer): Promise<Purchase | undefined>
  /** Stores an answer that ended early. A later answer replaces it. */
  keepPartialAnswer(id: string, answer: SellerAnswer): Promise<void>
  /** Stores a part of an answer. Part 0 deletes the parts of an earlier answer. */
  addAnswerPart(id: string, at: number, bytes: Uint8Array): Promise<void>
  answerPart(id: string, at: number): Promise<Uint8Array | undefined>
  /** Deletes the parts of answers after `keepMs`. Returns whether there may be more. */
  sweepAnswers(keepMs: number): Promise<boolean>
  /** Sets the time of the next check, with the reason. @param of.tries a new number of checks so far */
  postponePurchase(id: string, of: { inMs: number; reason: string; tries?: number }): Promise<void>
  /** A page of the paid and unpaid purchases on a chain, in the order of `seq`. */
  endedPurchases(chainId: number, page: { afterSeq: number; limit: number }): Promise<(Purchase & { seq: number })[]>
  /** Follows an ended purchase again, from now on. */
  reopenPurchase(id: string): Promise<Purchase | undefined>
  endPurchase(id: string, of: { state: 'paid' | 'unpaid'; hash: Hex | undefined; reason: string }): Promise<Purchase | undefined>
}
