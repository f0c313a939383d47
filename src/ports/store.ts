import type { AgentId } from '../domain/agents/agentId.ts'
import type { Address } from '../domain/hex.ts'
import type { Json } from '../domain/json.ts'
import type { Listing, Offering } from '../domain/offerings/offering.ts'
import type { AlertState } from '../domain/operator/alerts.ts'
import type { NextTask } from '../domain/runs/nextTask.ts'
import type { NewRunEvent, RunEvent } from '../domain/runs/runEvent.ts'
import type { AccessTables, AccountEventTables } from './access.ts'
import type { RunSnapshot } from './butler.ts'
import type { SendingTables, WatchingTables } from './effects.ts'
import type { FileTables, UploadTables } from './files.ts'
import type { GatewayTables } from './gateway.ts'
import type { HistoryTables } from './history.ts'
import type { JobTables } from './jobs.ts'
import type { MandateTables } from './mandates.ts'
import type { LearningTables, MarketTables } from './market.ts'
import type { PlanTables } from './plans.ts'
import type { PurchaseReads, SaleReads } from './purchases.ts'
import type {
  Agent,
  ClaimedRun,
  Job,
  LedgerRow,
  ListedAgent,
  Message,
  OutboxRow,
  Posting,
  Run,
  RunInput,
  Wallet,
  WalletRole,
} from './rows.ts'
import type { WithdrawalTables } from './withdrawals.ts'

/** Chains and longest turnaround of what is sold by paid call, at a fixed price and at a price by use. */
type Sold = { chainIds: number[]; usageChainIds: number[]; slaMinutes: number }

/**
 * The tables. Every function is one statement or one short transaction; inside `atomically` they share one transaction.
 * Functions that decide return what they wrote, or undefined when another write came first.
 */
