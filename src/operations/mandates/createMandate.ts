import { z } from 'zod'
import { chainId } from '../../domain/chains/chains.ts'
import { limits } from '../../domain/limits.ts'
import { period } from '../../domain/money/mandate.ts'
import { mandateRecord } from '../../records/mandate.ts'
import { operation, userOf } from '../operation.ts'
import { toMandateRecord } from './mandates.ts'
import { addWithin, toMandate } from './setMandate.ts'

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
