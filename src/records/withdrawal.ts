import { z } from 'zod'

/** A withdrawal as its owner reads it: amount as decimal text, time in ISO 8601. */
export const withdrawalRecord = z.object({
  withdrawal_id: z.string(),
  chain_id: z.number(),
  from: z.string().describe('The custodial wallet'),
  to: z.string().describe('Your own wallet'),
  amount: z.string(),
  asset: z.string().describe('Symbol of USDC, coin or wrapped coin, or the address of a token'),
  status: z.enum(['pending', 'done', 'failed']),
  tx_hash: z.string().nullable(),
  created_at: z.string(),
})
export type WithdrawalRecord = z.infer<typeof withdrawalRecord>
