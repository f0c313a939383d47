import type { AgentId } from '../domain/agents/agentId.ts'
import type { Address } from '../domain/hex.ts'
import type { Verdict } from '../domain/jobs/acceptance.ts'
import type { JobEvent, JobState } from '../domain/jobs/job.ts'
import type { Contest, EndedHire, LateJobs, Unreadable } from '../domain/operator/alerts.ts'
import type { Job, JobPatch, ListedJob } from './rows.ts'

/** Reads jobs of one chain after `afterSeq`, ordered by `seq`. Fewer than `limit` jobs mean the last page. */
export type ReadJobPage = (chainId: number, page: { afterSeq: number; limit: number }) => Promise<(Job & { seq: number })[]>

type NewJob = Pick<Job, 'id' | 'runId' | 'agentId' | 'agentWallet' | 'chainId' | 'user' | 'userWallet' | 'terms' | 'offering'> &
  Pick<Job, 'checklist' | 'budget' | 'fee' | 'deadlines'> &
  Partial<Pick<Job, 'mandateId'>>

export type JobTables = {
  /** Inserts an open job and adds an event to the run's log; undefined when the run has a job already: undo the transaction. */
  addJob(job: NewJob): Promise<Job | undefined>
  /**
   * Stores the verdict of the current delivery, and the deliverable normalised to its schema if given. The first verdict of a
   * delivery is kept and returned.
   */
  addVerdict(id: string, verdict: Verdict, deliverable?: string): Promise<Verdict | undefined>
  job(id: string): Promise<Job | undefined>
  jobOfRun(runId: string): Promise<Job | undefined>
  jobOnChain(chainId: number, chainJobId: bigint): Promise<Job | undefined>
  /**
   * Moves a job in one conditional write; undefined when the table of moves does not allow it from the current state. In the
   * same transaction it adds an event `job.<state>` to the run's log and wakes the run.
   */
  moveJob(id: string, event: JobEvent, patch?: JobPatch): Promise<Job | undefined>
  /** Leases the next queued job of an agent. The attempt is counted before the work. */
  leaseJob(agentId: AgentId): Promise<Job | undefined>
  /** Agents with queued jobs, to fill the index of waiting work. */
  agentsWithWork(): Promise<AgentId[]>
  lapsedJobs(limit: number): Promise<Job[]>
  /** Counts of unfinished work for the operator's metrics: open jobs, effects that are not mined, due runs. */
  backlog(): Promise<{ kind: string; state: string; count: number; oldestMs: number }[]>
  /** Hires with an escrow that ended after a time by the clock of the database, for the operator's metrics; none without it. */
  endedHires(after: number | undefined): Promise<{ upTo: number; hires: EndedHire[] }>
  /** Jobs whose time for the deliverable or the settlement is nearly over, with the first of each. For the operator's alerts. */
  lateJobs(): Promise<LateJobs[]>
  noteContest(agentId: AgentId): Promise<void>
  /** Agents whose jobs two pollers asked for within a time, the latest first. */
  contests(of: { withinMs: number; limit: number }): Promise<Contest[]>
  /** Rows that a process met within a time and could not read, a line for each table. */
  unreadableRows(withinMs: number): Promise<Unreadable[]>
  /** Jobs of a chain that hold money or may still be funded. */
  openJobs: ReadJobPage
  /** Jobs of a chain that missed their submission deadline or used up their attempts. */
  overdueJobs: ReadJobPage
  /** Jobs of running plans on a chain that no agent has taken at half of their time. */
  untakenSteps: ReadJobPage
  /** Jobs of a chain whose deliverable was not judged in time. */
  unjudgedJobs: ReadJobPage
  /** Expired jobs of a chain that were never funded, or whose funding was reverted. */
  unfundedJobs: ReadJobPage
  /** Expired jobs of a chain that still hold money. */
  expiredEscrows: ReadJobPage
  /** Ended jobs of a chain with an outcome and no feedback on chain. */
  unratedJobs(chainId: number, limit: number): Promise<Job[]>
  /** Stores the feedback file of a job, empty for none; false when it was stored before. */
  setFeedback(id: string, file: string): Promise<boolean>
  feedback(id: string): Promise<string | undefined>
  /** The feedback files among the newest jobs of an agent, newest first. */
  feedbackOf(agentId: AgentId, limit: number): Promise<{ jobId: string; file: string }[]>
  /** Records a user's objection to an accepted deliverable, once; undefined when it is too late or was not accepted. */
  disputeJob(id: string, of: { reason: string; withinMs: number }): Promise<Job | undefined>
  jobs(filter: { user?: Address; agentId?: AgentId; state?: JobState; limit: number; offset: number }): Promise<Job[]>

  /** Hires of a user, of an owner's agents, or of some runs, newest first. */
  listedJobs(
    filter: { limit: number; offset: number; chainId?: number } & (
      | { user: Address }
      | { agentOwner: Address }
      | { runIds: string[] }
    ),
  ): Promise<ListedJob[]>
}
