import type { AgentId } from '../domain/agents/agentId.ts'
import type { Address } from '../domain/hex.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Tables } from './store.ts'

/** What a user reported about an agent. */
export type AgentReport = { agentId: AgentId; reason: string; words: string; at: number }

/** What a feature keeps of a person, for the person's own copy and for its deletion. */
export type Personal = {
  name: string
  read(tables: Tables, wallet: Address): Promise<JsonObject[]>
  forget(tables: Tables, wallet: Address): Promise<void>
}
