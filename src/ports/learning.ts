import type { AgentId } from '../domain/agents/agentId.ts'
import type { Address } from '../domain/hex.ts'

/** The terms of one settled request, which search learns for its offering. */
export type LearnedRequest = { jobId: string; agentKey: string; offeringId: string; payer: Address; terms: string[] }

export type LearningTables = {
  /** Stores a request, once per job, and queues its agent for reindexing. Does nothing when the payer refused learning. */
  learnRequest(request: LearnedRequest): Promise<void>
  /** The newest learned requests by agent and offering, of settled jobs only. Limited per payer and in total. */
  learnedRequests(agentIds: AgentId[]): Promise<{ agentId: AgentId; offeringId: string; terms: string[] }[]>
  /** Allows or refuses learning from a user. Refusing deletes what was learned. */
  setLearning(wallet: Address, isAllowed: boolean): Promise<void>
}
