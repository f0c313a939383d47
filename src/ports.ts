import type { AgentId } from './domain/agentId.ts'
import type { Deadlines } from './domain/deadlines.ts'
import type { Address, Hex } from './domain/hex.ts'
import type { JobEvent, JobState } from './domain/job.ts'
import type { Json, JsonObject } from './domain/json.ts'
import type { Atomic } from './domain/money.ts'
import type { Listing, Offering } from './domain/offering.ts'
import type { Proposal, Terms } from './domain/proposal.ts'
import type { RunEvent } from './domain/runEvent.ts'

// What the inside needs of the outside. Types only. Times are epoch ms, amounts atomic units as bigint.

export type Clock = { now(): number }

/** Fresh identifiers: 128 random bits behind a prefix, so that knowing one is a permission. */
export type Ids = { fresh(prefix: string): string }

/** Wake-ups inside this process. Hints only: they may be lost, whoever waits reads again after the time. */
export type Hints = {
  notify(channel: string): void
  /** Resolves at the next notify after this call, at the timeout or on abort; never rejects. */
  wait(channel: string, timeoutMs: number, signal?: AbortSignal): Promise<void>
  /** Calls back on every notify; the returned function ends it. */
  on(listener: (channel: string) => void): () => void
}

// ---------------------------------------------------------------- store

export type WalletRole = 'user' | 'agent' | 'evaluator' | 'treasury' | 'deployer'
/** A custodial wallet. `owner` is the user's wallet for role user, `<chain>:<handle>` for role agent, '' for the platform's own. */
export type Wallet = { address: Address; role: WalletRole; owner: string; sealedKey: string }

export type Agent = {
  /** `<chain>:<handle>`: the key before and after the identity is minted. */
  key: string
  /** Full id; undefined until the identity is minted on chain. */
  id: AgentId | undefined
  chainId: number
  handle: string
  owner: Address
  /** Custodial wallet that is paid and submits. */
  wallet: Address
  name: string
  description: string
  /** Undefined means POLLING. */
  endpointUrl: string | undefined
  viaGateway: boolean
  /** The registration as it arrived, for echo. */
  card: JsonObject
  createdAt: number
  updatedAt: number
}

export type RunState = 'working' | 'awaiting-input' | 'awaiting-confirmation' | 'awaiting-job' | 'completed' | 'failed'

export type Run = {
  id: string
  conversationId: string
  /** The user's own wallet, from the token. */
  user: Address
  chainId: number
  task: string
  state: RunState
  /** The interrupt that waits for an answer, as the graph names it. */
  interruptId: string | undefined
  /** What the user reads next: a question, a proposal's text, a result. */
  answer: string
  proposal: Proposal | undefined
  jobId: string | undefined
  /** Sequence of the last event in its log; 0 before the first. */
  lastSeq: number
  createdAt: number
  updatedAt: number
}

/** What a user said to an interrupt of a run. The first answer to an interrupt stands. */
export type RunInput =
  | { kind: 'answer'; text: string }
  | { kind: 'decision'; decision: 'yes' | 'no' | 'change' | 'lapsed'; digest: string; text: string }

export type Job = {
  id: string
  runId: string
  agentId: AgentId
  agentWallet: Address
  chainId: number
  user: Address
  /** The custodial proxy wallet that pays. */
  userWallet: Address
  terms: Terms
  offering: Offering
  budget: Atomic
  fee: Atomic
  deadlines: Deadlines
  state: JobState
  chainJobId: bigint | undefined
  attempt: number
  leaseUntil: number | undefined
  deliverable: string | undefined
  /** Why it ended or was sent back, in words for the user. */
  reason: string
  createdAt: number
  updatedAt: number
}

/** What a move may write besides the state. */
export type JobPatch = Partial<Pick<Job, 'chainJobId' | 'deliverable' | 'reason'>>

/** A call to a contract or a plain transfer, before it has a nonce. */
export type Call = { to: Address | undefined; data: Hex; value: bigint; gas: bigint }

