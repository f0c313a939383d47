import type { AgentId } from '../domain/agentId.ts'
import type { Address } from '../domain/hex.ts'

/** The terms of one settled request: what search may learn about the offering that did it. */
export type LearnedRequest = { jobId: string; agentKey: string; offeringId: string; payer: Address; terms: string[] }

export type LearningTables = {
  /** Keeps a request, once a job, and asks for its agent to be indexed again; nothing when its payer refused. */
  learnRequest(request: LearnedRequest): Promise<void>
  /** The newest requests of some agents whose jobs stand settled, by agent and offering: few of one payer, bounded in all. */
  learnedRequests(agentIds: AgentId[]): Promise<{ agentId: AgentId; offeringId: string; terms: string[] }[]>
  /** Refusing forgets what was learned from the user. */
  setLearning(wallet: Address, isAllowed: boolean): Promise<void>
}
