import type { Address } from '../domain/hex.ts'
import type { Purchase } from './rows/purchase.ts'

/** What other parts read about purchases. Absent in a service that buys nothing by x402. */
export type PurchaseReads = {
  purchase(id: string): Promise<Purchase | undefined>
  /** Purchases of a conversation that the user consented to, newest first. */
  purchasesOfConversation(conversationId: string, user: Address, limit: number): Promise<Purchase[]>
  /** Newest first. */
  purchases(filter: { user: Address; limit: number }): Promise<Purchase[]>
}
