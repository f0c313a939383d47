import { copyFileSync } from 'node:fs'
import { type Agent, actAgent, createAgent, hasWork, register } from './agents.ts'
import { createChainModel } from './chain/chain.ts'
import { coinFor, places } from './chain/places.ts'
import { createFaults } from './faults.ts'
import type { Ground } from './ground.ts'
import { heal, turn } from './heal.ts'
import { checkAlways } from './invariants/always.ts'
import { kinds, onRequest } from './kinds.ts'
import type { Mutation } from './mutation.ts'
import type { WorkerName } from './process.ts'
import { createRandom, type Random } from './random.ts'
import { createSearchModel } from './searchModel.ts'
import { themes } from './themes.ts'
import { createTime } from './time.ts'
import type { User } from './talks.ts'
import { actUser, createUser, isBusy, isWanted } from './users.ts'
import { happen, stranger } from './weather.ts'
import { openWorld, type World } from './world.ts'

export type ScenarioOptions = {
  seed: number
  scenario: number
  /** A migrated, empty database to start from, and the folder for copies of it. */
  template: string
  dir: string
  /** Reorgs and foreign use of keys too. */
  reorgs?: boolean
  mutation?: Mutation
}

export type Outcome = {
  counts: Map<number, number>
  places: Set<string>
  violations: string[]
  trace: string[]
  steps: number
  restarts: number
  reorgs: number
  jobs: number
  /** USDC that were minted and are nowhere; below zero when there is more than was minted. */
  usdcMissing: bigint
  /** Longest time, of the simulated world, from the last fault to an orderly state. */
  recoveryMs: number
}

/** One life of a small market under faults, and its end in peace. The same numbers give the same life. */
export const runScenario = async (options: ScenarioOptions): Promise<Outcome> => {
  const random = createRandom(`${options.seed}/${options.scenario}`)
  const trace: string[] = []
  const ground = createGround(options, random, trace)
  const world = await openWorld(ground)
  try {
    const cast = await setTheStage(world, random)
    const played = await play({ world, random, ...cast })
    const { recoveryMs, violations } = played.violations.length > 0 ? unhealed : await heal({ world, random, ...cast })
    const { counts, places: where } = ground.faults
    const found = [...played.violations, ...violations]
    const { restarts, reorgs } = world.log
    const jobs = Number(world.books.all('select count(*) as jobs from job')[0]?.jobs)
    const usdcMissing = [...ground.chain.state.usdc.values()].reduce((left, it) => left - it, ground.chain.supply())
    return {
      counts,
      places: where,
      violations: found,
      trace,
      steps: played.steps,
      restarts,
      reorgs,
      jobs,
      usdcMissing,
      recoveryMs,
    }
  } finally {
    await world.close()
  }
}

const unhealed = { recoveryMs: 0, violations: [] }

const traceLines = 400

const createGround = (
  { seed, scenario, template, dir, reorgs, mutation }: ScenarioOptions,
  random: Random,
  trace: string[],
): Ground => {
  const file = `${dir}/${seed}-${scenario}.db`
  copyFileSync(template, file)
  const time = createTime()
  const told = (line: string) => {
    trace.push(line)
    if (process.env.LIVE) console.log(line)
    if (trace.length > traceLines) trace.shift()
  }
  const search = createSearchModel()
  const feeBps = random.pick([0, 250])
  return {
    random: random.fork('world'),
    time,
    chain: createChainModel({ random: random.fork('chain'), now: time.now, feeBps }),
    search,
    faults: createFaults({ random: random.fork('faults'), enabled: chooseKinds(random, reorgs === true), told }),
    feeBps,
    isHard: reorgs === true,
    file,
    hidden: () => [],
    trace: told,
    errors: [],
    prompts: [],
    mutation,
  }
}

/** A part of all kinds: faults that are rare together are found where they are alone. */
const chooseKinds = (random: Random, withReorgs: boolean): Set<number> => {
  const share = random.pick([0.15, 0.4, 0.7, 1])
  const possible = Object.keys(kinds)
    .map(Number)
    .filter(it => withReorgs || !onRequest.has(it))
  return new Set(possible.filter(() => random.chance(share)))
}

type Cast = { users: User[]; agents: Agent[] }

