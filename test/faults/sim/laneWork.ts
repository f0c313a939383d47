import { z } from 'zod'
import type { Tally } from './tally.ts'

/** The place in the shared numbers that counts the planted bugs that lanes have started on. */
export const nextPlanted = 0
/** The place in the shared numbers that is 1 when no lane may start another scenario. */
export const isOver = 1

/** The work of a lane: every n-th scenario until the time is over, or the next planted bug. */
export const laneWork = z.object({
  seed: z.number(),
  lane: z.number(),
  lanes: z.number(),
  endsAt: z.number(),
  /** Two numbers of all lanes: see `nextPlanted` and `isOver`. */
  shared: z.instanceof(SharedArrayBuffer),
  /** Looks for the planted bugs with these words in their names. */
  hunts: z.string().optional(),
  /** Every scenario has plans. */
  plans: z.boolean(),
  dir: z.string(),
  template: z.string(),
})
export type LaneWork = z.infer<typeof laneWork>

export type Finding = { scenario: number; violations: string[]; trace: string[] }
/** The number of scenarios until a planted bug was found; 0 when it was not. */
export type Hunted = { name: string; without: string; scenarios: number; violation: string }
export type LaneReport = { tally: Tally; finding?: Finding; hunted: Hunted[] }
