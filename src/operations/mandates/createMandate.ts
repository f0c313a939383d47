import { z } from 'zod'
import { chainId } from '../../domain/chains/chains.ts'
import { dayMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { type Mandate, type NewMandate, type Period, period, toCategory } from '../../domain/money/mandate.ts'
import { parseUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import type { Tables } from '../../ports.ts'
import { mandateRecord } from '../../records/mandate.ts'
import { chainOf, type Deps, operation, userOf } from '../operation.ts'
import { toMandateRecord } from './mandates.ts'

const usdc = z.union([z.string().max(100), z.number()])

export const createMandate = operation({
  name: 'createMandate',
  summary: 'Let the butler hire without asking, within limits. It still asks for hires above ask_above or outside the limits.',
  scope: 'money',
  repeats: 'answer',
  isYes: () => true,
  asksPasskey: true,
  input: z.strictObject({
    chain_id: chainId,
    max_per_job: usdc.describe('Decimal USDC'),
    max_per_period: usdc.describe('Decimal USDC, for all hires under the mandate in one period'),
    period: period.describe('A rolling window: the last 24 hours, 7 days or 30 days'),
    ask_above: usdc.optional().describe('The butler asks before a hire above this price; max_per_job when absent'),
    categories: z
      .array(z.string().trim().min(1).max(limits.nameChars))
      .max(limits.mandateCategories)
      .optional()
      .describe('Only agents whose tags or skills name one of these; any agent when absent'),
    payees: z
      .array(z.string().trim().min(1).max(limits.nameChars))
      .max(limits.mandateCategories)
      .optional()
      .describe('Hosts or addresses that purchases may pay; without them no resource that a catalogue lists is covered'),
    expires_at: z.string().max(40).optional().describe('ISO 8601 date or time, within a year; in 90 days when absent'),
  }),
  output: mandateRecord,

  async run({ chain_id, max_per_job, max_per_period, period, ask_above, categories, payees, expires_at }, deps, caller) {
    const user = userOf(caller)
    const wish = {
      chainId: chain_id,
      maxPerJob: max_per_job,
      maxPerPeriod: max_per_period,
      period,
      askAbove: ask_above,
      categories,
      payees,
      until: expires_at,
    }
    const mandate = toMandate(deps, wish, deps.clock.now())
    const id = deps.ids.fresh('mandate')
    const created = await deps.store.atomically(tables => addWithin(tables, { ...mandate, id, user }))
    return toMandateRecord({ ...created, used: 0n }, created.createdAt)
  },
})

type Wish = {
  chainId: number
  maxPerJob?: string | number | undefined
  maxPerPeriod: string | number
  period: Period
  askAbove?: string | number | undefined
  categories?: string[] | undefined
  payees?: string[] | undefined
  /** ISO 8601: the end of a day (UTC), or an exact time. */
  until?: string | undefined
}

const mandateDays = 90
const maxDays = 366

/**
 * Builds a mandate from a request. Without other limits, one job may cost as much as the period allows, and no job within its
 * limit needs a question.
 * @throws Problem chain-not-supported, invalid-input
 */
export const toMandate = (
  deps: Pick<Deps, 'chains' | 'refusedChains'>,
  wish: Wish,
  now: number,
): Omit<NewMandate, 'id' | 'user'> => {
  const { chainId, usdcDecimals: decimals } = chainOf(deps, wish.chainId)
  const amountOf = (amount: string | number, pointer: string) => {
    const parsed = parseUsdc(amount, decimals)
    if (parsed === undefined) throw new Problem('invalid-input', `An amount of USDC with at most ${decimals} decimals.`, pointer)
    return parsed
  }
  const maxPerPeriod = amountOf(wish.maxPerPeriod, '/max_per_period')
  const maxPerJob = amountOf(wish.maxPerJob ?? wish.maxPerPeriod, '/max_per_job')
  const askAbove = wish.askAbove === undefined ? maxPerJob : amountOf(wish.askAbove, '/ask_above')
  if (maxPerPeriod === 0n) throw new Problem('invalid-input', 'It must be more than 0.', '/max_per_period')
  if (maxPerJob > maxPerPeriod) throw new Problem('invalid-input', 'It must not exceed max_per_period.', '/max_per_job')
  if (askAbove > maxPerJob) throw new Problem('invalid-input', 'It must not exceed max_per_job.', '/ask_above')
  const categories = [...new Set((wish.categories ?? []).map(toCategory))]
  const payees = [...new Set((wish.payees ?? []).map(toCategory))]
  const expiresAt = toEnd(wish.until, now)
  return { chainId, decimals, maxPerJob, maxPerPeriod, period: wish.period, askAbove, categories, payees, expiresAt }
}

const toEnd = (until: string | undefined, now: number): number => {
  const end = until === undefined ? now + mandateDays * dayMs : readEnd(until)
  if (Number.isNaN(end)) throw new Problem('invalid-input', 'A date (2026-12-31) or a time in ISO 8601.', '/expires_at')
  if (end <= now) throw new Problem('invalid-input', 'It is in the past.', '/expires_at')
  if (end > now + maxDays * dayMs) throw new Problem('invalid-input', 'A mandate is valid for at most one year.', '/expires_at')
  return end
}

const readEnd = (text: string): number => {
  if (z.iso.date().safeParse(text).success) return Date.parse(`${text}T23:59:59.999Z`)
  return z.iso.datetime({ offset: true }).safeParse(text).success ? Date.parse(text) : Number.NaN
}

/**
 * Adds a mandate inside a transaction, within the limit per user.
 * @throws Problem too-many-mandates
 */
export const addWithin = async (
  tables: Pick<Tables, 'lockMandateCount' | 'addMandate'>,
  mandate: NewMandate,
): Promise<Mandate> => {
  if ((await tables.lockMandateCount(mandate.user, mandate.chainId)) >= limits.mandates) throw new Problem('too-many-mandates')
  return tables.addMandate(mandate)
}
