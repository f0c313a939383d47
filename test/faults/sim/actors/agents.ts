import { textOf } from '../books.ts'
import { addressOf } from '../chain/places.ts'
import type { World } from '../world.ts'
import { handIn, manners } from './manners.ts'
import { type Agent, askForJob, complete, credentialOf, type Delivery, goStrict, type Providing, register } from './provider.ts'
import { actWithoutCredential, keepHold, stealJob } from './thieves.ts'

export const createAgent = (
  handle: string,
  offer: Pick<Agent, 'theme' | 'price' | 'unit' | 'slaMinutes' | 'isCareful'>,
): Agent => ({
  handle,
  owner: addressOf(`owner of ${handle}`),
  ...offer,
  isListed: true,
  isStrict: false,
  id: undefined,
  hold: undefined,
  taken: undefined,
  held: [],
  past: [],
  deliveries: 0,
})

/** Whether there is a job for this agent, or a deliverable to submit. */
export const hasWork = (world: World, agent: Agent): boolean =>
  agent.held.some(it => it.from <= world.ground.time.now()) || queuedFor(world, agent).length > 0

const queuedFor = ({ books }: World, { id }: Agent) =>
  books.all(`select id, attempt from job where agent_id = ? and state = 'queued' limit 1`, id ?? '')

/** Performs the next action of an agent. */
export const actAgent = async (at: Providing): Promise<void> => {
  const { world, agent, random } = at
  if (!agent.id) return register(at)
  if (agent.isCareful && !agent.isStrict) await goStrict(at)
  if (agent.isStrict && random.chance(queuedFor(world, agent).length > 0 ? 0.3 : 0.05)) return stealJob(at)
  if (!agent.isCareful && random.chance(queuedFor(world, agent).length > 0 ? 0.2 : 0.05)) return actWithoutCredential(at)
  const due = agent.held.filter(it => it.from <= world.ground.time.now())
  if (due.length > 0 && random.chance(0.75)) return handIn(at, random.pick(due))
  if (random.chance(0.12)) return mischief(at)
  await poll(at)
}

const poll = async (at: Providing) => {
  const { world, agent, random } = at
  const { faults } = world.ground
  const input = { agent: random.chance(0.5) && agent.id ? agent.id : agent.handle, timeout: random.chance(0.1) ? 5 : 0 }
  const wallet = credentialOf(agent)
  const ask = () => askForJob(world, input, { wallet, given: job => take(at, job), heard: keepHold(at, input.agent) })
  if (queuedFor(world, agent).length > 0 && random.chance(0.15)) {
    faults.note(46, 'two pollers')
    return world.go(ask(), ask())
  }
  const lost = () => faults.note(53, 'answer to a poll lost')
  if (random.chance(0.06)) return world.go(askForJob(world, input, { wallet, given: lost }))
  await world.go(ask())
}

const take = ({ world, agent, random }: Providing, { job_id: jobId, job_input: input }: Delivery) => {
  const { faults, time } = world.ground
  const manner = random.pick(manners)
  agent.deliveries += 1
  if (manner === 'vanish') return faults.note(45, 'agent vanishes')
  const delay = manner === 'slow' ? 61_000 + random.int(120_000) : random.int(4_000)
  if (manner === 'slow') faults.note(51, 'deliverable after the lease')
  agent.held.push({ jobId, input, from: time.now() + delay, manner })
}

/** Behaves correctly: leases a job and submits its deliverable. */
export const serve = async ({ world, agent }: Pick<Providing, 'world' | 'agent'>): Promise<void> => {
  if (!agent.id) return
  const given: Delivery[] = []
  const wallet = credentialOf(agent)
  await world.go(askForJob(world, { agent: agent.id, timeout: 0 }, { wallet, given: job => given.push(job) }))
  for (const { job_id, job_input } of given)
    await world.go(complete({ world, agent }, job_id, { response: agent.theme.deliver(job_input, 'served') }))
}

/**
 * Actions of a dishonest agent: it completes another agent's job, an old job, a job before polling, no job, or with other
 * terms.
 */
const mischief = async (at: Providing): Promise<void> => {
  const { world, agent, random, agents } = at
  const { faults } = world.ground
  const [taken] = agents.flatMap(it => (it === agent ? [] : it.held))
  const old = agent.past.at(-1)
  const [early] = queuedFor(world, agent).filter(it => it.attempt === 0)
  if (taken && random.chance(0.4)) {
    faults.note(52, "complete of another's job")
    return world.go(complete(at, taken.jobId, { response: 'stolen' }))
  }
  if (old && random.chance(0.4)) {
    const isSame = random.chance(0.5)
    faults.note(isSame ? 48 : 49, 'an old job again')
    return world.go(complete(at, old.jobId, { response: isSame ? old.deliverable : 'something else' }))
  }
  if (early && random.chance(0.5)) {
    faults.note(52, 'complete before poll')
    return world.go(complete(at, textOf(early.id), { response: 'before anybody asked' }))
  }
  if (random.chance(0.2)) {
    faults.note(52, 'complete of no job')
    return world.go(complete(at, `job_${random.hex(32)}`, { response: 'early' }))
  }
  await changeOffering(at)
}

const changeOffering = async (at: Providing) => {
  const { world, agent, random } = at
  const { faults } = world.ground
  const isHidden = random.chance(0.3)
  if (isHidden) faults.note(agent.held.length > 0 ? 59 : 72, 'offering hidden')
  else faults.note(60, 'price and promise changed')
  agent.isListed = !isHidden
  agent.price = random.pick([0, 0.05, 0.5, 1.5])
  agent.slaMinutes = random.pick([1, 2, 5])
  await register(at)
  if (isHidden && random.chance(0.3)) return
  // Most agents return, so that there is work to do.
  agent.isListed = true
  await register(at)
}
