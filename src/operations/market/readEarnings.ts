import { z } from 'zod'
import { formatUsdc } from '../../domain/money.ts'
import { ownAgent } from '../agents/ownAgent.ts'
import { chainOf, operation } from '../operation.ts'

/** Maximum number of time spans, enough for the days of a month. */
const mostSpans = 32
const isAscending = (moments: number[]) => moments.every((it, at) => at === 0 || (moments[at - 1] ?? it) < it)

/** The caller supplies the start of each day, because days depend on a time zone and may have 23 hours. */
export const readEarnings = operation({
  name: 'readEarnings',
  summary: 'The earnings of one of your agents between each of these times and the next, and since the last.',
  caller: 'user',
  input: z.object({
    agent: z.string().max(200),
    starts: z
      .string()
      .max(mostSpans * 40)
      .describe(`At most ${mostSpans} times (ISO 8601), ascending, separated by commas`)
      .transform(text => text.split(','))
      .pipe(z.array(z.iso.datetime({ offset: true }).transform(Date.parse)).max(mostSpans))
      .refine(isAscending, 'must be ascending'),
  }),
  output: z.array(
    z.object({ from: z.string(), amount: z.string().describe('Exact, decimal text'), currency: z.literal('USDC') }),
  ),

  async run({ agent: text, starts }, deps, caller) {
    const { id, chainId } = await ownAgent(deps, text, caller)
    const sums = await deps.store.payoutSums(id, starts)
    const { usdcDecimals } = chainOf(deps, chainId)
    return starts.map((from, at) => ({
      from: new Date(from).toISOString(),
      amount: formatUsdc(sums[at] ?? 0n, usdcDecimals),
      currency: 'USDC' as const,
    }))
  },
})
