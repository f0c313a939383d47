import { hourMs, minuteMs } from './durations.ts'
import { type Authorization, toWorkUntil } from './x402.ts'

/** Time for the hire to be mined, in ms, before the promised time starts. */
const fundingMs = minuteMs
/** Time for the evaluation after the promised time, in ms. */
const evaluationMs = 5 * minuteMs
/** Margin in ms for clock differences between service and chain, and for the last transaction. */
const marginMs = 5 * minuteMs
/**
 * Time in ms that the escrow leaves the evaluator after the deliverable's hash was submitted (EVALUATION_GRACE of the
 * contract).
 */
const evaluationGraceMs = hourMs
/** Shortest lease of a job in ms. A lost agent is noticed after it. Agents poll every three seconds. */
const leaseFloorMs = minuteMs

export type Deadlines = {
  /** When the agent should have picked up the job; missing it only causes a warning. */
  pickupBy: number
  /** Duration of one lease of the agent, in ms. */
  leaseMs: number
  /** The promise: the latest time for a deliverable. */
  submitBy: number
  /** After this time the verdict of the checks applies without the butler. */
  evaluateBy: number
  /** Expiry on chain. From then on anyone may claim the refund of a job without a submitted deliverable. */
  expiresAt: number
}

/**
 * Computes every deadline of a job.
 * @param slaMinutes promised turnaround of the offering
 * @param now epoch ms of the hire
 * @returns epoch ms; expiresAt is always more than five minutes ahead, as ERC-8183 implementations require
 */
export const deadlines = (slaMinutes: number, now: number): Deadlines => {
  const promiseMs = slaMinutes * minuteMs
  const submitBy = now + fundingMs + promiseMs
  const evaluateBy = submitBy + evaluationMs
  return {
    pickupBy: now + fundingMs + Math.min(promiseMs / 2, minuteMs),
    leaseMs: Math.max(leaseFloorMs, promiseMs / 2),
    submitBy,
    evaluateBy,
    expiresAt: evaluateBy + marginMs,
  }
}

/** Latest time of a refund in epoch ms, whatever agent and evaluator do. A deliverable just before expiry delays it. */
export const toRefundedBy = ({ expiresAt }: Pick<Deadlines, 'expiresAt'>): number => expiresAt + evaluationGraceMs + marginMs

/**
 * Computes the deadlines of a paid call. Its work must be done while the authorization can still be settled.
 * @param slaMinutes promised turnaround of the offering
 * @param now epoch ms
 */
export const callDeadlines = (slaMinutes: number, payment: Pick<Authorization, 'validBefore'>, now: number): Deadlines => {
  const promiseMs = slaMinutes * minuteMs
  const submitBy = toWorkUntil(payment, promiseMs, now)
  return {
    pickupBy: Math.min(now + minuteMs, submitBy),
    leaseMs: Math.max(leaseFloorMs, promiseMs / 2),
    submitBy,
    evaluateBy: submitBy,
    expiresAt: Number(payment.validBefore) * 1_000,
  }
}
