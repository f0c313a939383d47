import { isBusy } from './actors/users.ts'
import { heal } from './heal.ts'
import { checkAlways } from './invariants/always.ts'
import { differencesOf } from './invariants/money.ts'
import { createRandom } from './random.ts'
import { createGround, type ScenarioOptions, setTheStage } from './stage.ts'
import { type Playing, playStep } from './steps.ts'
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
  /** Plans with a yes, and the jobs of their steps. */
  plans: number
  planSteps: number
  /** Atomic USDC that somebody should have and has not, and that nobody should have, by the chain. */
  usdcLost: bigint
  usdcCreated: bigint
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
    // Money is counted at rest, also after a violation. A planted bug needs to be found only.
    const isFound = played.violations.length > 0 && options.mutation !== undefined
    const healed = isFound ? unhealed : await heal(at)
    const violations = [...new Set([...played.violations, ...healed.violations])]
    return { ...toFigures(world), ...played, ...healed, violations, trace }
  } finally {
    await world.close()
  }
}

const toFigures = (world: World) => {
  const { log } = world
  const { faults } = world.ground
  return {
    counts: faults.counts,
    places: faults.places,
    restarts: log.restarts,
    reorgs: log.reorgs,
    jobs: countIn(world, 'job'),
    plans: countIn(world, 'plan where agreed_at is not null'),
    planSteps: countIn(world, 'plan_step s join job j on j.run_id = s.run_id'),
    ...toMoney(world),
  }
}

const countIn = ({ books }: World, rows: string): number => Number(books.all(`select count(*) as n from ${rows}`)[0]?.n)

const toMoney = (world: World) => {
  const { state, supply } = world.ground.chain
  const missing = [...state.usdc.values()].reduce((left, it) => left - it, supply())
  const { lost, created } = differencesOf(world)
  return { usdcLost: lost + (missing > 0n ? missing : 0n), usdcCreated: created - (missing < 0n ? missing : 0n) }
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
