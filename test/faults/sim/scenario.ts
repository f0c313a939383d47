import { heal } from './heal.ts'
import { checkAlways } from './invariants/always.ts'
import { createRandom } from './random.ts'
import { createGround, type ScenarioOptions, setTheStage } from './stage.ts'
import { type Playing, playStep } from './steps.ts'
import { isBusy } from './users.ts'
import { openWorld, type World } from './world.ts'

export type Outcome = {
  counts: Map<number, number>
  places: Set<string>
  violations: string[]
  trace: string[]
  steps: number
  restarts: number
  reorgs: number
  jobs: number
  /** Minted USDC minus existing USDC, in atomic units; negative when there is too much. */
  usdcMissing: bigint
  /** Longest simulated time in ms from the last fault to an orderly state. */
  recoveryMs: number
}

/** Runs a small market under faults, then without them until it is idle. The same options give the same run. */
export const runScenario = async (options: ScenarioOptions): Promise<Outcome> => {
  const random = createRandom(`${options.seed}/${options.scenario}`)
  const trace: string[] = []
  const ground = createGround(options, random, trace)
  const world = await openWorld(ground)
  try {
    const cast = await setTheStage(world, random)
    const at = { world, random, ...cast }
    const played = await play(at)
    const healed = played.violations.length > 0 ? unhealed : await heal(at)
    return { ...toFigures(world), ...played, ...healed, violations: [...played.violations, ...healed.violations], trace }
  } finally {
    await world.close()
  }
}

const toFigures = ({ ground, log, books }: World) => {
  const { faults, chain } = ground
  return {
    counts: faults.counts,
    places: faults.places,
    restarts: log.restarts,
    reorgs: log.reorgs,
    jobs: Number(books.all('select count(*) as jobs from job')[0]?.jobs),
    usdcMissing: [...chain.state.usdc.values()].reduce((left, it) => left - it, chain.supply()),
  }
}

const unhealed = { recoveryMs: 0, violations: [] }

const maxSteps = 300
const checkEvery = 15

const play = async (at: Playing): Promise<{ violations: string[]; steps: number }> => {
  const { world, users } = at
  for (let step = 1; step <= maxSteps; step++) {
    world.ground.trace(`step ${step} at ${world.ground.time.now() % 100_000_000}`)
    await playStep(at)
    const violations = step % checkEvery === 0 ? checkAlways(world) : []
    if (violations.length > 0) return { violations, steps: step }
    if (!users.some(isBusy) && step > 60) return { violations: checkAlways(world), steps: step }
  }
  return { violations: checkAlways(world), steps: maxSteps }
}
