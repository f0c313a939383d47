import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { closeBench, openBench } from './bench.ts'
import { planted } from './planted.ts'
import { runScenario } from './scenario.ts'
import { catchStrays } from './strays.ts'
import { addOutcome, emptyTally, type Tally } from './tally.ts'

/** What a lane is to do: every n-th scenario until the time is over, or every n-th planted bug. */
export const laneWork = z.object({
  seed: z.number(),
  lane: z.number(),
  lanes: z.number(),
  endsAt: z.number(),
  reorgs: z.boolean(),
  hunts: z.boolean(),
})
export type LaneWork = z.infer<typeof laneWork>

export type Finding = { scenario: number; violations: string[]; trace: string[] }
export type Hunted = { name: string; without: string; scenarios: number; violation: string }
export type LaneReport = { kind: 'progress' | 'end'; tally: Tally; finding?: Finding; hunted: Hunted[] }

const reportEveryMs = 1_000
/** A planted bug that this many scenarios do not show was not found. */
const huntScenarios = 300

const work = laneWork.parse(workerData)
const port = parentPort

const run = async (): Promise<void> => {
  catchStrays()
  const bench = await openBench()
  const hunted: Hunted[] = []
  const tally = emptyTally()
  const post = (report: Omit<LaneReport, 'tally' | 'hunted'>) =>
    port?.postMessage({ ...report, tally, hunted } satisfies LaneReport)
  try {
    if (work.hunts)
      for (const [at, mutation] of planted.entries()) if (at % work.lanes === work.lane) hunted.push(await hunt(bench, mutation))
    if (work.hunts) return post({ kind: 'end' })
    let reportedAt = 0
    for (let scenario = work.lane; Date.now() < work.endsAt; scenario += work.lanes) {
      const outcome = await runScenario({ ...bench, seed: work.seed, scenario, reorgs: work.reorgs })
      addOutcome(tally, scenario, outcome)
      const { violations, trace } = outcome
      if (violations.length > 0) return post({ kind: 'end', finding: { scenario, violations, trace } })
      if (Date.now() - reportedAt > reportEveryMs) post({ kind: 'progress' })
      if (Date.now() - reportedAt > reportEveryMs) reportedAt = Date.now()
    }
    post({ kind: 'end' })
  } finally {
    closeBench(bench)
  }
}

type Bench = Awaited<ReturnType<typeof openBench>>

/** The number of scenarios until a planted bug shows in one that is clean without it; 0 when it never does. */
const hunt = async (bench: Bench, mutation: (typeof planted)[number]): Promise<Hunted> => {
  const { name, without } = mutation
  for (let scenario = 0; scenario < huntScenarios; scenario++) {
    const at = { ...bench, seed: work.seed, scenario }
    const [violation] = (await runScenario({ ...at, mutation })).violations
    if (violation === undefined || (await runScenario(at)).violations.length > 0) continue
    return { name, without, scenarios: scenario + 1, violation }
  }
  return { name, without, scenarios: 0, violation: '' }
}

await run()
