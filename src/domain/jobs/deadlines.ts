import { hourMs, minuteMs } from '../durations.ts'

/** Time for the hire to be confirmed, in ms, before the promised time starts. */
const fundingMs = minuteMs
/** How much later than that the promised time may start, in ms, because a chain is slow, expensive or reorganised. */
const maxDelayMs = 5 * minuteMs
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
    expiresAt: evaluateBy + maxDelayMs + marginMs,
  }
}

/**
 * Postpones the deadlines of a job whose escrow was confirmed late, so that its agent has the whole promised time. The expiry
 * on chain stays. A delay above five minutes shortens the agent's time, so that its payment can still be mined.
 * @param slaMinutes promised turnaround of the offering
 * @param fundedAt epoch ms of the confirmed escrow
 */
export const postpone = (agreed: Deadlines, slaMinutes: number, fundedAt: number): Deadlines => {
  const delayMs = Math.min(Math.max(fundedAt + slaMinutes * minuteMs - agreed.submitBy, 0), maxDelayMs)
  const { pickupBy, submitBy, evaluateBy } = agreed
  return { ...agreed, pickupBy: pickupBy + delayMs, submitBy: submitBy + delayMs, evaluateBy: evaluateBy + delayMs }
}

/** Latest time of a refund in epoch ms, whatever agent and evaluator do. A deliverable just before expiry delays it. */
export const toRefundedBy = ({ expiresAt }: Pick<Deadlines, 'expiresAt'>): number => expiresAt + evaluationGraceMs + marginMs

/**
 * Computes the deadlines of a paid call.
 * @param slaMinutes promised turnaround of the offering
 * @param given `now`; `workUntil`, when the work must be done; `validBefore`, when the payment can no longer be settled; epoch ms
 */
export const callDeadlines = (
  slaMinutes: number,
  { now, workUntil, validBefore }: { now: number; workUntil: number; validBefore: number },
): Deadlines => ({
  pickupBy: Math.min(now + minuteMs, workUntil),
  leaseMs: Math.max(leaseFloorMs, (slaMinutes * minuteMs) / 2),
  submitBy: workUntil,
  evaluateBy: workUntil,
  expiresAt: validBefore,
})
