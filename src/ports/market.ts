import type { AgentId } from '../domain/agents/agentId.ts'
import type { Judgements } from '../domain/agents/reputation.ts'
import type { Address } from '../domain/hex.ts'
import type { JobState } from '../domain/jobs/job.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Atomic } from '../domain/money/money.ts'
import type { Listing, ShownMember } from '../domain/offerings/offering.ts'
import type { Pruned } from '../domain/operator/retention.ts'

/**
 * Number of an agent's jobs per state, price and fee, from which exact sums are computed. Amounts in atomic USDC of the chain.
 */
export type JobCount = { agentId: AgentId; chainId: number; state: JobState; budget: Atomic; fee: Atomic; count: number }

/** Judgements of one agent by one payer on one day, with figures of the agent as a whole. Times in epoch ms. */
export type JudgementRow = Judgements & { agentId: AgentId; lastDelivery: number | undefined; median: number | undefined }

/** An offering as shown in the list of services. */
export type ListedService = Pick<
  Listing,
  'id' | 'name' | 'description' | 'price' | 'slaMinutes' | 'agentId' | 'agentHandle' | 'agentName' | 'chainId'
> & { [name in 'examples' | 'tags' | ShownMember]?: Listing[name] | undefined }

/** A filter for listed offerings. `agentIds` restricts it to these agents. */
export type ListedFilter = { chainId?: number; tag?: string; maxPrice?: string; agentIds?: AgentId[] }
/** `jobs` puts offerings first whose agents settled the most jobs of other users. Ties are ordered by the newest agents. */
export type ListedOrder = 'newest' | 'sample' | 'price' | 'speed' | 'jobs'

export type AgentGroup = {
  id: string
  owner: Address | undefined
  name: string
  displayName: string
  members: AgentId[]
  /** USDC, decimal text. */
  price: string
  metadata: JsonObject
}

export type ButlerRow = { wallet: Address; chainId: number; handle: string; createdAt: number }

export type GroupCounts = { ofOwner: number; ofAddress: number; ofStrangers: number }
/** `title`: the beginning of the user's first message, or of the newest message when the user has sent none. */
export type ConversationSummary = {
  conversationId: string
  title: string
  lastMessage: string
  messageCount: number
  updatedAt: number
  /** State of the job that its newest message is about. */
  jobState: JobState | undefined
}
export type Payout = { jobId: string; payee: string; amount: Atomic; chainId: number; txHash: string; at: number }

/** Queries of the market as a whole, and records besides hires. */
export type MarketTables = {
  /** Offerings that anyone may hire. */
  listed(filter: ListedFilter & { order: ListedOrder; limit: number; offset: number }): Promise<ListedService[]>
  countListedBy(filter: ListedFilter): Promise<number>
  /** The most frequent tags of listed offerings. */
  listedTags(filter: Omit<ListedFilter, 'tag'>, limit: number): Promise<{ tag: string; count: number }[]>
  agentNames(agentIds: AgentId[]): Promise<Map<AgentId, { handle: string; name: string }>>
  /** Counts of public agents and offerings, of agents that registered before a time. */
  countMarket(filter: { chainId?: number; before: number }): Promise<{ agents: number; offerings: number; postings: number }>
  /**
   * Job counts. `since` excludes jobs that last moved before it.
   * `ofMarket` counts the jobs of all agents together: their `agentId` is empty.
   */
  jobCounts(filter: {
    agentIds?: AgentId[]
    user?: Address
    before?: number
    since?: number
    ofMarket?: boolean
  }): Promise<JobCount[]>
  /**
   * Agents of a chain whose jobs of others were paid, those with the most such jobs or earnings first. `earned` is in atomic
   * units, rounded above 2^53.
   */
  mostPaid(filter: {
    by: 'tasks' | 'revenue'
    chainId: number
    limit: number
  }): Promise<{ agentId: AgentId; paidJobs: number; earned: number }[]>
  /** Judgements of agents' funded jobs, without those of their own owners. */
  judgements(filter: { agentIds?: AgentId[]; chainId?: number }): Promise<JudgementRow[]>
  /** Agents whose rating is to be computed, with how many requests each has and all its judgements. */
  dueRatings(limit: number): Promise<{ agentId: AgentId; due: number; rows: JudgementRow[] }[]>
  /** Stores ratings. A request that came since `due` was read stays. `topScore` is the score of an agent that is seen now. */
  keepRatings(ratings: { agentId: AgentId; due: number; topScore: number }[]): Promise<void>
  /** The agents with the highest ratings, and at most as many whose rating is to be computed. */
  topRated(filter: { chainId?: number; isVerified: boolean; limit: number }): Promise<AgentId[]>
  /** Verified agents with offerings and fewer than `judgedBelow` judged jobs, newest first. */
  newAgents(filter: { chainId?: number; judgedBelow: number; limit: number }): Promise<AgentId[]>
  /** The newest payments to an agent's wallet. */
  payouts(agentId: AgentId, limit: number): Promise<Payout[]>
  /** Sums of an agent's payments from each of these times (epoch ms, ascending) to the next, and from the last one on. */
  payoutSums(agentId: AgentId, starts: number[]): Promise<Atomic[]>
  /** Sums of the fees that were paid for the agent's token, likewise, in atomic units of its curve's asset. */
  tokenFeeSums(agentId: AgentId, starts: number[]): Promise<Atomic[]>
  /** Price of a direct call to an agent, in decimal USDC. */
  callPrice(agentKey: string): Promise<string>
  /** Whether the owner removed the agent from the market. */
  isRetired(agentKey: string): Promise<boolean>
  callPrices(agentKeys: string[]): Promise<Map<string, string>>
  /** Removes an agent and its offerings from the market. Its identity and its running jobs stay. */
  retireAgent(agentKey: string): Promise<void>
  setCallPrice(agentKey: string, price: string): Promise<void>
  addGroup(group: AgentGroup & { source: string | undefined }): Promise<void>
  /**
   * Number of groups of a wallet or a network address, and of all callers without a token. It takes a lock until the
   * transaction ends.
   */
  lockGroupCounts(of: { owner: Address | undefined; source: string | undefined }): Promise<GroupCounts>
  /** The butler of (wallet, chain), created on first use. */
  activateButler(wallet: Address, chainId: number, handle: string): Promise<ButlerRow>
  butler(wallet: Address, chainId?: number): Promise<ButlerRow | undefined>
  conversations(user: Address, limit: number): Promise<ConversationSummary[]>
  countRuns(user: Address): Promise<number>

  /**
   * Deletes old posted jobs that have ended, old test jobs, and old groups and runs without an owner.
   * @returns whether more are left
   */
  sweepRecords(keepMs: number): Promise<boolean>
  /**
   * Removes the texts of some runs that ended before `keepMs`. It takes no run that is under way: with an open job, effect,
   * purchase or paid call, or without its feedback. Money facts stay.
   * @param user only runs of this user, also those that wait for the user without a job
   * @returns what was removed; no runs when none is left
   */
  pruneRuns(keepMs: number, user?: Address): Promise<Pruned>
  /** Number of runs of a user whose texts are here. */
  countUnpruned(user: Address): Promise<number>
  /** What `pruneRuns` would remove in all its calls together. */
  countPrunable(keepMs: number): Promise<Pruned>
}

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
