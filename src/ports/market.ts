import type { AgentId } from '../domain/agentId.ts'
import type { Address } from '../domain/hex.ts'
import type { JobState } from '../domain/job.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import type { Atomic } from '../domain/money.ts'
import type { Listing } from '../domain/offering.ts'
import type { PostingState } from '../domain/posting.ts'
import type { Judgements } from '../domain/reputation.ts'

/** How many jobs of one agent stand in one state at one price: exact sums are made of these, in the units of the chain. */
export type JobCount = { agentId: AgentId; chainId: number; state: JobState; budget: Atomic; fee: Atomic; count: number }

/** One agent's judgements by one payer of one day, with what is known of the agent as a whole. Times in epoch ms. */
export type JudgementRow = Judgements & { agentId: AgentId; lastDelivery: number | undefined; median: number | undefined }

/** Several agents under one name. */
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

/** A user's orchestrator on one chain. */
export type ButlerRow = { wallet: Address; chainId: number; handle: string; createdAt: number }

/** A job that was posted by hand. Names of people are kept as they came; `…Key` is the wallet in them, if any. */
export type PostedJob = {
  id: string
  chainId: number
  state: PostingState
  description: string
  /** Decimal text. */
  rewardAmount: string
  rewardToken: string
  clientId: string
  clientKey: string
  /** The poster proved to be the client, so that only the client's token speaks for it. */
  isProven: boolean
  providerId: string
  providerKey: string
  evaluatorId: string
  evaluatorKey: string
  metadata: JsonObject
  deliverable: Json | undefined
  reason: string
  expiresAt: number
  createdAt: number
  updatedAt: number
}
export type NewPostedJob = Omit<PostedJob, 'state' | 'deliverable' | 'reason' | 'createdAt' | 'updatedAt'>
export type PostedJobPatch = Partial<Pick<PostedJob, 'providerId' | 'providerKey' | 'deliverable' | 'reason'>>

/** `title`: the beginning of what the user said first; of the newest message when the user has said nothing. */
export type ConversationSummary = {
  conversationId: string
  title: string
  lastMessage: string
  messageCount: number
  updatedAt: number
}
export type Payout = { jobId: string; payee: string; amount: Atomic; chainId: number; txHash: string; at: number }

/** What is read of the market as a whole, and the records beside hires. */
export type MarketTables = {
  /** Offerings that anyone may hire, newest agents first. */
  listed(filter: { chainId?: number; limit: number; offset: number }): Promise<Listing[]>
  /** Agents and offerings that anyone may find, of agents that registered before a moment. */
  countMarket(filter: { chainId?: number; before: number }): Promise<{ agents: number; offerings: number; postings: number }>
  /** `byOthers`: without the jobs that an agent's owner hired it for. */
  jobCounts(filter: { agentIds?: AgentId[]; user?: Address; before?: number; byOthers?: boolean }): Promise<JobCount[]>
  /** How the funded jobs of agents were judged, those of their own owners left out. */
  judgements(filter: { agentIds?: AgentId[]; chainId?: number }): Promise<JudgementRow[]>
  /** Verified agents with offerings and fewer judged jobs than that, newest first. */
  newAgents(filter: { chainId?: number; judgedBelow: number; limit: number }): Promise<AgentId[]>
  /** The newest payments to an agent's wallet. */
  payouts(agentId: AgentId, limit: number): Promise<Payout[]>
  /** What an agent was paid from each of these moments (epoch ms, ascending) to the next one, and from the last one on. */
  payoutSums(agentId: AgentId, starts: number[]): Promise<Atomic[]>
  /** USDC an agent asks for a direct call, decimal text. */
  callPrice(agentKey: string): Promise<string>
  /** Whether its owner took it off the market. */
  isRetired(agentKey: string): Promise<boolean>
  callPrices(agentKeys: string[]): Promise<Map<string, string>>
  /** Takes an agent off the market: its offerings go, its identity and its jobs under way stay. */
  retireAgent(agentKey: string): Promise<void>
  setCallPrice(agentKey: string, price: string): Promise<void>
  addGroup(group: AgentGroup): Promise<void>
  /** The butler of (wallet, chain), made on first use. */
  activateButler(wallet: Address, chainId: number, handle: string): Promise<ButlerRow>
  butler(wallet: Address, chainId?: number): Promise<ButlerRow | undefined>
  conversations(user: Address, limit: number): Promise<ConversationSummary[]>
  countRuns(user: Address): Promise<number>

  addPosting(posting: NewPostedJob): Promise<PostedJob>
  posting(id: string): Promise<PostedJob | undefined>
  /** One conditional write: only from these states, only before it expires, and only for the provider who has it. */
  movePosting(id: string, move: { from: PostingState[]; to: PostingState; patch: PostedJobPatch }): Promise<PostedJob | undefined>
  postings(filter: { key?: string; chainId?: number; limit: number; offset: number }): Promise<PostedJob[]>
}
