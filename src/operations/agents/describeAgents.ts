import { isListed } from '../../domain/offering.ts'
import type { ListedAgent } from '../../ports.ts'
import type { Caller, Deps } from '../operation.ts'
import { type AgentRecord, toAgentRecord } from './agentRecord.ts'
import { figuresByAgent } from './figures.ts'
import { readReputations } from './reputations.ts'

/** Records of agents as the caller may see them: an owner sees all offerings, everybody else those that are listed. */
export const describeAgents = async (agents: ListedAgent[], deps: Deps, caller: Caller): Promise<AgentRecord[]> => {
  const ids = agents.flatMap(it => it.id ?? [])
  const [unverified, figures, reputationOf, offerings] = await Promise.all([
    deps.store.unverifiedAgents(agents.map(it => it.key)).then(keys => new Set(keys)),
    deps.store.jobCounts({ agentIds: ids }).then(counts => figuresByAgent(counts, deps)),
    readReputations(deps, ids),
    deps.store.offeringsOf(ids).then(all => Map.groupBy(all, it => it.agentId)),
  ])
  return agents.map(agent => {
    const id = agent.id ?? ''
    const all = offerings.get(id) ?? []
    const shown = {
      listings: caller.wallet === agent.owner ? all : all.filter(isListed),
      isVerified: !unverified.has(agent.key),
      figures: figures.get(id),
      reputation: reputationOf(id),
    }
    return { ...toAgentRecord(agent, shown, deps.settings), ...deps.gateway.presence.tell(agent.id ?? agent.key) }
  })
}
