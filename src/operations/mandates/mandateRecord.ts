import { z } from 'zod'
import { isLive, leftOf, period } from '../../domain/mandate.ts'
import { type Atomic, formatUsdc } from '../../domain/money.ts'
import type { UsedMandate } from '../../ports.ts'

/** A mandate as its user reads it: amounts in decimal USDC, times in ISO 8601. */
export const mandateRecord = z.object({
  mandate_id: z.string(),
  chain_id: z.number(),
  max_per_job: z.string(),
  max_per_period: z.string(),
  period: period.describe('A rolling window: the last 24 hours, 7 days or 30 days'),
  ask_above: z.string(),
  categories: z.array(z.string()),
  expires_at: z.string(),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
  used: z.string().describe('USDC spent under the mandate in the period, less refunds'),
  left: z.string().describe('USDC left in the period; 0 when the mandate is revoked or expired'),
})

/** The API representation of a mandate, with amounts as decimal USDC. An ended mandate has nothing left. */
export const toMandateRecord = (it: UsedMandate, now: number): z.infer<typeof mandateRecord> => {
  const say = (amount: Atomic) => formatUsdc(amount, it.decimals)
  return {
    mandate_id: it.id,
    chain_id: it.chainId,
    max_per_job: say(it.maxPerJob),
    max_per_period: say(it.maxPerPeriod),
    period: it.period,
    ask_above: say(it.askAbove),
    categories: it.categories,
    expires_at: toTime(it.expiresAt),
    created_at: toTime(it.createdAt),
    revoked_at: it.revokedAt === undefined ? null : toTime(it.revokedAt),
    used: say(it.used),
    left: say(isLive(it, now) ? leftOf(it, it.used) : 0n),
  }
}

const toTime = (at: number) => new Date(at).toISOString()