const setTheStage = async (world: World, random: Random): Promise<Cast> => {
  const { chain, faults } = world.ground
  chain.give(places.treasury, coinFor.treasury)
  chain.mint(stranger, 1_000_000n)
  const agents = Array.from({ length: 1 + random.int(3) }, (_, at) =>
    createAgent(`agent-${at}`, {
      theme: themes[at % themes.length] ?? random.pick(themes),
      price: random.pick([0, 0.05, 1.5]),
      slaMinutes: random.pick([1, 1, 2, 5]),
    }),
  )
  const users = Array.from({ length: 2 + random.int(2) }, (_, at) =>
    createUser(`user-${at}`, { wishes: 2 + random.int(5), themes: themes.slice(0, agents.length) }),
  )
  for (const user of users) {
    user.proxy = await world.process.deps.wallets.ensure('user', user.wallet)
    chain.mint(user.proxy, 10_000_000n)
  }
  // Some markets are built in the storm already.
  if (random.chance(0.15)) faults.rate = 0.03
  for (const agent of agents) await register({ world, agent })
  for (let round = 0; round < 4; round++) await turn(world)
  faults.rate = random.pick([0.02, 0.05, 0.1, 0.2])
  return { users, agents }
}

type Playing = Cast & { world: World; random: Random }

const mostSteps = 300
const checkEvery = 7

const play = async (at: Playing): Promise<{ violations: string[]; steps: number }> => {
  const { world, users } = at
  for (let step = 1; step <= mostSteps; step++) {
    world.ground.trace(`step ${step} at ${world.ground.time.now() % 100_000_000}`)
    await playStep(at)
    const violations = step % checkEvery === 0 ? checkAlways(world) : []
    if (violations.length > 0) return { violations, steps: step }
    if (!users.some(isBusy) && step > 60) return { violations: checkAlways(world), steps: step }
  }
  return { violations: checkAlways(world), steps: mostSteps }
}

/** Which channel tells a worker that it has something to do. */
const channels: Record<WorkerName, string> = {
  advance: 'runs',
  send: 'intents',
  watch: 'blocks',
  lapse: 'leases',
  expire: 'deadlines',
  reindex: 'outbox:index',
  refresh: 'work',
}
const workers = Object.keys(channels).filter((it): it is WorkerName => it in channels)

const playStep = async (at: Playing) => {
  const { world, random, users, agents } = at
  const { time, chain } = world.ground
  time.advance(random.chance(0.03) ? 20_000 + random.int(60_000) : random.int(1_500))
  const dice = random.next()
  if (dice < 0.5) return workStep(at)
  if (dice < 0.62) return mineStep(at)
  if (dice < 0.78) {
    const user = pickOr(users.filter(isWanted), users.filter(isBusy), random)
    if (!user) return workStep(at)
    world.ground.trace(`  user ${users.indexOf(user)}`)
    return actUser({ world, user, others: users.filter(it => it !== user), random })
  }
  if (dice < 0.93) {
    const agent = pickOr(
      agents.filter(it => hasWork(world, it)),
      agents,
      random,
    )
    if (!agent) return
    world.ground.trace(`  ${agent.handle}`)
    return actAgent({ world, agent, random, agents })
  }
  if (dice < 0.975) return happen({ world, users, random })
  chain.weather.lagBlocks = 0
  return resumeStep(at)
}

/** Mostly one that has something to do. */
const pickOr = <T>(eager: T[], all: T[], random: Random): T | undefined => {
  const from = eager.length > 0 && random.chance(0.85) ? eager : all
  return from.length > 0 ? random.pick(from) : undefined
}

const workStep = async ({ world, random }: Pick<Playing, 'world' | 'random'>) => {
  const { told } = world.ground.time
  const eager = workers.filter(it => told.has(channels[it]))
  const name = eager.length > 0 && random.chance(0.85) ? random.pick(eager) : random.pick(workers)
  told.delete(channels[name])
  world.ground.trace(`  work ${name}`)
  // The index has one writer; of the others several may run.
  if (name === 'reindex' && world.process.life.parked.some(it => it.task.name === name)) return
  if (name !== 'reindex' && world.ground.faults.has(47) && random.chance(0.06)) {
    world.ground.faults.note(47, `two ${name}`)
    return world.go(world.work(name), world.work(name))
  }
  await world.go(world.work(name))
  await resumeStep({ world, random })
}

const mineStep = async ({ world, random }: Pick<Playing, 'world' | 'random'>) => {
  const { chain, time } = world.ground
  if (chain.pool.size === 0 && random.chance(0.7)) return workStep({ world, random })
  const blocks = random.chance(0.1) ? 1 + random.int(5) : 1
  for (let left = blocks; left > 0; left--) chain.mine()
  for (const channel of ['blocks', 'intents']) time.told.add(channel)
}

const resumeStep = async ({ world, random }: Pick<Playing, 'world' | 'random'>) => {
  const ready = world.process.life.parked.filter(it => it.from <= world.ground.time.now())
  if (ready.length === 0 || !random.chance(0.4)) return
  const { task, release } = random.pick(ready)
  world.ground.trace(`  resume ${task.name}`)
  release()
  await world.go(task)
}
