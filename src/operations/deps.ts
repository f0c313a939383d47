import type { AgentId } from '../domain/agents/agentId.ts'
import type { Address } from '../domain/hex.ts'
import type { Finding } from '../domain/offerings/diagnosis.ts'
import type {
  Certificate,
  Chain,
  Clock,
  Follower,
  Gateway,
  Ids,
  LaunchedToken,
  RecoverSigner,
  ReserveKind,
  ResourceClient,
  Search,
  Store,
  Wakeups,
  Wallets,
  WorkIndex,
} from '../ports.ts'
import type { Completed, Completion, Delivery } from '../records/delivery.ts'
import type { JobRecord } from '../records/postedJob.ts'
import type { Caller } from './caller.ts'
import type { Access, Identity } from './identityParts.ts'
import type { RunFeeds } from './runFeeds.ts'
import type { Turns } from './turns.ts'

/** Settings that are fixed at the start. */
export type Settings = {
  /** Base URL under which clients reach this service. */
  publicUrl: string
  /** Local world: demo wallets and test USDC are available. */
  local: boolean
  /** Id of the language model, or `rules`. */
  model: string
  /** Test USDC for a new user of the local world, decimal text. */
  faucet: string
  /** Whether agents may use endpoints in private networks. */
  allowsPrivate: boolean
}

/** Jobs of a feature that are no hires, in the shape of the job API. */
export type OtherJobs = {
  /** A job that this caller may read. */
  read(id: string, deps: Deps, caller: Caller): Promise<JobRecord | undefined>
  /** Jobs in which this wallet is proved to have the role, newest first. Absent when none are listed. */
  list?(of: JobsOfWallet, deps: Deps): Promise<JobRecord[]>
  /** Leases the next job of an agent, in the form in which the agent gets it. Absent when agents get none. */
  lease?(agentId: AgentId, deps: Deps): Promise<Delivery | undefined>
  /** A job that an agent may complete. */
  held?(id: string, deps: Deps): Promise<HeldJob | undefined>
  /** What these jobs say about an agent, for its diagnosis. */
  diagnose?(agentId: AgentId, deps: Deps): Promise<Finding>
}

export type JobsOfWallet = { wallet: Address; chainId?: number; role: 'client' | 'provider' | 'evaluator' | 'any' }

/** What agent tokens mean for other money. */
export type TokenMoney = {
  /**
   * A token by its address, or by the id or handle of its agent.
   * @throws Problem token-not-found
   */
  find(text: string, chainId: number, deps: Deps): Promise<Pick<LaunchedToken, 'token' | 'symbol'>>
  /** The asset of the fees that an agent's token pays; undefined for an agent without a token. */
  feeAsset(agentId: AgentId, deps: Deps): Promise<ReserveKind | undefined>
}

/** A job that is no hire, such as a test job, as its agent completes it. */
export type HeldJob = {
  id: string
  agentId: AgentId
  chainId: number
  /** @throws Problem busy, body-too-large, invalid-input */
  complete(completion: Completion, deps: Deps): Promise<Completed>
}

/** Dependencies of operations. */
export type Deps = {
  store: Store
  chains: ReadonlyMap<number, Chain>
  /** Reasons why configured chains are not served, by chain id. */
  refusedChains?: ReadonlyMap<number, string>
  wallets: Wallets
  recoverSigner: RecoverSigner
  search: Search
  identity: Identity
  /** Absent in processes that serve no requests. */
  access?: Access
  work: WorkIndex
  gateway: Gateway
  /** Limits concurrent registrations per wallet. */
  registrations: Turns
  /** Requests to resources that users buy, with a limit of concurrent ones per user. */
  resources: ResourceClient & { turns: Turns }
  wakeups: Wakeups
  /** Committed events of runs, in memory for the streams of this process. */
  runFeeds: RunFeeds
  /** Jobs besides hires, by feature; absent without features. */
  otherJobs?: readonly OtherJobs[]
  /** The parts of the features in following the chain. */
  followers: readonly Follower[]
  /** Absent where tokens are not offered. */
  tokens?: TokenMoney | undefined
  /** Valid certificates of agents' offerings; absent where none are issued. */
  certificatesOf?(agentIds: AgentId[]): Promise<Certificate[]>
  clock: Clock
  ids: Ids
  settings: Settings
  /** The wallet of a client without a token in the local world. Undefined elsewhere, where tools then ask for a token. */
  demoUser?(): Address | undefined
}
