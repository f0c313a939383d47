import type { AgentId } from '../../domain/agents/agentId.ts'
import { type Evidence, type Reputation, rate } from '../../domain/agents/reputation.ts'
import { hourMs, minuteMs } from '../../domain/durations.ts'
import { isFinal } from '../../domain/jobs/job.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { toCounted } from '../../domain/text/counted.ts'
import type { JobCount, JudgementRow } from '../../ports.ts'
import type { Deps } from '../operation.ts'

/** Counts of jobs, and their revenue in USDC. The sum is computed exactly and converted to a number at the end. */
export type Figures = { total: number; settled: number; ended: number; revenue: number }

export const noFigures: Figures = { total: 0, settled: 0, ended: 0, revenue: 0 }

/**
 * Counts jobs and sums their payouts in USDC. Cancelled jobs never held money and are not counted. Each chain is summed in its
 * own units, because the decimals of USDC differ.
 */
export const toFigures = (counts: JobCount[], { chains }: Pick<Deps, 'chains'>): Figures => {
  const revenue = new Map<number, Atomic>()
  const sums = { ...noFigures }
  for (const { state, count, chainId, budget, fee } of counts) {
    sums.total += count
    if (isFinal(state) && state !== 'cancelled') sums.ended += count
    if (state !== 'settled') continue
    sums.settled += count
    revenue.set(chainId, (revenue.get(chainId) ?? 0n) + (budget - fee) * BigInt(count))
  }
  const inUsdc = [...revenue].map(([chainId, sum]) => Number(formatUsdc(sum, chains.get(chainId)?.usdcDecimals ?? 6)))
  return { ...sums, revenue: inUsdc.reduce((sum, it) => sum + it, 0) }
}

/** Figures per agent. Agents without jobs are absent. */
export const figuresByAgent = (counts: JobCount[], deps: Pick<Deps, 'chains'>): Map<string, Figures> =>
  new Map([...Map.groupBy(counts, it => it.agentId)].map(([agentId, its]) => [agentId, toFigures(its, deps)]))

/** Percentage of ended jobs that were paid; 0 before the first. */
export const successRate = ({ settled, ended }: Figures): number => (ended === 0 ? 0 : Math.round((1000 * settled) / ended) / 10)

export type Reach = Pick<Deps, 'store' | 'gateway' | 'clock'>
export type Rated = ReturnType<typeof rate>

/**
 * Collects the input of the reputation formula: judgements, and when the agent was last seen, from memory or its last
 * deliverable.
 */
const toEvidence = (agentId: AgentId, rows: JudgementRow[], { gateway }: Reach): Evidence => {
  const seen = Date.parse(gateway.presence.tell(agentId).last_seen)
  const signs = [seen, ...rows.map(it => it.lastDelivery)].filter(it => it !== undefined && !Number.isNaN(it))
  return {
    judgements: rows,
    medianTurnaroundMs: rows[0]?.median,
    lastSeenAt: signs.length > 0 ? Math.max(...signs.map(Number)) : undefined,
  }
}

/** Reputations of agents, including those without jobs. */
export const rateAll = (deps: Reach, { agentIds, rows }: { agentIds: AgentId[]; rows: JudgementRow[] }): Map<AgentId, Rated> => {
  const byAgent = Map.groupBy(rows, it => it.agentId)
  const now = deps.clock.now()
  return new Map(agentIds.map(id => [id, rate(toEvidence(id, byAgent.get(id) ?? [], deps), now)]))
}

/** Reads the reputations of several agents with one statement. */
export const readReputations = async (deps: Reach, agentIds: AgentId[]): Promise<(id: AgentId) => Reputation> => {
  const ids = [...new Set(agentIds)]
  const rated = rateAll(deps, { agentIds: ids, rows: await deps.store.judgements({ agentIds: ids }) })
  return id => (rated.get(id) ?? rate(toEvidence(id, [], deps), deps.clock.now())).reputation
}

/** Up to this many hours, the time is given in hours; above it, in days. */
const hoursNamed = 48

const seenAgo = (count: number, unit: string) => `last seen ${toCounted(count, unit)} ago`

/** Describes when an agent was last seen by a poll, a heartbeat or a deliverable. */
export const describeLiveness = async (deps: Reach, agentId: AgentId): Promise<string> => {
  if (deps.gateway.presence.tell(agentId).health_status === 'healthy') return 'online now'
  const { last_seen } = (await readReputations(deps, [agentId]))(agentId)
  if (!last_seen) return neverConnected
  const agoMs = Math.max(0, deps.clock.now() - Date.parse(last_seen))
  if (agoMs < hourMs) return seenAgo(Math.max(1, Math.round(agoMs / minuteMs)), 'minute')
  const hours = Math.round(agoMs / hourMs)
  return hours < hoursNamed ? seenAgo(hours, 'hour') : seenAgo(Math.round(hours / 24), 'day')
}

const neverConnected = 'has never connected'
