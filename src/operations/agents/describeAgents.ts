import type { AgentId } from '../../domain/agents/agentId.ts'
import { toIso } from '../../domain/durations.ts'
import type { JsonObject } from '../../domain/json.ts'
import { isListed } from '../../domain/offerings/offering.ts'
import type { Agent, ListedAgent } from '../../ports.ts'
import type { AgentRecord } from '../../records/agent.ts'
import type { Caller, Deps } from '../operation.ts'
import { toAgentRecord } from './agentRecord.ts'
import { figuresByAgent, readReputations } from './reputations.ts'

const certificatesByAgent = async (ids: AgentId[], { certificatesOf }: Deps) =>
  Map.groupBy((await certificatesOf?.(ids)) ?? [], it => it.agentId)

/** Like `describeAgents`, of one agent. */
export const describeAgent = async (agent: Agent, deps: Deps, caller: Caller): Promise<AgentRecord> => {
  const [record] = await describeAgents([agent], deps, caller)
  if (!record) throw new Error('an agent without a record')
  return record
}

/** Returns the records of agents as the caller may see them. Owners see all their offerings; other callers see listed ones. */
export const describeAgents = async (
  agents: (ListedAgent & { card?: JsonObject })[],
  deps: Deps,
  caller: Caller,
): Promise<AgentRecord[]> => {
  const ids = agents.flatMap(it => it.id ?? [])
  const [unverified, figures, reputationOf, offerings, prices, certificates] = await Promise.all([
    deps.store.unverifiedAgents(agents.map(it => it.key)).then(keys => new Set(keys)),
    deps.store.jobCounts({ agentIds: ids }).then(counts => figuresByAgent(counts, deps)),
    readReputations(deps, ids),
    deps.store.offeringsOf(ids).then(all => Map.groupBy(all, it => it.agentId)),
    deps.store.callPrices(agents.map(it => it.key)),
    certificatesByAgent(ids, deps),
  ])
  return agents.map(agent => {
    const id = agent.id ?? ''
    const all = offerings.get(id) ?? []
    const shown = {
      callPrice: prices.get(agent.key) ?? '0',
      listings: caller.wallet === agent.owner ? all : all.filter(isListed),
      isVerified: !unverified.has(agent.key),
      figures: figures.get(id),
      reputation: reputationOf(id),
      certificates: certificates.get(id) ?? [],
    }
    const isOwner = caller.wallet === agent.owner
    const pushed = isOwner ? deps.gateway.pushes.get(id) : undefined
    const contestedAt = isOwner ? deps.gateway.pollers.contestedAt(id) : undefined
    return {
      ...toAgentRecord(agent, shown, deps.settings),
      ...deps.gateway.presence.tell(agent.id ?? agent.key),
      ...(contestedAt !== undefined && { second_poller_at: toIso(contestedAt) }),
      ...(pushed && { last_push: { at: toIso(pushed.at), error: pushed.error } }),
    }
  })
}
