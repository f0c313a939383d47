import type { Verdict } from './acceptance.ts'
import { type JobEvent, type JobKind, type JobOutcome, type JobState, next } from './job.ts'

type JudgedDeliverable = { deliverable: string; verdict: Verdict }

/** The facts of a job that decide whether it may move, and what the move writes. */
export type JobFacts = {
  state: JobState
  kind: JobKind
  /** The id of the job in the escrow contract; undefined while the escrow holds no money for it. */
  chainJobId: bigint | undefined
  /** How often the job was leased to its agent. */
  attempt: number
  /** How often a failure was reported without a credential of the agent. */
  requeues: number
  deliverable: string | undefined
  verdict: Verdict | undefined
  /** An earlier deliverable that passed the checks of code and was sent back for a wish. */
  kept: JudgedDeliverable | undefined
}

export type MoveDecision = {
  to: JobState
  /** The outcome of the job by this move; undefined when the move does not judge the agent. */
  outcome: JobOutcome | undefined
  /** The kept deliverable, which becomes the job's deliverable again. */
  restored: JudgedDeliverable | undefined
  /** The deliverable to keep, in case no revision follows. */
  kept: JudgedDeliverable | undefined
}

type Guard = {
  /** The rule as text, for a state that the event may leave; undefined where it always holds. */
  rule(state: JobState): string | undefined
  allows(job: JobFacts): boolean
}

const isFunded = ({ chainJobId }: JobFacts) => chainJobId !== undefined
const funding: Guard = {
  rule: state =>
    state === 'open' ? 'the escrow holds nothing for it' : 'the escrow holds nothing for it, and its price is above 0',
  allows: job => !isFunded(job) && (job.state === 'open' || job.kind === 'hire'),
}
const takingUpKept: Guard = { rule: () => 'an earlier deliverable is kept', allows: ({ kept }) => kept !== undefined }

/** Conditions of events besides the state. An event without a guard has none. */
export const guards: Partial<Record<JobEvent, Guard>> = {
  fund: funding,
  cancel: funding,
  unfund: { rule: () => 'the escrow holds its price', allows: isFunded },
  withdraw: { rule: () => 'the agent never had it', allows: ({ attempt }) => attempt === 0 },
  submit: {
    rule: state => (state === 'queued' ? 'it was leased before, and that delivery brought no deliverable' : undefined),
    allows: ({ state, attempt, deliverable }) => state !== 'queued' || (attempt > 0 && deliverable === undefined),
  },
  waive: takingUpKept,
  recall: takingUpKept,
}

/**
 * Decides one move by the table of moves and its guards. A lease has an owner and a time limit, which only the store's
 * lease query writes, so `lease` is never allowed here.
 * @returns undefined when the move is not allowed
 */
export const decideMove = (job: JobFacts, event: JobEvent): MoveDecision | undefined => {
  const to = next(job.state, event)
  if (!to || event === 'lease' || guards[event]?.allows(job) === false) return undefined
  const restored = event === 'waive' || event === 'recall' ? job.kept : undefined
  return { to, outcome: outcomeOf(job, event), restored, kept: event === 'revise' ? toKept(job) : undefined }
}

/** A deliverable that passed the checks of code is kept with its verdict when it is sent back. */
const toKept = ({ verdict, attempt, deliverable }: JobFacts): JudgedDeliverable | undefined =>
  verdict?.pass && verdict.attempt === attempt && deliverable !== undefined ? { deliverable, verdict } : undefined

const outcomes: Partial<Record<JobEvent, JobOutcome>> = {
  accept: 'accepted',
  waive: 'accepted',
  recall: 'accepted',
  reject: 'rejected',
  fail: 'failed',
}

/** The outcome of an end. Acts of the user, the chain or the evaluator give no outcome for the agent. */
const outcomeOf = ({ state, kept, requeues }: JobFacts, event: JobEvent): JobOutcome | undefined => {
  // After a failure reported without a credential, another caller may have acted for the agent, so the end gives no outcome.
  if (event === 'expire') return !kept && requeues === 0 && (state === 'queued' || state === 'leased') ? 'undelivered' : undefined
  return outcomes[event]
}
