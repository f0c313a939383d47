import { z } from 'zod'
import { address } from '../../domain/hex.ts'
import { criterion, verdict } from '../../domain/jobs/acceptance.ts'
import type { Deadlines } from '../../domain/jobs/deadlines.ts'
import { isJobState, type JobKind, type JobState, jobOutcome } from '../../domain/jobs/job.ts'
import { offering } from '../../domain/offerings/offering.ts'
import { terms } from '../../domain/runs/proposal.ts'
import { amount, jsonText, maybe, type RowOf, repeatedJson } from './columns.ts'

/** Deadlines are columns of their own, and one object in a job. */
export const deadlineColumns = {
  pickupBy: z.number(),
  leaseMs: z.number(),
  submitBy: z.number(),
  evaluateBy: z.number(),
  expiresAt: z.number(),
} satisfies Record<keyof Deadlines, z.ZodType>
type DeadlineColumns = keyof typeof deadlineColumns

/** A hire as shown in lists; a long deliverable is omitted. */
export const listedJobRow = {
  id: z.string(),
  runId: z.string(),
  agentId: z.string(),
  chainId: z.number(),
  user: address,
  terms: repeatedJson(terms),
  /** What the escrow shall hold; 0 for a free job and a paid call. */
  budget: amount,
  /** The mandate of the hire; undefined when the user consented directly. */
  mandateId: maybe(z.string()),
  ...deadlineColumns,
  state: z.custom<JobState>(it => typeof it === 'string' && isJobState(it)),
  chainJobId: maybe(amount),
  leaseUntil: maybe(z.number()),
  deliverable: maybe(z.string()),
  /** What came back to the user of a paid usage price; undefined before the payment, and for a fixed price. */
  returned: maybe(amount),
  /** The verdict of the last judged delivery. */
  verdict: maybe(jsonText(verdict)),
  /** Why it ended or was sent back, as text for the user. */
  reason: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
}
/** What a reader of rows makes of several columns. */
type Derived = { deadlines: Deadlines; kind: JobKind }
export type ListedJob = Omit<RowOf<typeof listedJobRow>, DeadlineColumns> & Derived

export const jobRow = {
  ...listedJobRow,
  agentWallet: address,
  /** The client's custodial wallet, which pays. */
  userWallet: address,
  offering: repeatedJson(offering),
  /** The criteria of the deliverable, fixed at the hire; empty in old jobs. */
  checklist: repeatedJson(z.array(criterion)),
  /** What the agent does not get of the budget: the fee, and the unused part of a usage price once it is paid. */
  fee: amount,
  /** Units that the agent stated with its deliverable. */
  units: maybe(z.number()),
  /** When the last lease began and when the deliverable came, epoch ms. */
  leasedAt: maybe(z.number()),
  submittedAt: maybe(z.number()),
  attempt: z.number(),
  /** Number of failures reported without a credential of the agent. */
  requeues: z.number(),
  /** A deliverable that passed its checks and was sent back for a wish. It is paid if no better one follows. */
  kept: maybe(jsonText(z.object({ deliverable: z.string(), verdict }))),
  /** How the job was judged; undefined before that, or when it ended for a reason outside the agent's control. */
  outcome: maybe(jobOutcome),
  /** The user's objection to an accepted deliverable; otherwise empty. */
  dispute: z.string(),
}
export type Job = Omit<RowOf<typeof jobRow>, DeadlineColumns> & Derived

/** Fields that a move may write besides the state. */
export type JobPatch = Partial<Pick<Job, 'chainJobId' | 'deliverable' | 'reason' | 'units' | 'returned' | 'fee'>> & {
  /** The chain is being read again from its start: no event is added to the run's log, and no run is woken. */
  isReread?: boolean
  /** The job as it was read or moved before. It is moved from there without another read, if it has not been moved since. */
  from?: Job | undefined
}
