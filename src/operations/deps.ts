import type { AgentId } from '../domain/agents/agentId.ts'
import type { Address } from '../domain/hex.ts'
import type { Verdict } from '../domain/jobs/acceptance.ts'
import type { Examined } from '../domain/jobs/deliverable.ts'
import type { Json } from '../domain/json.ts'
import type { Atomic } from '../domain/money/money.ts'
import type { Finding } from '../domain/offerings/diagnosis.ts'
import type { Failing } from '../domain/operator/alerts.ts'
import type { PaymentProblem } from '../domain/problem.ts'
import type { PurchaseProposal } from '../domain/runs/purchaseTerms.ts'
import type { PaidRequest } from '../domain/x402/purchase.ts'
import type { WantedResource } from '../domain/x402/wantedResource.ts'
import type {
  Agent,
  AgentReport,
  Butler,
  Certificate,
  Chain,
  Clock,
  FileVault,
  Follower,
  Gateway,
  Ids,
  Job,
  LaunchedToken,
  Mail,
  Personal,
  RecoverSigner,
  ReserveKind,
  ResourceClient,
  Run,
  Sealer,
  Search,
  Store,
  Tables,
  Wakeups,
  Wallets,
  WebPush,
  WorkIndex,
} from '../ports.ts'
import type { Completed, Completion, Delivery } from '../records/delivery.ts'
import type { OutsideHit } from '../records/outside.ts'
import type { JobRecord } from '../records/postedJob.ts'
import type { Caller } from './caller.ts'
import type { Access, Identity } from './identityParts.ts'
import type { RunFeeds } from './runFeeds.ts'
import type { Turns } from './turns.ts'

export type Settings = {
  publicUrl: string
  /** Local world: demo wallets and test USDC are available. */
  local: boolean
  /** Id of the language model, or `rules`. */
  model: string
  /** Test USDC for a new user of the local world, decimal text. */
  faucet: string
  allowsPrivate: boolean
  /** Facilitators of x402 that settle what is sold on a chain, by its id: the base of `/verify` and `/settle`. */
  facilitators?: ReadonlyMap<number, string> | undefined
  mail?: boolean
  /** Catalogues of x402 resources that are read; absent for none. `probesPerMinute` bounds the checks of what they list. */
  catalogues?: { urls: readonly string[]; probesPerMinute: number } | undefined
}

