import type { AgentId } from '../../domain/agents/agentId.ts'
import { type Evidence, type Reputation, rate } from '../../domain/agents/reputation.ts'
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