export type Tables = SendingTables &
  WatchingTables &
  AccessTables &
  MarketTables &
  MandateTables &
  PlanTables &
  GatewayTables &
  LearningTables &
  WithdrawalTables &
  AccountEventTables &
  FileTables &
  UploadTables &
  Partial<SaleReads & PurchaseReads> &
  JobTables &
  HistoryTables & {
    // agents and offerings
    agent(idOrKey: string): Promise<Agent | undefined>
    /** The owners of agents by id. Unknown ids are left out. */
    ownersOf(agentIds: AgentId[]): Promise<ReadonlyMap<AgentId, Address>>
    /** Like `agent`, by its key alone, with a lock until the transaction ends. */
    lockAgent(key: string): Promise<Agent | undefined>
    agentsByHandle(handle: string): Promise<Agent[]>
    /** Agents with an identity on chain, newest first. */
    agents(filter: { owner?: Address; chainId?: number; limit: number; offset: number }): Promise<ListedAgent[]>
    countAgents(filter: { owner?: Address; chainId?: number }): Promise<number>
    /** Whether another owner has a similar-looking handle on the chain. */
    isLookAlike(of: { chainId: number; handle: string; owner: Address }): Promise<boolean>
    /** Agents of other owners on any chain, a few, whose name has one of the looks, or whose handle one of the keys. */
    similarAgents(of: { owner: Address; looks: string[]; handleKeys: string[] }): Promise<{
      byName: { handle: string; name: string }[]
      byHandle: { handle: string; name: string }[]
    }>
    /** Computes the looks of names that were stored by a release before them. @returns whether more are left */
    fillLooks(limit: number): Promise<boolean>
    /** Inserts unless (chain, handle) exists, or looks like the handle of another owner; then undefined. */
    addAgent(agent: Omit<Agent, 'id' | 'skills' | 'version' | 'createdAt' | 'updatedAt'>): Promise<Agent | undefined>
    updateAgent(key: string, patch: Pick<Agent, 'name' | 'description' | 'endpointUrl' | 'viaGateway' | 'card'>): Promise<void>
    /** Sets the minted id once; undefined when it was set before. */
    setAgentId(key: string, id: AgentId): Promise<Agent | undefined>
    /** Replaces the offerings of an agent. An unchanged offering keeps its version. */
    putOfferings(agentKey: string, offerings: Offering[]): Promise<void>
    offerings(agentId: AgentId): Promise<Listing[]>
    /** Like `offerings`, for several agents. */
    offeringsOf(agentIds: AgentId[]): Promise<Listing[]>
    /** The current listing; undefined when it was removed. */
    listing(agentId: AgentId, offeringId: string): Promise<Listing | undefined>
    /** The current listings among these, in no order. Those that this release cannot read are left out. */
    listingsByKey(keys: readonly { agentId: AgentId; offeringId: string }[]): Promise<Listing[]>
    /** All listings of registered agents, for rebuilding the index. */
    listings(page: { limit: number; offset: number }): Promise<Listing[]>
    /** Listings that are sold by paid call: found by anyone, priced, on one of the chains, and within the turnaround. */
    soldListings(filter: Sold & { limit: number; offset: number }): Promise<Listing[]>
    countSold(filter: Sold): Promise<number>
    /** Number of listings that anyone may find and hire. */
    countListed(): Promise<number>

    // wallets and secrets
    wallet(role: WalletRole, owner: string): Promise<Wallet | undefined>
    walletByAddress(address: Address): Promise<Wallet | undefined>
    /** Inserts unless (role, owner) exists, and returns the stored wallet. */
    addWallet(wallet: Wallet): Promise<Wallet>
    secret(name: string): Promise<string | undefined>
    /** Inserts unless the name exists, and returns the stored sealed text. */
    addSecret(name: string, sealed: string): Promise<string>

    /** The alerts that were reported to the operator, for the next leader. */
    alertStates(): Promise<AlertState[]>
    /** Replaces all of them. */
    keepAlertStates(states: AlertState[]): Promise<void>

    // conversations and runs
    addMessage(conversationId: string, user: Address, message: Omit<Message, 'at'>): Promise<void>
    messages(conversationId: string, user: Address): Promise<Message[]>
    /** Names a conversation; without a title it has that of its first message. False when the user has none with this id. */
    nameConversation(conversationId: string, user: Address, title: string | undefined): Promise<boolean>
    /** Deletes what was said in a conversation, and ends what waits for its user in it. False when the user has none with this id. */
    forgetConversation(conversationId: string, user: Address): Promise<boolean>
    /**
     * Adds a run. It is complete when `answer` is given. A run that waits for an agent's answer is not advanced. Any other run
     * is woken.
     */
    addRun(
      run: Pick<Run, 'id' | 'conversationId' | 'user' | 'chainId' | 'task'> &
        Partial<Pick<Run, 'target' | 'answer' | 'act' | 'follows' | 'parent' | 'step'>> & {
          state?: 'awaiting-job'
          source?: string | undefined
        },
    ): Promise<Run>
    /** Ends a run that waits for an agent's answer and has no job; undefined for any other. */
    endCalledRun(id: string, end: { state: 'completed' | 'failed'; answer: string }): Promise<Run | undefined>
    /**
     * Number of a user's runs that are working, or wait for an answer and are not stale. It takes a lock of the user's oldest
     * run: until the transaction ends, other counters wait.
     */
    lockOpenRunCount(user: Address, freshMs: number): Promise<number>
    /** Number of a user's working runs, and of those from this network address. */
    countWorkingRuns(user: Address, source: string | undefined): Promise<{ ofAll: number; ofSource: number }>
    run(id: string): Promise<Run | undefined>
    runs(filter: { user: Address; limit: number; offset: number }): Promise<Run[]>
    /** A user's runs that changed after `since` (epoch ms), the latest change first. */
    changedRuns(filter: { user: Address; conversationId: string | undefined; since: number; limit: number }): Promise<Run[]>
    newestRun(conversationId: string, user: Address): Promise<Run | undefined>
    /** The newest runs of a conversation, newest first. */
    latestRuns(conversationId: string, user: Address, limit: number): Promise<Run[]>
    /** Stores the tasks that follow a run. */
    setNextTasks(id: string, tasks: NextTask[]): Promise<void>
    jobsOfConversation(conversationId: string, user: Address, limit: number): Promise<Job[]>
    /** The newest run of a conversation, and the newest one that waits for an answer of this user. */
    answerableRuns(conversationId: string, user: Address): Promise<Record<'newest' | 'waiting', Run | undefined>>
    /** Records the answer to an interrupt and wakes the run. Undefined when it was answered before. */
    addRunInput(runId: string, interruptId: string, input: RunInput): Promise<RunInput | undefined>
    /** Records what a running step takes as said, without waking its run. Undefined when the key was recorded before. */
    keepRunInput(runId: string, key: string, input: RunInput): Promise<RunInput | undefined>
    runInput(runId: string, interruptId: string): Promise<RunInput | undefined>
    wakeRun(id: string): Promise<void>
    /**
     * Leases up to `limit` woken runs for `leaseMs`. Runs with a job come first, then users' runs in turn, then a few runs
     * without a token. A run whose lease expired without being released counts as woken, because its holder has died.
     */
    claimRuns(leaseMs: number, limit: number): Promise<{ run: ClaimedRun; lease: string }[]>
    /** Renews the lease of a run; false when it was lost. */
    renewRunLease(id: string, lease: string, leaseMs: number): Promise<boolean>
    /** Stores the state of the graph and ends the lease; false when the lease was lost. */
    releaseRun(id: string, lease: string, snapshot: RunSnapshot): Promise<boolean>
    /**
     * Appends an event to the run's log. An event with a key is added once per run. `isOpen`: the run is known not to have reported
     * the end of a job, so a transaction need not wait for its write.
     * @returns the data of the earlier event with the same key; undefined when the event was added
     */
    addRunEvent(runId: string, event: NewRunEvent, isOpen?: boolean): Promise<RunEvent['data'] | undefined>
    /** Adds events in one transaction. @returns what `addRunEvent` returns for the last */
    addRunEvents(runId: string, events: readonly NewRunEvent[]): Promise<RunEvent['data'] | undefined>
    countRunEvents(runId: string, kind: RunEvent['kind']): Promise<number>
    runEvents(runId: string, afterSeq: number, limit: number): Promise<RunEvent[]>
    /** The state of a run and its next events in one read, for thousands of streams. */
    runTail(runId: string, afterSeq: number, limit: number): Promise<{ state: Run['state']; events: RunEvent[] } | undefined>

    // work that follows from rows
    addOutbox(topic: string, key: string, payload: Json): Promise<void>
    /** Leases due rows of a topic for `leaseMs` and counts the attempt. */
    claimOutbox(topic: string, leaseMs: number, limit: number): Promise<OutboxRow[]>
    doneOutbox(topic: string, keys: string[]): Promise<void>
    /** Adds a change of an agent's listings under a key of its own. Every process follows these changes. */
    addIndexChange(agentKey: string, key: string): Promise<void>
    /** All changes with a mark below this number are committed. */
    indexHorizon(): Promise<number>
    /** Committed changes with a mark of at least `since`, in order, and the horizon at that moment. */
    indexChanges(since: number): Promise<{ horizon: number; changes: { key: string; agentKey: string; mark: number }[] }>

    // money
    /**
     * Appends a posting; false when its key exists.
     * @throws RangeError when its entries do not sum to zero
     */
    post(posting: Posting): Promise<boolean>
    ledger(filter: { runId?: string; jobId?: string; account?: string; key?: string }): Promise<LedgerRow[]>

    // requests that may come twice
    /** Claims (scope, key). When it exists: the hash of its request and its answer, if any. */
    claimKey(
      scope: string,
      key: string,
      requestHash: string,
    ): Promise<'claimed' | { requestHash: string; answer: Json | undefined }>
    answerKey(scope: string, key: string, answer: Json): Promise<void>
    /** Deletes some of the idempotency keys that are older than `keepMs`. Whether there are more. */
    sweepKeys(keepMs: number): Promise<boolean>
  }

export type Store = Tables & {
  /** Runs `work` in one transaction; it may await only the given tables. When `work` throws, everything is rolled back. */
  atomically<T>(work: (tables: Tables) => Promise<T>): Promise<T>
  /** Commits something that is not kept: a server without its standby answers reads, and confirms no commit. */
  confirmsWrites(): Promise<unknown>
  close(): Promise<void>
}
