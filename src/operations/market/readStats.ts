import { z } from 'zod'
import { dayMs, minuteMs } from '../../domain/durations.ts'
import type { JobCount } from '../../ports.ts'
import { statsRecord } from '../../records/market/stats.ts'
import { toFigures } from '../agents/reputations.ts'
import { operation } from '../operation.ts'

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
