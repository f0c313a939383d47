import type { Verdict } from '../domain/acceptance.ts'
import type { AgentId } from '../domain/agentId.ts'
import type { Address } from '../domain/hex.ts'
import type { JobEvent, JobState } from '../domain/job.ts'
import type { Json } from '../domain/json.ts'
import type { NextTask } from '../domain/nextTask.ts'
import type { Listing, Offering } from '../domain/offering.ts'
import type { RunEvent } from '../domain/runEvent.ts'
import type { AccessTables } from './access.ts'
import type { Standing } from './butler.ts'
import type { SendingTables, WatchingTables } from './effects.ts'
import type { GatewayTables } from './gateway.ts'
import type { LearningTables } from './learning.ts'
import type { MandateTables } from './mandates.ts'
import type { MarketTables } from './market.ts'
import type {
  Agent,
  Job,
  JobPatch,
  LedgerRow,
  ListedAgent,
  ListedJob,
  Message,
  OutboxRow,
  Posting,
  Run,
  RunInput,
  Wallet,
  WalletRole,
} from './rows.ts'
import type { WithdrawalTables } from './withdrawals.ts'

/** Reads the jobs of one chain after `afterSeq`, in the order of their `seq`; fewer than `limit` are the last ones. */
export type ReadJobPage = (chainId: number, page: { afterSeq: number; limit: number }) => Promise<(Job & { seq: number })[]>

/**
 * The tables. Every function is one statement or one short transaction of its own; inside `atomically` they share one.
 * Functions that decide return what they wrote, or undefined when another write was first.
 */
