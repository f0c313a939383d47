import { isListed } from '../../domain/offering.ts'
import type { Agent } from '../../ports.ts'
import type { Caller, Deps } from '../operation.ts'
import { type AgentRecord, toAgentRecord } from './agentRecord.ts'
import { figuresByAgent } from './figures.ts'
import { readReputations } from './reputations.ts'

/** Records of agents as the caller may see them: an owner sees all offerings, everybody else those that are listed. */
export const describeAgents = async (agents: Agent[], deps: Deps, caller: Caller): Promise<AgentRecord[]> => {
  const ids = agents.flatMap(it => it.id ?? [])
  const [unverified, figures, reputationOf] = await Promise.all([
    deps.store.unverifiedAgents(agents.map(it => it.key)).then(keys => new Set(keys)),
    deps.store.jobCounts({ agentIds: ids }).then(counts => figuresByAgent(counts, deps)),
    readReputations(deps, ids),
  ])
  return Promise.all(
    agents.map(async agent => {
      const all = agent.id ? await deps.store.offerings(agent.id) : []
      const listings = caller.wallet === agent.owner ? all : all.filter(isListed)
      const id = agent.id ?? ''
      const shown = {
        listings,
        isVerified: !unverified.has(agent.key),
        figures: figures.get(id),
        reputation: reputationOf(id),
      }
      return { ...toAgentRecord(agent, shown, deps.settings), ...deps.gateway.presence.tell(agent.id ?? agent.key) }
    }),
  )
}