export type IntentState = 'waiting' | 'sent' | 'confirmed' | 'reverted'
/** An effect on chain that was decided. Its key is unique for ever: `job:<id>:hire`. */
export type Intent = {
  seq: number
  key: string
  chainId: number
  sender: Address
  call: Call
  /** Key of the intent that must be confirmed first. */
  after: string | undefined
  state: IntentState
  nonce: number | undefined
  /** Hash of the transaction that was mined, or of the last one sent. */
  hash: Hex | undefined
}
export type NewIntent = Pick<Intent, 'key' | 'chainId' | 'sender' | 'call' | 'after'>

/** Signed bytes, stored before they are sent. */
export type SignedTransaction = { hash: Hex; raw: Hex; nonce: number }
/** Where a transaction was mined. */
export type Mined = { blockNumber: bigint; blockTime: number; index: number }

/** One leg of a double entry. The amounts of a posting add up to zero. */
export type LedgerEntry = { account: string; amount: Atomic }
export type Posting = {
  /** Unique: the same posting twice is taken once. */
  key: string
  chainId: number
  jobId: string | undefined
  runId: string | undefined
  txHash: Hex | undefined
  entries: LedgerEntry[]
}
export type LedgerRow = LedgerEntry & Omit<Posting, 'entries'> & { at: number }

export type Message = { role: 'user' | 'agent'; content: string; runId: string | undefined; at: number }

export type OutboxRow = { key: string; topic: string; payload: Json; attempts: number }

/**
 * The tables. Every function is one statement or one short transaction of its own; inside `atomically` they share one.
 * Functions that decide return what they wrote, or undefined when another write was first.
 */
