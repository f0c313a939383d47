import { parentPort, workerData } from 'node:worker_threads'
import { type Finding, type Hunted, isOver, type LaneReport, laneWork, nextPlanted } from './laneWork.ts'
import type { Mutation } from './mutation.ts'
import { planted } from './planted.ts'
import { runScenario } from './scenario.ts'
import { catchStrays } from './strays.ts'
import { addOutcome, emptyTally } from './tally.ts'

const reportEveryMs = 1_000
/** A planted bug counts as not found after this many scenarios. */
const huntScenarios = 400

const work = laneWork.parse(workerData)
const { seed, lane, lanes, dir, template } = work
const shared = new Int32Array(work.shared)
const isStopped = () => Atomics.load(shared, isOver) === 1
const tally = emptyTally()
const hunted: Hunted[] = []
const post = (finding?: Finding) => parentPort?.postMessage({ tally, hunted, ...(finding && { finding }) } satisfies LaneReport)

/** Searches a scenario that detects a planted bug and has no violation without it. */
const hunt = async (mutation: Mutation): Promise<Hunted> => {
  const { name, without, focus, plans, byUse } = mutation
  for (let scenario = 0; scenario < huntScenarios && !isStopped(); scenario++) {
    const at = { dir, template, seed, scenario, ...(focus && { focus }), ...(plans && { plans }), ...(byUse && { byUse }) }
    const [violation] = (await runScenario({ ...at, mutation })).violations
    if (violation === undefined || (await runScenario(at)).violations.length > 0) continue
    return { name, without, scenarios: scenario + 1, violation }
  }
  return { name, without, scenarios: 0, violation: '' }
}

const huntAll = async (words: string) => {
  const wanted = planted.filter(it => it.name.includes(words))
  const take = () => wanted[Atomics.add(shared, nextPlanted, 1)]
  for (let next = take(); next && !isStopped(); next = take()) {
    hunted.push(await hunt(next))
    post()
  }
}

const runUntilFinding = async (): Promise<Finding | undefined> => {
  let reportedAt = 0
  for (let scenario = lane; Date.now() < work.endsAt && !isStopped(); scenario += lanes) {
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
if (work.hunts !== undefined) await huntAll(work.hunts)
else post(await runUntilFinding())
