import { z } from 'zod'
import { criterion, verdict } from '../../domain/acceptance.ts'
import { address } from '../../domain/hex.ts'
import { isJobState, type JobState } from '../../domain/job.ts'
import { offering } from '../../domain/offering.ts'
import { terms } from '../../domain/proposal.ts'
import type { Job } from '../../ports.ts'
import type { Row } from '../engine/db.ts'
import { amount, jsonText, maybe, rowOf } from '../engine/rows.ts'

const stored = rowOf({
  id: z.string(),
  runId: z.string(),
  agentId: z.string(),
  agentWallet: address,
  chainId: z.number(),
  user: address,
  userWallet: address,
  terms: jsonText(terms),
  mandateId: maybe(z.string()),
  offering: jsonText(offering),
  checklist: jsonText(z.array(criterion)),
  budget: amount,
  fee: amount,
  pickupBy: z.number(),
  leaseMs: z.number(),
  submitBy: z.number(),
  evaluateBy: z.number(),
  expiresAt: z.number(),
  state: z.custom<JobState>(it => typeof it === 'string' && isJobState(it)),
  chainJobId: maybe(amount),
  attempt: z.number(),
  leaseUntil: maybe(z.number()),
  deliverable: maybe(z.string()),
  verdict: maybe(jsonText(verdict)),
  kept: maybe(jsonText(z.object({ deliverable: z.string(), verdict }))),
  outcome: maybe(z.enum(['accepted', 'rejected', 'failed', 'undelivered'])),
  dispute: z.string(),
  reason: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
})

/** The columns of a job, for `select` and `returning`. */
export const jobColumns = stored.columns

export const toJobs = (rows: Row[]): Job[] =>
  stored.all(rows).map(({ pickupBy, leaseMs, submitBy, evaluateBy, expiresAt, ...job }) => ({
    ...job,
    deadlines: { pickupBy, leaseMs, submitBy, evaluateBy, expiresAt },
  }))

export const toJob = (rows: Row[]): Job | undefined => toJobs(rows.slice(0, 1))[0]
