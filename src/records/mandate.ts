import { z } from 'zod'
import { period } from '../domain/money/mandate.ts'

/** A mandate as its user reads it: amounts in decimal USDC, times in ISO 8601. */
export const mandateRecord = z.object({
  mandate_id: z.string(),
  chain_id: z.number(),
  max_per_job: z.string(),
  max_per_period: z.string(),
  period: period.describe('A rolling window: the last 24 hours, 7 days or 30 days'),
  ask_above: z.string(),
  categories: z.array(z.string()),
  payees: z.array(z.string()).describe('Hosts and addresses that purchases may pay'),
  expires_at: z.string(),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
  used: z.string().describe('USDC spent under the mandate in the period, less refunds'),
  left: z.string().describe('USDC left in the period; 0 when the mandate is revoked or expired'),
})
export type MandateRecord = z.infer<typeof mandateRecord>