export type Tables = SendingTables &
  WatchingTables &
  AccessTables &
  MarketTables &
  MandateTables &
  GatewayTables &
  LearningTables &
  WithdrawalTables & {
    // agents and offerings
    agent(idOrKey: string): Promise<Agent | undefined>
    /** As `agent`, by its key alone; inside a transaction nobody else changes it before its end. */
    holdAgent(key: string): Promise<Agent | undefined>
    agentsByHandle(handle: string): Promise<Agent[]>
    /** Agents with an identity on chain, newest first. */
    agents(filter: { owner?: Address; chainId?: number; limit: number; offset: number }): Promise<ListedAgent[]>
    countAgents(filter: { owner?: Address; chainId?: number }): Promise<number>
    /** Whether somebody else than the owner has a handle on the chain that looks like this one. */
    isLookAlike(of: { chainId: number; handle: string; owner: Address }): Promise<boolean>
    /** Inserts unless (chain, handle) exists, or looks like one of somebody else; undefined when it does. */
    addAgent(agent: Omit<Agent, 'id' | 'skills' | 'version' | 'createdAt' | 'updatedAt'>): Promise<Agent | undefined>
    updateAgent(key: string, patch: Pick<Agent, 'name' | 'description' | 'endpointUrl' | 'viaGateway' | 'card'>): Promise<void>
    /** Sets the minted id once; undefined when it was set before. */
    setAgentId(key: string, id: AgentId): Promise<Agent | undefined>
    /** Replaces the list of an agent; the version of an unchanged offering stays. */
    putOfferings(agentKey: string, offerings: Offering[]): Promise<void>
    offerings(agentId: AgentId): Promise<Listing[]>
    /** As `offerings`, of several agents. */
    offeringsOf(agentIds: AgentId[]): Promise<Listing[]>
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
    /** A run with an answer from the start is complete, one that waits for an agent's answer is left alone, any other is advanced. */
    addRun(
      run: Pick<Run, 'id' | 'conversationId' | 'user' | 'chainId' | 'task'> &
        Partial<Pick<Run, 'target' | 'answer' | 'act' | 'follows'>> & { state?: 'awaiting-job'; source?: string | undefined },
    ): Promise<Run>
    /** Ends a run that waits for the answer of an agent and has no job; undefined for any other. */
    endCalledRun(id: string, end: { state: 'completed' | 'failed'; answer: string }): Promise<Run | undefined>
    /**
     * How many of a user's runs are under way, or wait for an answer that is still fresh. Inside a transaction nobody else adds
     * one of the same user before its end, once there is one.
     */
    holdOpenRuns(user: Address, freshMs: number): Promise<number>
    /** How many of a user's runs are under way, and how many of those came from this network address. */
    countWorkingRuns(user: Address, source: string | undefined): Promise<{ ofAll: number; ofSource: number }>
    run(id: string): Promise<Run | undefined>
    runs(filter: { user: Address; limit: number; offset: number }): Promise<Run[]>
    newestRun(conversationId: string, user: Address): Promise<Run | undefined>
    /** The newest runs of a conversation, newest first. */
    latestRuns(conversationId: string, user: Address, limit: number): Promise<Run[]>
    /** Writes what is still to come after a run. */
    setNextTasks(id: string, tasks: NextTask[]): Promise<void>
    /** Jobs of a conversation, newest first. */
    jobsOfConversation(conversationId: string, user: Address, limit: number): Promise<Job[]>
    /** The newest run of a conversation that waits for this user's words. */
    waitingRun(conversationId: string, user: Address): Promise<Run | undefined>
    /** Records the answer to an interrupt; the run is working again and woken. Undefined when it was answered before. */
    addRunInput(runId: string, interruptId: string, input: RunInput): Promise<RunInput | undefined>
    runInput(runId: string, interruptId: string): Promise<RunInput | undefined>
    /** Asks for the run to be advanced (again). */
    wakeRun(id: string): Promise<void>
    /**
     * Takes up to `limit` runs that were woken and are not held, holding each for `leaseMs`: runs with a job first, then users'
     * in turn, then a few of those without a token. A run whose hold lapsed without being released counts as woken: its holder
     * died.
     */
    claimRuns(leaseMs: number, limit: number): Promise<{ run: Run; lease: string }[]>
    /** Prolongs a hold; false when it was lost. */
    holdRun(id: string, lease: string, leaseMs: number): Promise<boolean>
    /** Writes where the graph stands and lets go; false when the hold was lost. */
    releaseRun(id: string, lease: string, standing: Standing): Promise<boolean>
    /** Appends to the run's log. With a key, the same key of one run is taken once. */
    addRunEvent(runId: string, event: Pick<RunEvent, 'kind' | 'summary' | 'data'> & { key?: string }): Promise<void>
    runEvents(runId: string, afterSeq: number, limit: number): Promise<RunEvent[]>

    // jobs
    /** Inserts unless the run has one; undefined when it has. Starts open and tells the run's log. */
    addJob(
      job: Omit<
        Job,
        | 'state'
        | 'mandateId'
        | 'requeues'
        | 'chainJobId'
        | 'attempt'
        | 'leaseUntil'
        | 'deliverable'
        | 'verdict'
        | 'kept'
        | 'outcome'
        | 'dispute'
        | 'reason'
        | 'createdAt'
        | 'updatedAt'
      > &
        Partial<Pick<Job, 'mandateId'>>,
    ): Promise<Job | undefined>
    /**
     * Keeps what was found of the job's present delivery, and the delivery as its schema wants it when that is named. The first
     * verdict of a delivery counts, and is what comes back.
     */
    addVerdict(id: string, verdict: Verdict, deliverable?: string): Promise<Verdict | undefined>
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
    /** Jobs whose lease ended. */
    lapsedJobs(limit: number): Promise<Job[]>
    /** Jobs of a chain that hold money or may still get some. */
    openJobs: ReadJobPage
    /** Jobs of a chain whose promise ended, or that ran out of attempts. */
    overdueJobs: ReadJobPage
    /** Jobs of a chain whose deliverable nobody judged in time. */
    unjudgedJobs: ReadJobPage
    /** Jobs of a chain past their expiry whose escrow never came, or went and did not come back. */
    unfundedJobs: ReadJobPage
    /** Jobs of a chain past their expiry that still hold money. */
    expiredEscrows: ReadJobPage
    /** Ended jobs of a chain that were judged and paid for, about which nothing was said on chain. */
    unratedJobs(chainId: number, limit: number): Promise<Job[]>
    /** Keeps the file behind a job's feedback, empty when there is nothing to say; false when that was decided before. */
    setFeedback(id: string, file: string): Promise<boolean>
    feedback(id: string): Promise<string | undefined>
    /** Records a user's words against an accepted deliverable, once; undefined when it is too late, or was not accepted. */
    disputeJob(id: string, of: { reason: string; withinMs: number }): Promise<Job | undefined>
    jobs(filter: { user?: Address; agentId?: AgentId; state?: JobState; limit: number; offset: number }): Promise<Job[]>

    /** Hires of a user, of the agents of an owner, or of some runs, newest first. */
    listedJobs(
      filter: { limit: number; offset: number; chainId?: number } & (
        | { user: Address }
        | { agentOwner: Address }
        | { runIds: string[] }
      ),
    ): Promise<ListedJob[]>

    // work that follows from rows
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
