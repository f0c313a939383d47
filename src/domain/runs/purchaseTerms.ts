import { z } from 'zod'
import { toCost } from '../money/money.ts'
import { mandateView } from './proposal.ts'

/** The terms of a purchase by x402 that a user consents to. Code writes them from the stored row and the seller's requirement. */
export const purchaseProposal = z.object({
  kind: z.literal('purchase'),
  chainId: z.number().int(),
  url: z.string(),
  method: z.enum(['GET', 'POST']),
  /** SHA-256 of the body that is sent, in hex; absent without a body. */
  bodyHash: z.string().optional(),
  /** USDC as decimal text; the seller pays the gas. In the scheme `upto` it is the most that the seller may take. */
  total: z.string(),
  scheme: z.literal('upto').optional(),
  payee: z.string(),
  asset: z.string(),
  payer: z.string(),
  /** The contract that the wallet first lets move exactly the total, in a transaction of its own. */
  approves: z.literal('permit2').optional(),
  /** The seller's own words. */
  description: z.string(),
  /** What is known of a resource that a catalogue lists. */
  outside: z.string().optional(),
  /** The mandate that covers the purchase, or the newest one that does not; null when the user has none. */
  mandate: mandateView.nullable(),
  digest: z.string(),
  lapsesAt: z.number(),
})
export type PurchaseProposal = z.infer<typeof purchaseProposal>

/** The price in words. In the scheme `upto` the seller says after its work how much of it is due. */
export const toSum = ({ total, scheme }: Pick<PurchaseProposal, 'total' | 'scheme'>): string =>
  toCost(total, scheme !== undefined)
