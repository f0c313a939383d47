import { actAgent, hasWork } from './actors/agents.ts'
import { actPayer } from './actors/payers.ts'
import { actTrader } from './actors/traders.ts'
import { actUser, isBusy, isWanted } from './actors/users.ts'
import type { WorkerName } from './process.ts'
import type { Random } from './random.ts'
import type { Cast } from './stage.ts'
import { happen } from './weather.ts'
import type { World } from './world.ts'

export type Playing = Cast & { world: World; random: Random }

/** The channel that wakes each worker. */
const channels: Record<WorkerName, string> = {
  pay: 'purchases',
  advance: 'runs',
  send: 'intents',
  watch: 'blocks',
  tokens: 'blocks',
  reconcile: 'reconcile',
  facilitate: 'facilitators',
  lapse: 'leases',
  expire: 'deadlines',
  end: 'deadlines',
  claim: 'deadlines',
  rate: 'blocks',
  reindex: 'outbox:index',
  learn: 'outbox:learn',
  refresh: 'work',
}
const workers = Object.keys(channels).filter((it): it is WorkerName => it in channels)

/** Performs one random step. */
export const playStep = async (at: Playing): Promise<void> => {
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
  const { payers, traders } = at
  if (traders.length > 0 && random.chance(0.25)) {
    world.ground.trace('  trader')
    return actTrader({ world, trader: random.pick(traders), agents, random })
  }
  if (payers.length > 0 && random.chance(0.35)) {
    const payer = random.pick(payers)
    world.ground.trace('  payer')
    return actPayer({ world, payer, agents, random })
  }
  if (dice < 0.9) {
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

/** Usually picks one that has work. */
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
  // The index has one writer; other workers may run several times.
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
