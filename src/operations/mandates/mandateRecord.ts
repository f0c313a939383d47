import type { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { isLive, leftOf } from '../../domain/money/mandate.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import type { UsedMandate } from '../../ports.ts'
import type { mandateRecord } from '../../records/mandate.ts'

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
    payees: it.payees,
    expires_at: toIso(it.expiresAt),
    created_at: toIso(it.createdAt),
    revoked_at: it.revokedAt === undefined ? null : toIso(it.revokedAt),
    used: say(it.used),
    left: say(isLive(it, now) ? leftOf(it, it.used) : 0n),
  }
}
