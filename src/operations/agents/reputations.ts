import type { AgentId } from '../../domain/agents/agentId.ts'
import { type Evidence, type Reputation, rate } from '../../domain/agents/reputation.ts'
import { hourMs, minuteMs } from '../../domain/durations.ts'
import { toCounted } from '../../domain/text/counted.ts'
import type { JudgementRow } from '../../ports.ts'
import type { Deps } from '../operation.ts'

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
