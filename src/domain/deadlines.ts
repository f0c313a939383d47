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
  /** The agent should have taken the job by now; only a warning. */
  pickupBy: number
  /** How long one delivery is held by the agent, in ms. */
  leaseMs: number
  /** The promise: a deliverable must be in. */
  submitBy: number
  /** The machine's verdict stands from here. */
  evaluateBy: number
  /** On-chain expiry: from here on anyone may return the money of a job whose deliverable is not on chain. */
  expiresAt: number
}

/**
 * Every deadline of a job, from its promise.
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

/** When the money is back at the latest, whatever agent and evaluator do: a deliverable handed in at the very end delays it. */
export const toRefundedBy = ({ expiresAt }: Pick<Deadlines, 'expiresAt'>): number => expiresAt + evaluationGraceMs + marginMs