export type Tables = {
  // agents and offerings
  agent(idOrKey: string): Promise<Agent | undefined>
  agentsByHandle(handle: string): Promise<Agent[]>
  /** Agents with an identity on chain, newest first. */
  agents(filter: { owner?: Address; chainId?: number; limit: number; offset: number }): Promise<Agent[]>
  countAgents(filter: { owner?: Address; chainId?: number }): Promise<number>
  /** Inserts unless (chain, handle) exists; undefined when it does. */
  addAgent(agent: Omit<Agent, 'id' | 'createdAt' | 'updatedAt'>): Promise<Agent | undefined>
  updateAgent(key: string, patch: Pick<Agent, 'name' | 'description' | 'endpointUrl' | 'viaGateway' | 'card'>): Promise<void>
  /** Sets the minted id once; undefined when it was set before. */
  setAgentId(key: string, id: AgentId): Promise<Agent | undefined>
  /** Replaces the list of an agent; the version of an unchanged offering stays. */
  putOfferings(agentKey: string, offerings: Offering[]): Promise<void>
  offerings(agentId: AgentId): Promise<Listing[]>
  /** A listing as it is now; undefined when it is gone. */
  listing(agentId: AgentId, offeringId: string): Promise<Listing | undefined>
  /** All listings of registered agents, for rebuilding the index. */
  listings(page: { limit: number; offset: number }): Promise<Listing[]>
  /** How many of them anyone may find and hire. */
  countListed(): Promise<number>

  // wallets and secrets
  wallet(role: WalletRole, owner: string): Promise<Wallet | undefined>
  walletByAddress(address: Address): Promise<Wallet | undefined>
  /** Inserts unless (role, owner) exists, and returns the one that stands. */
  addWallet(wallet: Wallet): Promise<Wallet>
  secret(name: string): Promise<string | undefined>
  /** Inserts unless the name exists, and returns the sealed text that stands. */
  addSecret(name: string, sealed: string): Promise<string>

  // conversations and runs
  addMessage(conversationId: string, user: Address, message: Omit<Message, 'at'>): Promise<void>
  messages(conversationId: string, user: Address): Promise<Message[]>
  addRun(run: Pick<Run, 'id' | 'conversationId' | 'user' | 'chainId' | 'task'>): Promise<Run>
  run(id: string): Promise<Run | undefined>
  runs(filter: { user: Address; limit: number; offset: number }): Promise<Run[]>
  newestRun(conversationId: string, user: Address): Promise<Run | undefined>
  /** The newest run of a conversation that waits for this user's words. */
  waitingRun(conversationId: string, user: Address): Promise<Run | undefined>
  /** Records the answer to an interrupt; the run is working again and woken. Undefined when it was answered before. */
  addRunInput(runId: string, interruptId: string, input: RunInput): Promise<RunInput | undefined>
  runInput(runId: string, interruptId: string): Promise<RunInput | undefined>
  /** Asks for the run to be advanced (again). */
  wakeRun(id: string): Promise<void>
  /**
   * Takes up to `limit` runs that were woken and are not held, holding each for `leaseMs`. A run whose hold lapsed without
   * being released counts as woken: its holder died.
   */
  claimRuns(leaseMs: number, limit: number): Promise<{ run: Run; lease: string }[]>
  /** Prolongs a hold; false when it was lost. */
  holdRun(id: string, lease: string, leaseMs: number): Promise<boolean>
  /** Writes where the graph stands and lets go; false when the hold was lost. */
  releaseRun(
    id: string,
    lease: string,
    standing: Pick<Run, 'state' | 'interruptId' | 'answer' | 'proposal' | 'jobId'>,
  ): Promise<boolean>
  /** Appends to the run's log. With a key, the same key of one run is taken once. */
  addRunEvent(runId: string, event: Pick<RunEvent, 'kind' | 'summary' | 'data'> & { key?: string }): Promise<void>
  runEvents(runId: string, afterSeq: number, limit: number): Promise<RunEvent[]>

  // jobs
  /** Inserts unless the run has one; undefined when it has. Starts open and tells the run's log. */
  addJob(
    job: Omit<Job, 'state' | 'chainJobId' | 'attempt' | 'leaseUntil' | 'deliverable' | 'reason' | 'createdAt' | 'updatedAt'>,
  ): Promise<Job | undefined>
  job(id: string): Promise<Job | undefined>
  jobOfRun(runId: string): Promise<Job | undefined>
  jobOnChain(chainId: number, chainJobId: bigint): Promise<Job | undefined>
  /**
   * One conditional write: the move happens when the table of moves allows it from the state the row has, otherwise
   * undefined. Tells the run's log (kind `job.<state>`) and wakes the run, in the same transaction.
   */
  moveJob(id: string, event: JobEvent, patch?: JobPatch): Promise<Job | undefined>
  /** The next queued job of an agent, leased to the caller; counts the attempt before the work. */
  leaseJob(agentId: AgentId): Promise<Job | undefined>
  /** Agents with queued jobs, to fill the index of who has work. */
  agentsWithWork(): Promise<AgentId[]>
  /** Jobs whose lease ended, whose promise ended, or that ran out of attempts: the workers' reading lists. */
  lapsedJobs(limit: number): Promise<Job[]>
  overdueJobs(limit: number): Promise<Job[]>
  jobs(filter: { user?: Address; agentId?: AgentId; state?: JobState; limit: number; offset: number }): Promise<Job[]>

  // effects
  /** Inserts intents whose key is new; those that exist stay as they are. */
  addIntents(intents: NewIntent[]): Promise<void>
  intent(key: string): Promise<Intent | undefined>
  intentByHash(chainId: number, hash: Hex): Promise<Intent | undefined>
  /** Senders with something to send or to look up. */
  activeSenders(chainId: number): Promise<Address[]>
  /** Of one sender: waiting intents that may go (their `after` is confirmed), oldest first. */
  sendable(chainId: number, sender: Address, limit: number): Promise<Intent[]>
  /** Intents that were sent and not yet seen mined, oldest nonce first, with every hash sent for them. */
  inFlight(chainId: number, sender: Address): Promise<{ intent: Intent; transactions: SignedTransaction[] }[]>
  /** The next free nonce of a sender; undefined before the first. */
  nextNonce(chainId: number, sender: Address): Promise<number | undefined>
  /** Stores the signed bytes and takes the nonce, in one write; false when the nonce was taken or the intent is not waiting. */
  recordSigned(seq: number, signed: SignedTransaction): Promise<boolean>
  recordMined(seq: number, hash: Hex, mined: Mined, success: boolean): Promise<boolean>
  /** Every signed transaction in the order it was mined, then the unmined ones: the journal that rebuilds an embedded chain. */
  journal(chainId: number): Promise<(SignedTransaction & { sender: Address; mined: Mined | undefined })[]>
  cursor(chainId: number): Promise<{ number: bigint; hash: Hex } | undefined>
  setCursor(chainId: number, at: { number: bigint; hash: Hex }): Promise<void>
  addOutbox(topic: string, key: string, payload: Json): Promise<void>
  /** Takes due rows of a topic for `leaseMs` and counts the attempt. */
  claimOutbox(topic: string, leaseMs: number, limit: number): Promise<OutboxRow[]>
  doneOutbox(topic: string, keys: string[]): Promise<void>

  // money
  /** Appends a posting whose entries add up to zero; false when its key was there. Throws RangeError when they do not. */
  post(posting: Posting): Promise<boolean>
  ledger(filter: { runId?: string; jobId?: string; account?: string }): Promise<LedgerRow[]>

  // requests that may come twice
  /** Claims (scope, key); when it exists, the request's hash and the answer given to it, if any. */
  claimKey(
    scope: string,
    key: string,
    requestHash: string,
  ): Promise<'claimed' | { requestHash: string; answer: Json | undefined }>
  answerKey(scope: string, key: string, answer: Json): Promise<void>
}

