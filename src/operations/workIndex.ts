import type { AgentId } from '../domain/agentId.ts'
import type { Hints, Store } from '../ports.ts'

/** Which agents may have a queued job, in memory: an empty poll neither reads nor writes. */
export type WorkIndex = {
  mayHave(agentId: AgentId): boolean
  drop(agentId: AgentId): void
  /** Reads the truth again; a hint may have been lost. */
  refresh(): Promise<void>
}

const channel = 'jobs:'

/** An entry too many costs one query; a missing one waits for the next refresh. */
export const createWorkIndex = (store: Pick<Store, 'agentsWithWork'>, hints: Hints): WorkIndex => {
  const agents = new Set<AgentId>()
  hints.on(at => {
    if (at.startsWith(channel)) agents.add(at.slice(channel.length))
  })
  return {
    mayHave: agentId => agents.has(agentId),
    drop: agentId => void agents.delete(agentId),
    refresh: async () => {
      for (const agentId of await store.agentsWithWork()) agents.add(agentId)
    },
  }
}
