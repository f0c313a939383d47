const minute = 60_000

/** Time for the hire to reach the chain before the promise starts to count. */
const fundingMs = minute
/** Time for the evaluation after the promise. */
const evaluationMs = 5 * minute
/** Clock differences between us and the chain, and time to send the last transaction. */
const marginMs = 5 * minute
/** A lost agent is noticed after this; agents poll every three seconds, work takes longer. */
const leaseFloorMs = minute

export type Deadlines = {
  /** The agent should have taken the job by now; only a warning. */
  pickupBy: number
  /** How long one delivery is held by the agent, in ms. */
  leaseMs: number
  /** The promise: a deliverable must be in. */
  submitBy: number
  /** The machine's verdict stands from here. */
  evaluateBy: number
  /** On-chain expiry: whoever sends claimRefund now returns the money. */
  expiresAt: number
}

/**
 * Every deadline of a job, from its promise.
 * @param slaMinutes promised turnaround of the offering
 * @param now epoch ms of the hire
 * @returns epoch ms; expiresAt is always more than five minutes ahead, as ERC-8183 implementations require
 */
export const deadlines = (slaMinutes: number, now: number): Deadlines => {
  const promiseMs = slaMinutes * minute
  const submitBy = now + fundingMs + promiseMs
  const evaluateBy = submitBy + evaluationMs
  return {
    pickupBy: now + fundingMs + Math.min(promiseMs / 2, minute),
    leaseMs: Math.max(leaseFloorMs, promiseMs / 2),
    submitBy,
    evaluateBy,
    expiresAt: evaluateBy + marginMs,
  }
}
