import { z } from 'zod'
import { bodyEnds } from '../domain/x402/paidAnswer.ts'
import { schemes } from '../domain/x402/x402.ts'

export const purchaseRecord = z.object({
  purchase_id: z.string().describe('Also the id of its run, once it was agreed to'),
  state: z
    .enum(['free', 'proposed', 'declined', 'paying', 'refused', 'paid', 'unpaid'])
    .describe(
      '`free`: the resource asked for no payment. `paying`: the payment may still be used; ' +
        'read it again later and do not buy again. `refused`: ' +
        'the seller answered without success, and may still use the payment until it expires. `unpaid`: nothing was charged',
    ),
  url: z.string(),
  method: z.enum(['GET', 'POST']),
  price: z.string().describe('USDC, decimal text; in the scheme `upto` the most that the seller may take'),
  scheme: z.enum(schemes).describe('`upto`: the seller takes at most the price, and says how much after its work'),
  paid: z.string().nullable().describe('What was paid, in USDC, as the chain shows it'),
  currency: z.literal('USDC'),
  payer: z.string().describe('Your custodial wallet'),
  payee: z.string(),
  asset: z.string(),
  transfer_method: z
    .enum(['eip3009', 'permit2'])
    .describe('`permit2`: your wallet first approves Permit2 for exactly this price, in a transaction whose gas the market pays'),
  network: z.string().describe('CAIP-2'),
  description: z.string().describe("The seller's own words"),
  outside: z.string().describe('What is known of a resource that a catalogue lists; empty for another one'),
  digest: z.string().describe('Digest of payee, price, token, chain, address, method and body; confirm with it'),
  lapses_at: z.string().describe('ISO 8601; a proposal can be confirmed until then'),
  mandate_id: z.string().nullable().describe('The mandate that allowed the purchase, when you were not asked'),
  status: z.number().nullable().describe("HTTP status of the seller's answer"),
  content_type: z.string(),
  content: z
    .string()
    .describe("The seller's answer, up to 256 KiB: a text, or a file as a data: URL. It says so where there is more"),
  bytes: z.number().nullable().describe('Bytes of the answer that arrived, at most 8 MiB'),
  ending: z
    .enum(bodyEnds)
    .nullable()
    .describe(
      '`whole`; `cut`: the seller sent more than is kept; `early`: the connection or the minute for an answer ended before it',
    ),
  parts: z
    .number()
    .describe('Stored parts of an answer that `content` does not have whole. Read them within 7 days by their numbers from 0'),
  reason: z.string().describe('Why it is not paid, or has no answer'),
  transaction: z.string().nullable(),
})

export type PurchaseRecord = z.infer<typeof purchaseRecord>
