import { z } from 'zod'

export const paymentRecord = z.object({
  type: z.enum(['escrow', 'payout', 'fee', 'refund', 'payment']),
  protocol: z.enum(['ERC-8183', 'x402']),
  scheme: z.enum(['escrow', 'exact', 'upto']),
  status: z.literal('settled'),
  amount: z.string().describe('USDC, decimal text'),
  currency: z.literal('USDC'),
  payer: z.string(),
  payee: z.string(),
  network: z.string().describe('CAIP-2'),
  transaction: z.string(),
  job_id: z.string(),
  timestamp: z.string(),
})
export type PaymentRecord = z.infer<typeof paymentRecord>