/** Jobs of a feature that are no hires, in the shape of the job API. */
export type OtherJobs = {
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

/** Advances a run of a feature by code alone; undefined for other runs, which the butler advances. */
export type AdvanceRun = (
  run: Run,
  deps: Pick<Deps, 'store' | 'chains' | 'clock' | 'selling'>,
) => Promise<Awaited<ReturnType<Butler['advance']>> | undefined>

/** The open transaction, and the chains on which a settlement is encoded. */
export type SettlingReach = { store: Tables; chains: Deps['chains'] }

/** Calls of agents that are paid with the request (x402). Their jobs have the kind `paid-call`. */
export type Selling = {
  /** The URLs at which calls and offerings of an agent are sold. */
  addressesOf(agent: Pick<Agent, 'key' | 'chainId'> & { id: string }, deps: SalesReach): Promise<string[]>
  /** The refusal of an unpaid call with its price; undefined where calls of the agent are not sold. */
  refusalOf(agent: string, deps: Deps): Promise<PaymentProblem | undefined>
  /**
   * Makes the call that a request pays, and waits for its end up to a limit.
   * @throws PaymentProblem, Problem invalid-input, invalid-payment, payment-reused, work-failed
   */
  buy(call: { agent: string; body: Json }, deps: Deps, caller: Caller): Promise<SoldCall>
  /** The headers with the settlement of a call; empty unless it is settled. */
  headersOf(call: unknown): Record<string, string>
  /** Adds the intent that pays a job whose work was accepted, in the transaction of that decision. */
  settle(at: SettlingReach, job: Job): Promise<void>
  /**
   * Judges a deliverable inside a transaction, and decides its settlement when it passes. Undefined when there is no such job.
   */
  judge(at: SettlingReach, jobId: string, examined: Examined): Promise<Verdict | undefined>
  /** Says that somebody else used the payment of a failed call; undefined when it is unused. */
  describeTaken(job: Job, deps: Pick<Deps, 'store' | 'chains'>): Promise<string | undefined>
}

/** Purchases of resources of other services (x402), as the butler makes them. A purchase has the id of its run. */
export type Buying = {
  /** Asks for the price and proposes to pay it. Otherwise a refusal, or what the resource gave for nothing. */
  quote(deps: Deps, runId: string, of: WantedPurchase): Promise<QuotedPurchase>
  /** Starts the payment of the purchase that the run proposed, once; a refusal with its reason otherwise. */
  agree(deps: Deps, runId: string, digest: string): Promise<{ id: string } | PurchaseRefusal>
  decline(deps: Deps, runId: string): Promise<unknown>
  /** How the purchase of a run ended and where its money is; empty without one. */
  describe(deps: Pick<Deps, 'store' | 'chains'>, runId: string): Promise<string>
}

/**
 * `isAsked`: the user was asked before in this run, so a mandate no longer covers the purchase. `id`: that of a step of the run's
 * plan.
 */
export type WantedPurchase = { resource: WantedResource; chainId: number; maxPrice: string | undefined; isAsked: boolean } & {
  id?: string
}

/** `isAgreed`: the purchase has its consent already, so nothing is asked. `content` quotes what the resource gave for nothing. */
export type QuotedPurchase = { proposal: PurchaseProposal; isAgreed: boolean } | { refusal: string } | { content: string }

export type PurchaseRefusal = { refusal: 'changed' | 'not-covered' | 'refused'; words: string }

type SalesReach = Pick<Deps, 'store' | 'chains' | 'settings'>
type SoldCall = { run_id: string; content: string; look_at: string; [member: string]: Json }

/** Resources of other services that catalogues list, checked by requests without a payment. */
export type Supply = {
  /** Resources that passed their last check and fit a request, best first. */
  find(
    deps: SupplyReach,
    want: { text: string; chainId: number; maxPrice?: string | undefined; limit: number },
  ): Promise<OutsideHit[]>
  /** The terms with which catalogues list a resource; none where no catalogue lists it. */
  know(deps: SupplyReach, of: Pick<PaidRequest, 'url' | 'method'> & { chainId: number }): Promise<KnownResource[]>
}

/** `most`: the price that it is shown with. `words`: what people are told of it. */
export type KnownResource = { payTo: Address; most: Atomic; words: string }

type SupplyReach = Pick<Deps, 'store' | 'chains' | 'clock' | 'settings'>

/** What a receiver of pushes recognises this service by: the credentials of a scheme, or else a token. */
export type PushSecret = { token: string; scheme: string; credentials: string }

type NewTaskPush = { id: string; url: string; run: Run; secret: PushSecret; version: '1.0' | '0.3'; afterSeq: number }

/** Addresses that are told when a task of A2A waits for its user or has ended. */
export type TaskPushes = {
  /**
   * Adds an address or replaces the one with its id. What happened in the run after `afterSeq` is told.
   * @throws Problem too-many-kept, endpoint-not-allowed
   */
  keep(of: NewTaskPush, deps: Deps): Promise<void>
  list(runId: string, deps: Deps): Promise<{ id: string; url: string }[]>
  drop(of: { runId: string; id: string }, deps: Deps): Promise<boolean>
}

/** Passkeys of users, which are asked again for a yes that costs much. */
export type Presence = {
  hasPasskey(user: Address, deps: Pick<Deps, 'store'>): Promise<boolean>
  /**
   * Demands that a passkey of the user signed a digest, and keeps the signature. It demands nothing of users without passkeys.
   * @throws PasskeyProblem with what the browser needs; Problem signature-mismatch
   */
  demand(of: DemandedYes, deps: Deps): Promise<void>
}

/** A yes to `terms`, named by `digest`. `answer` is what the passkey signed; undefined when it was not asked yet. */
export type DemandedYes = { user: Address; operation: string; digest: string; terms: string; answer: string | undefined }

export type Deps = {
  store: Store
  chains: ReadonlyMap<number, Chain>
  /** Reasons why configured chains are not served, by chain id. */
  refusedChains?: ReadonlyMap<number, string>
  wallets: Wallets
  recoverSigner: RecoverSigner
  /** Whether an address in mixed case has a wrong checksum (EIP-55). Absent where none is checked. */
  isMistyped?(address: string): boolean
  search: Search
  identity: Identity
  /** Absent in processes that serve no requests. */
  access?: Access
  work: WorkIndex
  gateway: Gateway
  registrations: Turns
  /** The bytes of uploaded files. */
  files: FileVault
  /** Requests to resources that users buy, with a limit of concurrent ones per user. */
  resources: ResourceClient & { turns: Turns }
  wakeups: Wakeups
  /** Committed events of runs, in memory for the streams of this process. */
  runFeeds: RunFeeds
  /** Jobs besides hires, by feature; absent without features. */
  otherJobs?: readonly OtherJobs[]
  /** The parts of the features in following the chain. */
  followers: readonly Follower[]
  /** Undefined where agents are not sold by x402. */
  selling: Selling | undefined
  /** Undefined where nothing is bought by x402. */
  buying: Buying | undefined
  /** Absent where no catalogue of other services is read. */
  supply?: Supply | undefined
  /** Absent where tasks of A2A are told to nobody. */
  taskPushes?: TaskPushes | undefined
  /** Seals secrets that people leave here. Absent in processes that serve no requests. */
  sealer?: Sealer
  /** Absent where tokens are not offered. */
  tokens?: TokenMoney | undefined
  /** The agents that a user blocked; absent where nobody can. The tables may be those of a transaction. */
  blockedBy?: ((tables: Tables, wallet: Address) => Promise<ReadonlySet<AgentId>>) | undefined
  /** The newest reports of agents; absent where there are none. */
  newestReports?: ((tables: Tables, limit: number) => Promise<AgentReport[]>) | undefined
  /** What the features keep of people. */
  personal?: readonly Personal[]
  /** Pushes to the browsers of users; absent where none are sent. */
  webPush?: WebPush
  /** Absent where no mail server is configured. */
  mail?: Mail | undefined
  /** Absent where people have no passkeys. */
  presence?: Presence | undefined
  /** Valid certificates of agents' offerings; absent where none are issued. */
  certificatesOf?(agentIds: AgentId[]): Promise<Certificate[]>
  clock: Clock
  ids: Ids
  settings: Settings
  /** Workers of this process that fail, with the time since when in ms. Absent in processes without workers. */
  failingWorkers?(): readonly Failing[]
  /** Those of the chains that no process leads, so that nothing happens there. */
  unledChains?(chainIds: Iterable<number>): Promise<number[]>
  /** The wallet of a client without a token in the local world. Undefined elsewhere, where tools then ask for a token. */
  demoUser?(): Address | undefined
}
