import { z } from 'zod'
import { toCaip2 } from '../../domain/chains.ts'
import { limits } from '../../domain/limits.ts'
import { formatUsdc } from '../../domain/money.ts'
import type { Purchase } from '../../ports.ts'
import { chainOf, type Deps } from '../operation.ts'

/** The API representation of a purchase for its user. */
export const purchaseRecord = z.object({
  purchase_id: z.string().describe('Also the id of its run, once it was agreed to'),
  state: z
    .enum(['free', 'proposed', 'declined', 'paying', 'paid', 'unpaid'])
    .describe(
      '`free`: the resource asked for no payment. `paying`: the payment may still be used; read it again later and do not buy again. `unpaid`: nothing was charged',
    ),
  url: z.string(),
  method: z.enum(['GET', 'POST']),
  price: z.string().describe('USDC, decimal text'),
  currency: z.literal('USDC'),
  payer: z.string().describe('Your custodial wallet'),
  payee: z.string(),
  asset: z.string(),
  network: z.string().describe('CAIP-2'),
  description: z.string().describe("The seller's own words"),
  digest: z.string().describe('Digest of payee, price, token, chain, address, method and body; confirm with it'),
  lapses_at: z.string().describe('ISO 8601; a proposal can be confirmed until then'),
  mandate_id: z.string().nullable().describe('The mandate that allowed the purchase, when you were not asked'),
  status: z.number().nullable().describe("HTTP status of the seller's answer"),
  content_type: z.string(),
  content: z.string().describe("The seller's answer as text"),
  reason: z.string().describe('Why it is not paid, or has no answer'),
  transaction: z.string().nullable(),
})
export type PurchaseRecord = z.infer<typeof purchaseRecord>

export const toPurchaseRecord = (deps: Pick<Deps, 'chains'>, it: Purchase): PurchaseRecord => ({
  purchase_id: it.id,
  state: it.state,
  url: it.url,
  method: it.method,
  price: formatUsdc(it.amount, chainOf(deps, it.chainId).usdcDecimals),
  currency: 'USDC',
  payer: it.wallet,
  payee: it.payTo,
  asset: it.asset,
  network: toCaip2(it.chainId),
  description: it.description,
  digest: it.digest,
  lapses_at: new Date(it.createdAt + limits.proposalMs).toISOString(),
  mandate_id: it.mandateId ?? null,
  status: it.status ?? null,
  content_type: it.contentType ?? '',
  content: it.content ?? '',
  reason: it.reason,
  transaction: it.hash ?? null,
})
