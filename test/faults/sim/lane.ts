import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import type { Mutation } from './mutation.ts'
import { planted } from './planted.ts'
import { runScenario } from './scenario.ts'
import { catchStrays } from './strays.ts'
import { addOutcome, emptyTally, type Tally } from './tally.ts'

/** The work of a lane: every n-th scenario until the time is over, or the next planted bug. */
const laneWork = z.object({
  seed: z.number(),
  lane: z.number(),
  lanes: z.number(),
  endsAt: z.number(),
  /** Number of planted bugs that lanes have started on. */
  taken: z.instanceof(SharedArrayBuffer),
  hunts: z.boolean(),
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

const reportEveryMs = 1_000
/** A planted bug counts as not found after this many scenarios. */
const huntScenarios = 400

const work = laneWork.parse(workerData)
const { seed, lane, lanes, dir, template } = work
const tally = emptyTally()
const hunted: Hunted[] = []
const post = (finding?: Finding) => parentPort?.postMessage({ tally, hunted, ...(finding && { finding }) } satisfies LaneReport)

/** Searches a scenario that detects a planted bug and has no violation without it. */
const hunt = async (mutation: Mutation): Promise<Hunted> => {
  const { name, without, focus, plans } = mutation
  for (let scenario = 0; scenario < huntScenarios; scenario++) {
    const at = { dir, template, seed, scenario, ...(focus && { focus }), ...(plans && { plans }) }
    const [violation] = (await runScenario({ ...at, mutation })).violations
    if (violation === undefined || (await runScenario(at)).violations.length > 0) continue
    return { name, without, scenarios: scenario + 1, violation }
  }
  return { name, without, scenarios: 0, violation: '' }
}

const huntAll = async () => {
  const taken = new Int32Array(work.taken)
  for (let next = planted[Atomics.add(taken, 0, 1)]; next; next = planted[Atomics.add(taken, 0, 1)]) {
    hunted.push(await hunt(next))
    post()
  }
}

const runUntilFinding = async (): Promise<Finding | undefined> => {
  let reportedAt = 0
  for (let scenario = lane; Date.now() < work.endsAt; scenario += lanes) {
    const outcome = await runScenario({ dir, template, seed, scenario, ...(work.plans && { plans: true }) })
    addOutcome(tally, scenario, outcome)
    const { violations, trace } = outcome
    if (violations.length > 0) return { scenario, violations, trace }
    if (Date.now() - reportedAt < reportEveryMs) continue
    post()
    reportedAt = Date.now()
  }
  return undefined
}

catchStrays()
if (work.hunts) await huntAll()
else post(await runUntilFinding())
