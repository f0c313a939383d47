import type { AgentId } from '../domain/agentId.ts'
import type { Address, Hex } from '../domain/hex.ts'
import type { JobEvent, JobState } from '../domain/job.ts'
import type { Json } from '../domain/json.ts'
import type { Listing, Offering } from '../domain/offering.ts'
import type { RunEvent } from '../domain/runEvent.ts'
import type {
  Agent,
  Intent,
  Job,
  JobPatch,
  LedgerRow,
  Message,
  Mined,
  NewIntent,
  OutboxRow,
  Posting,
  Run,
  RunInput,
  SignedTransaction,
  Wallet,
  WalletRole,
} from './rows.ts'

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
