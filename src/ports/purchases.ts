import type { Address, Hex } from '../domain/hex.ts'
import type { Purchase } from './rows/purchase.ts'

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

/** The nonce of a signed payment. With chain, token and payer it is unique. */
export type PaidNonce = { chainId: number; asset: Address; payer: Address; nonce: Hex }

/** What other parts read about sales by this market. Absent in a service that sells nothing by x402. */
export type SaleReads = {
  /** The sale that a payment belongs to, with the run of its posting. */
  paidCallOfNonce(of: PaidNonce): Promise<{ runId: string } | undefined>
}
