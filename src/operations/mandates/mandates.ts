import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { isLive, leftOf } from '../../domain/money/mandate.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import type { UsedMandate } from '../../ports.ts'
import { mandateRecord } from '../../records/mandate.ts'
import { operation, userOf } from '../operation.ts'
import { renamed } from '../renamed.ts'

/** The API representation of a mandate, with amounts as decimal USDC. An ended mandate has nothing left. */
export const toMandateRecord = (it: UsedMandate, now: number): z.infer<typeof mandateRecord> => {
  const say = (amount: Atomic) => formatUsdc(amount, it.decimals)
  return {
    mandate_id: it.id,
    ...renamed(it, ['chainId', 'period', 'categories', 'payees']),
    max_per_job: say(it.maxPerJob),
    max_per_period: say(it.maxPerPeriod),
    ask_above: say(it.askAbove),
    expires_at: toIso(it.expiresAt),
    created_at: toIso(it.createdAt),
    revoked_at: it.revokedAt === undefined ? null : toIso(it.revokedAt),
    used: say(it.used),
    left: say(isLive(it, now) ? leftOf(it, it.used) : 0n),
  }
}

export const listMandates = operation({
  name: 'listMandates',
  summary: 'Your mandates, newest first: the limits within which the butler hires without asking, and what is left.',
  scope: 'look',
  input: z.object({}),
  output: z.object({ mandates: z.array(mandateRecord) }),

  async run(_, { store, clock }, caller) {
    const mandates = await store.mandates({ user: userOf(caller), limit: limits.pageRows })
    return { mandates: mandates.map(it => toMandateRecord(it, clock.now())) }
  },
})

export const revokeMandate = operation({
  name: 'revokeMandate',
  summary: 'Revoke a mandate. From now on it allows no further hires; running jobs continue.',
  scope: 'hire',
  input: z.object({ mandate_id: z.string().max(100) }),
  output: mandateRecord,

  async run({ mandate_id }, { store, clock }, caller) {
    const revoked = await store.revokeMandate(mandate_id, userOf(caller))
    if (!revoked) throw new Problem('mandate-not-found')
    return toMandateRecord(revoked, clock.now())
  },
})