export type Store = Tables & {
  /** Runs `work` in one transaction; it may await nothing but the tables it is given. Rejects with what `work` threw, all undone. */
  atomically<T>(work: (tables: Tables) => Promise<T>): Promise<T>
  close(): Promise<void>
}

// ---------------------------------------------------------------- chain

/** Who agreed to what, as the escrow contract is told it. Times in epoch ms. */
export type HireTerms = {
  jobId: string
  client: Address
  provider: Address
  budget: Atomic
  expiresAt: number
}

export type ChainEvent = { txHash: Hex; blockNumber: bigint; blockHash: Hex; logIndex: number } & (
  | { name: 'JobCreated'; chainJobId: bigint; client: Address; provider: Address; jobKey: string }
  | { name: 'JobFunded'; chainJobId: bigint; client: Address; amount: Atomic }
  | { name: 'JobSubmitted'; chainJobId: bigint; deliverable: Hex }
  | { name: 'PaymentReleased'; chainJobId: bigint; provider: Address; amount: Atomic }
  | { name: 'Refunded'; chainJobId: bigint; client: Address; amount: Atomic }
)

/** An ERC-8183 job as the contract holds it. */
export type ChainJob = {
  client: Address
  provider: Address
  evaluator: Address
  budget: Atomic
  expiresAt: number
  status: 'open' | 'funded' | 'submitted' | 'completed' | 'rejected' | 'expired'
}

export type Receipt = Mined & { hash: Hex; success: boolean; blockHash: Hex }

