import { z } from 'zod'
import { dayMs, minuteMs, toIso } from '../../domain/durations.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { assetSymbol, coinDecimals } from '../../domain/tokens/agentToken.ts'
import type { JobCount, ReserveKind } from '../../ports.ts'
import { agentEventsRecord, earningsRecord } from '../../records/market/earnings.ts'
import { statsRecord } from '../../records/market/stats.ts'
import { toFigures } from '../agents/reputations.ts'
import { ownAgent, resolveAgent } from '../agents/resolveAgent.ts'
import { chainOf, operation } from '../operation.ts'

const monthMs = 30 * dayMs

export const readStats = operation({
  name: 'readStats',
  summary: 'Statistics of the market, and their growth over 30 days in percent.',
  caller: 'anyone',
  input: z.object({ chain_id: z.coerce.number().int().optional() }),
  output: statsRecord,

  async run({ chain_id }, deps) {
    // Whole minutes, so that requests within one ask the store for the same counts.
    const now = Math.ceil(deps.clock.now() / minuteMs) * minuteMs
    const isAsked = ({ chainId }: JobCount) => chain_id === undefined || chainId === chain_id
    const at = async (before: number) => {
      const onChain = chain_id === undefined ? {} : { chainId: chain_id }
      const [counted, jobs] = await Promise.all([
        deps.store.countMarket({ ...onChain, before }),
        deps.store.jobCounts({ before, ofMarket: true }),
      ])
      return { ...counted, tasks: counted.postings, revenue: toFigures(jobs.filter(isAsked), deps).revenue }
    }
    const [today, total, then] = await Promise.all([
      deps.store.jobCounts({ since: now - minuteMs - dayMs, ofMarket: true }),
      at(now + 1),
      at(now - monthMs),
    ])
    const lately = toFigures(today.filter(isAsked), deps)
    return {
      total_agents: total.agents,
      total_services: total.offerings,
      total_tasks: total.tasks,
      total_revenue: total.revenue,
      agents_growth_30d: growth(then.agents, total.agents),
      services_growth_30d: growth(then.offerings, total.offerings),
      tasks_growth_30d: growth(then.tasks, total.tasks),
      revenue_growth_30d: growth(then.revenue, total.revenue),
      agents_online: deps.gateway.presence.healthy().length,
      jobs_24h: lately.settled,
      revenue_24h: lately.revenue,
    }
  },
})

const growth = (then: number, now: number): number => {
  if (then === 0) return now === 0 ? 0 : 100
  return Math.round((1000 * (now - then)) / then) / 10
}

/** Maximum number of time spans, enough for the days of a month. */
const maxSpans = 32
const isAscending = (moments: number[]) => moments.every((it, at) => at === 0 || (moments[at - 1] ?? it) < it)

/** The caller supplies the start of each day, because days depend on a time zone and may have 23 hours. */
export const readEarnings = operation({
  name: 'readEarnings',
  summary: 'The earnings of one of your agents between each of these times and the next, and since the last.',
  scope: 'look',
  input: z.object({
    agent: z.string().max(200),
    starts: z
      .string()
      .max(maxSpans * 40)
      .describe(`At most ${maxSpans} times (ISO 8601), ascending, separated by commas`)
      .transform(text => text.split(','))
      .pipe(z.array(z.iso.datetime({ offset: true }).transform(Date.parse)).max(maxSpans))
      .refine(isAscending, 'must be ascending'),
  }),
  output: earningsRecord,

  async run({ agent: text, starts }, deps, caller) {
    const { id, chainId } = await ownAgent(deps, text, caller)
    const chain = chainOf(deps, chainId)
    const feeAsset = await deps.tokens?.feeAsset(id, deps)
    const [paid, fees] = [await deps.store.payoutSums(id, starts), feeAsset ? await deps.store.tokenFeeSums(id, starts) : []]
    const inUsdc = feeAsset === 'usdc'
    const toFees = (fee: Atomic, asset: ReserveKind) => ({
      amount: formatUsdc(fee, asset === 'usdc' ? chain.usdcDecimals : coinDecimals),
      currency: assetSymbol(asset, chainId),
    })
    return starts.map((from, at) => {
      const [pay, fee] = [paid[at] ?? 0n, fees[at] ?? 0n]
      const amount = formatUsdc(inUsdc ? pay + fee : pay, chain.usdcDecimals)
      const token_fees = feeAsset ? toFees(fee, feeAsset) : null
      return { from: toIso(from), amount, currency: 'USDC' as const, token_fees }
    })
  },
})

/** Agent servers call this after each message. An unknown agent is an empty list, not an error. */
export const readAgentEvents = operation({
  name: 'readAgentEvents',
  summary: 'The latest payments to an agent.',
  caller: 'anyone',
  input: z.object({
    agent: z.string().max(200),
    limit: z.coerce.number().int().min(1).max(100).default(10),
    types: z.string().max(200).default('payment_settled'),
  }),
  output: agentEventsRecord,

  async run({ agent, limit, types }, deps) {
    const found = types.split(',').includes('payment_settled') ? await resolveAgent(deps, agent) : undefined
    if (!found?.id) return []
    return (await deps.store.payouts(found.id, limit)).map(it => ({
      type: 'payment_settled' as const,
      destination: it.payee.replace('wallet:', ''),
      amount: Number(formatUsdc(it.amount, deps.chains.get(it.chainId)?.usdcDecimals ?? 6)),
      currency: 'USDC' as const,
      ts: toIso(it.at),
      tx_url: it.txHash,
      job_id: it.jobId,
    }))
  },
})
