import type { Address, Hex } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money/money.ts'
import type { BodyEnd } from '../../domain/x402/paidAnswer.ts'
import type { NewPurchase, Purchase, PurchaseReads, Tables } from '../../ports.ts'

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
export type PurchaseTables = PurchaseReads & {
  /**
   * Inserts unless the id exists, and returns the stored purchase. A new proposal of the butler replaces the one of the same run
   * that has no consent. Deletes the user's old purchases without consent.
   */
  addPurchase(purchase: NewPurchase): Promise<Purchase>
  /**
   * A user's running purchases, those of the last 24 hours, and the bytes of stored answers of the user and of all users. It takes
   * a lock until the transaction ends.
   */
  lockPurchases(user: Address): Promise<{ underWay: number; today: number; bytes: number; bytesOfAll: number }>
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
  answerPurchase(id: string, answer: SellerAnswer): Promise<Purchase | undefined>
  /** Stores an answer that ended early. A later answer replaces it. */
  keepPartialAnswer(id: string, answer: SellerAnswer): Promise<void>
  /** Stores a part of an answer. Part 0 deletes the parts of an earlier answer. */
  addAnswerPart(id: string, at: number, bytes: Uint8Array): Promise<void>
  answerPart(id: string, at: number): Promise<Uint8Array | undefined>
  /** Deletes the parts of answers after `keepMs`. Returns whether there may be more. */
  sweepAnswers(keepMs: number): Promise<boolean>
  /** Sets the time of the next check, with the reason. @param of.tries a new number of checks so far */
  postponePurchase(id: string, of: { inMs: number; reason?: string; tries?: number }): Promise<void>
  /** A page of the paid and unpaid purchases on a chain, in the order of `seq`. */
  endedPurchases(chainId: number, page: { afterSeq: number; limit: number }): Promise<(Purchase & { seq: number })[]>
  reopenPurchase(id: string): Promise<Purchase | undefined>
  /** @param of.taken in the scheme `upto` what was taken */
  endPurchase(
    id: string,
    of: { state: 'paid' | 'unpaid'; hash: Hex | undefined; reason: string; taken?: Atomic | undefined },
  ): Promise<Purchase | undefined>
}

export const purchasesOf = (tables: Tables): PurchaseTables => tables as Tables & PurchaseTables
