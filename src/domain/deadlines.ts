import { hourMs, minuteMs } from './durations.ts'

/** Time for the hire to reach the chain before the promise starts to count. */
const fundingMs = minuteMs
/** Time for the evaluation after the promise. */
const evaluationMs = 5 * minuteMs
/** Clock differences between us and the chain, and time to send the last transaction. */
const marginMs = 5 * minuteMs
/** The escrow leaves its evaluator this long after the deliverable's hash was handed in (EVALUATION_GRACE of the contract). */
const evaluationGraceMs = hourMs
/** A lost agent is noticed after this; agents poll every three seconds, work takes longer. */
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