/** One chain: calls to make, bytes to send, facts to look at. Throws Problem chain-unavailable when it does not answer. */
export type Chain = {
  chainId: number
  usdcDecimals: number
  addresses: { escrow: Address; usdc: Address; registry: Address; reputation: Address }
  evaluator: Address
  treasury: Address
  /** Platform fee in basis points of the budget, taken from the payout. */
  feeBps: number

  // calls, not yet sent
  /** createJob, setBudget and fund in one transaction of the client's proxy wallet. */
  hire(terms: HireTerms): Promise<Call>
  /** The approval that the client's wallet sends right before a hire, on tokens that take no signed authorization. */
  approve?: (amount: Atomic) => Call
  submit(chainJobId: bigint, deliverable: string): Call
  complete(chainJobId: bigint, reason: string): Call
  reject(chainJobId: bigint, reason: string): Call
  claimRefund(chainJobId: bigint): Call
  /** Mints the ERC-8004 identity to the owner with the agent wallet proven by its own signature. */
  registerAgent(agent: { owner: Address; wallet: Address; uri: string }): Promise<Call>
  /** Who sends it: the treasury when absent, or the agent's wallet, which then holds the identity (canonical registries). */
  registrar?: 'treasury' | 'agent'
  /** Native coin for a custodial wallet that has to send. */
  topUp(wallet: Address): Call
  /** Test USDC for a new user; undefined on chains with real money. */
  faucet: ((to: Address, amount: Atomic) => Call) | undefined

  // sending
  sign(sender: Address, nonce: number, call: Call): Promise<SignedTransaction>
  /** Sends signed bytes. Sending the same bytes again is harmless. */
  broadcast(raw: Hex): Promise<void>
  receipt(hash: Hex): Promise<Receipt | undefined>
  transactionCount(address: Address): Promise<number>
  /** Whether the wallet can pay for one more transaction. */
  hasGas(wallet: Address, call: Call): Promise<boolean>

  // looking
  head(): Promise<{ number: bigint; hash: Hex; timeMs: number }>
  blockHash(number: bigint): Promise<Hex | undefined>
  events(from: bigint, to: bigint): Promise<ChainEvent[]>
  job(chainJobId: bigint): Promise<ChainJob>
  /** The id in the Registered event of a mined registration; undefined when there is none. */
  registeredAgent(txHash: Hex): Promise<bigint | undefined>
  usdcBalance(of: Address): Promise<Atomic>
  usdcSupply(): Promise<Atomic>
}

/** Secrets at rest: sealed under the master key, bound to what they belong to. Opening with another key or purpose throws. */
export type Sealer = { seal(plain: string, purpose: string): string; open(sealed: string, purpose: string): string }

/** Custodial keys. Nobody outside the chain folder sees one. */
export type Wallets = {
  /** The custodial wallet of (role, owner), made on first use. */
  ensure(role: WalletRole, owner: string): Promise<Address>
}

/** Who signed a text per EIP-191; undefined when the signature is malformed or has a high s. */
export type RecoverSigner = (message: string, signature: Hex) => Promise<Address | undefined>

// ---------------------------------------------------------------- search and model

/** A found listing. `coverage` is the share (0–1) of the query's meaningful words that the listing contains. */
export type Found = { agentId: AgentId; offeringId: string; score: number; coverage: number }

export type Search = {
  /** Makes listings findable; the newest version of each wins. */
  put(listings: Listing[]): Promise<void>
  remove(agentId: AgentId): Promise<void>
  search(query: { text: string; chainId?: number; maxPrice?: string; limit: number }): Promise<Found[]>
  /** Number of rows, to notice an index that lost some. */
  count(): Promise<number>
  close(): Promise<void>
}

export type Understanding = {
  intent: 'task' | 'smalltalk' | 'help'
  /** The task in one sentence, for search. */
  task: string
  /** The most the user wants to pay in USDC, decimal text; only when the user said so. */
  maxPrice: string | undefined
  /** Handle or id of an agent the user named. */
  agent: string | undefined
}

/** A listing as a model may see it: short quoted texts, no ids, no money to set. */
export type ListingView = { name: string; description: string; price: string; slaMinutes: number; coverage: number }

/** The language model behind typed functions; the rules are its twin without a key. Throws Problem model-unavailable. */
export type Model = {
  /** `rules` or `<provider>:<model>`; shown in answers. */
  id: string
  understand(said: string[]): Promise<Understanding>
  /** Points at one listing by its index, or at none with -1. */
  choose(of: { task: string; listings: ListingView[] }): Promise<{ pick: number; reason: string }>
  /** The requirement's input as far as the user's words give it. Never invents a value. */
  fill(of: { said: string[]; requirement: JsonObject }): Promise<JsonObject>
}

// ---------------------------------------------------------------- butler

/** The graph, as the outside sees it: one thread a run. */
export type Butler = {
  /**
   * Goes on from wherever the thread stands, until it waits or ends. Safe to call again at any time. Under a lease it rejects
   * at the first step after the hold of the run went to somebody else.
   */
  advance(run: Run, lease?: string): Promise<Pick<Run, 'state' | 'interruptId' | 'answer' | 'proposal' | 'jobId'>>
}
