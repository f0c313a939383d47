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

/** An offering as a list of services shows it. */
export type ListedService = Pick<
  Listing,
  'id' | 'name' | 'description' | 'price' | 'slaMinutes' | 'agentId' | 'agentHandle' | 'agentName' | 'chainId'
>

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
  /** The provider proved to be the wallet that it names. */
  isProviderProven: boolean
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
/** A posted job as the board shows it. */
export type BoardRow = Omit<
  PostedJob,
  | 'metadata'
  | 'deliverable'
  | 'reason'
  | 'isProven'
  | 'isProviderProven'
  | 'clientKey'
  | 'evaluatorId'
  | 'evaluatorKey'
  | 'updatedAt'
>
/** `now` in epoch ms decides what has run out; `query` is looked for in the description, in any letter case. */
export type BoardFilter = { now: number; chainId?: number; status?: 'open' | 'closed' | 'fulfilled'; query?: string }
export type PostingCounts = { ofWallet: number; ofAddress: number; ofStrangers: number; ofUsers: number }
export type GroupCounts = { ofOwner: number; ofAddress: number; ofStrangers: number }
export type NewPostedJob = Omit<PostedJob, 'isProviderProven' | 'state' | 'deliverable' | 'reason' | 'createdAt' | 'updatedAt'>
export type PostedJobPatch = Partial<
  Pick<PostedJob, 'providerId' | 'providerKey' | 'isProviderProven' | 'deliverable' | 'reason'>
>

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
  listed(filter: { chainId?: number; limit: number; offset: number }): Promise<ListedService[]>
  /** What agents are called, by id. */
  agentNames(agentIds: AgentId[]): Promise<Map<AgentId, { handle: string; name: string }>>
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
  addGroup(group: AgentGroup & { source: string | undefined }): Promise<void>
  /** How many groups a wallet or a network address has, and all strangers. Inside a transaction nobody else adds one before its end. */
  holdGroups(of: { owner: Address | undefined; source: string | undefined }): Promise<GroupCounts>
  /** The butler of (wallet, chain), made on first use. */
  activateButler(wallet: Address, chainId: number, handle: string): Promise<ButlerRow>
  butler(wallet: Address, chainId?: number): Promise<ButlerRow | undefined>
  conversations(user: Address, limit: number): Promise<ConversationSummary[]>
  countRuns(user: Address): Promise<number>

  addPosting(posting: NewPostedJob & { source: string | undefined }): Promise<PostedJob>
  /** How many posted jobs are kept. Inside a transaction nobody else adds one before its end. */
  holdPostings(of: { wallet: Address | undefined; source: string | undefined }): Promise<PostingCounts>
  posting(id: string): Promise<PostedJob | undefined>
  /** One conditional write: only from these states, only before it expires, and only for the provider who has it. */
  movePosting(id: string, move: { from: PostingState[]; to: PostingState; patch: PostedJobPatch }): Promise<PostedJob | undefined>
  /** The board, newest first: a page of it, and how many there are. */
  board(filter: BoardFilter & { limit: number; offset: number }): Promise<{ page: BoardRow[]; total: number }>
  /**
   * Posted jobs of one user, newest first, where whoever is named proved it: the client or the provider its wallet, or the client
   * of a job that names its evaluator. Long deliverables are left out.
   */
  postingsOf(of: {
    wallet: Address
    role: 'client' | 'provider' | 'evaluator'
    chainId?: number
    limit: number
  }): Promise<PostedJob[]>
  /** Forgets posted jobs that ended so long ago, and groups and runs of nobody that rested so long. @returns whether more are left */
  sweepRecords(keepMs: number): Promise<boolean>
}
