import { dayMs } from '../../domain/durations.ts'

const startOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** Returns the starts of the last days in the viewer's time zone, in epoch ms; the oldest first, today last. */
export const lastDays = (count: number, now: number): number[] =>
  // Half a day is added because days have 23 or 25 hours when the clocks change.
  Array.from({ length: count }, (_, index) => startOf(startOf(now) - (count - 1 - index) * dayMs + dayMs / 2))
