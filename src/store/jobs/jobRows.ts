import { z } from 'zod'
import { criterion, verdict } from '../../domain/acceptance.ts'
import { address } from '../../domain/hex.ts'
import { isJobState, type JobState } from '../../domain/job.ts'
import { limits } from '../../domain/limits.ts'
import { offering } from '../../domain/offering.ts'
import { terms } from '../../domain/proposal.ts'
import type { Job, ListedJob } from '../../ports.ts'
import type { Aside, Row } from '../engine/db.ts'
import { amount, jsonText, maybe, rowOf, withoutLong } from '../engine/rows.ts'

const shown = {
  id: z.string(),
  runId: z.string(),
  agentId: z.string(),
  chainId: z.number(),
  user: address,
  terms: jsonText(terms),
  mandateId: maybe(z.string()),
  pickupBy: z.number(),
  leaseMs: z.number(),
  submitBy: z.number(),
  evaluateBy: z.number(),
  expiresAt: z.number(),
  state: z.custom<JobState>(it => typeof it === 'string' && isJobState(it)),
  chainJobId: maybe(amount),
  leaseUntil: maybe(z.number()),
  deliverable: maybe(z.string()),
  verdict: maybe(jsonText(verdict)),
  reason: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
}
const listed = rowOf(shown)
const stored = rowOf({
  ...shown,
  agentWallet: address,
  userWallet: address,
  offering: jsonText(offering),
  checklist: jsonText(z.array(criterion)),
  budget: amount,
  fee: amount,
  attempt: z.number(),
  requeues: z.number(),
  kept: maybe(jsonText(z.object({ deliverable: z.string(), verdict }))),
  outcome: maybe(z.enum(['accepted', 'rejected', 'failed', 'undelivered'])),
  dispute: z.string(),
})

/** The columns of a job, for `select` and `returning`. */
export const jobColumns = stored.columns

type DeadlineColumns = { pickupBy: number; leaseMs: number; submitBy: number; evaluateBy: number; expiresAt: number }

const withDeadlines = <T extends DeadlineColumns>({ pickupBy, leaseMs, submitBy, evaluateBy, expiresAt, ...job }: T) => ({
  ...job,
  deadlines: { pickupBy, leaseMs, submitBy, evaluateBy, expiresAt },
})

export const toJobs = (rows: Row[]): Job[] => stored.all(rows).map(withDeadlines)
/** The jobs of a work list. */
export const toSoundJobs = (aside: Aside, rows: Row[]): (Job & { seq: number })[] =>
  aside.sound('job', { parse: row => ({ ...withDeadlines(stored.parse(row)), seq: Number(row.seq) }) }, rows)

/** Like `jobColumns`, for lists: long deliverables are omitted. */
export const listedJobColumns = withoutLong(listed.columns, { deliverable: limits.listedDeliverableChars })
export const toListedJobs = (rows: Row[]): ListedJob[] => listed.all(rows).map(withDeadlines)

export const toJob = (rows: Row[]): Job | undefined => toJobs(rows.slice(0, 1))[0]
