import { dayMs } from '../../domain/durations.ts'

const startOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** Where the last days begin in the viewer's zone, in epoch ms; oldest first, today last. */
export const lastDays = (count: number, now: number): number[] =>
  // Half a day more than the distance keeps days of 23 and 25 hours apart.
  Array.from({ length: count }, (_, index) => startOf(startOf(now) - (count - 1 - index) * dayMs + dayMs / 2))
