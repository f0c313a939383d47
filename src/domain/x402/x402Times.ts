import { minuteMs } from '../durations.ts'
import { callDeadlines, type Deadlines } from '../jobs/deadlines.ts'
import type { Authorization } from './x402.ts'

/** Minimum time in s that a payment must leave for the work. */
const minWorkS = 5
/** Time in s that is reserved for the settlement before the authorization expires. */
const settlementS = 15
/** Minimum time in s between the request with a payment and the end of its authorization. */
export const minValidS = minWorkS + settlementS

/** The latest time of a date in epoch ms. */
const latestMs = 8.64e15

/** When an authorization expires, in epoch ms. One without an end expires at the latest date. */
export const toEndMs = ({ validBefore }: Pick<Authorization, 'validBefore'>): number =>
  Math.min(Number(validBefore) * 1_000, latestMs)

/**
 * Computes the deadlines of a paid call. Its work ends early enough that the payment can still be settled.
 * @param slaMinutes promised turnaround of the offering
 * @param now epoch ms
 */
export const toCallDeadlines = (
  slaMinutes: number,
  authorization: Pick<Authorization, 'validBefore'>,
  now: number,
): Deadlines => {
  const endsAt = toEndMs(authorization)
  const workUntil = Math.min(endsAt - settlementS * 1_000, now + slaMinutes * minuteMs)
  return callDeadlines(slaMinutes, { now, workUntil, validBefore: endsAt })
}

/** Maximum duration of an authorization in s, because the agent waits for its payment that long. */
const maxTimeoutS = 3_600

export const maxCallMinutes = maxTimeoutS / 60

/** Whether an offering with this turnaround can be sold as a paid call. */
export const isSoldByCall = (slaMinutes: number): boolean => slaMinutes <= maxCallMinutes

/** The usage price in the stored JSON of an offering, whose members are in alphabetical order. */
export const usageMark = '"usage":{"perUnit":"'

/** How long a payment authorization must be valid, in s: the promised time up to a maximum, and time for the settlement. */
export const toTimeoutS = (slaMinutes: number): number => Math.min(slaMinutes * 60, maxTimeoutS) + minValidS
