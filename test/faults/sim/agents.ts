import { z } from 'zod'
import type { Address } from '../../../src/domain/hex.ts'
import { limits } from '../../../src/domain/limits.ts'
import { completeJob } from '../../../src/operations/completeJob.ts'
import { pollJob } from '../../../src/operations/pollJob.ts'
import { registerAgent } from '../../../src/operations/registerAgent.ts'
import { textOf } from './books.ts'
import { addressOf } from './chain/places.ts'
import type { Random } from './random.ts'
import type { Task } from './tasks.ts'
import type { Theme } from './themes.ts'
import type { Answer, World } from './world.ts'

type Held = { jobId: string; input: string; from: number; manner: Manner }

export type Agent = {
  handle: string
  owner: Address
  theme: Theme
  price: number
  slaMinutes: number
  isListed: boolean
  id: string | undefined
  held: Held[]
  /** Jobs that were handed in: to hand in again. */
  past: { jobId: string; deliverable: string }[]
  deliveries: number
}

/** There is a job for this agent, or a deliverable to hand in. */
export const hasWork = ({ books, ground }: World, { id, held }: Agent): boolean =>
  held.some(it => it.from <= ground.time.now()) ||
  books.all(`select 1 from job where agent_id = ? and state = 'queued' limit 1`, id ?? '').length > 0

type Offer = Pick<Agent, 'theme' | 'price' | 'slaMinutes'>
export const createAgent = (handle: string, offer: Offer): Agent => ({
  handle,
  owner: addressOf(`owner of ${handle}`),
  ...offer,
  isListed: true,
  id: undefined,
  held: [],
  past: [],
  deliveries: 0,
})

/** How an agent treats a job. */
const manners = [
  'good',
  'good',
  'good',
  'good',
  'slow',
  'vanish',
  'fail',
  'break',
  'twice',
  'other',
  'then-failed',
  'sizes',
  'lose',
  'poison',
] as const
type Manner = (typeof manners)[number]

type Acting = { world: World; agent: Agent; random: Random; agents: Agent[] }

/** One thing that an agent does next. */
export const actAgent = async (at: Acting): Promise<void> => {
  const { world, agent, random } = at
  if (!agent.id) return register(at)
  const due = agent.held.filter(it => it.from <= world.ground.time.now())
  if (due.length > 0 && random.chance(0.7)) return handIn(at, random.pick(due))
  if (random.chance(0.12)) return mischief(at)
  await poll(at)
}

export const register = async ({ world, agent }: Pick<Acting, 'world' | 'agent'>): Promise<void> => {
  const { handle, theme, price, slaMinutes, isListed } = agent
  const { requirement, deliverable, name, description } = theme
  const offering = { id: 'main', name, description, price, requirement, deliverable, sla_minutes: slaMinutes, hide: !isListed }
  const input = { handle, chain_id: 97, name: handle, job_offerings: [offering] }
  const then = (answer: Answer) => {
    if (!('value' in answer)) return
    const { agent_id, onchain_registration } = registered.parse(answer.value)
    agent.id = agent_id
    world.log.agentWallets.set(agent_id, onchain_registration.agent_wallet)
  }
  await world.go(world.ask({ operation: registerAgent, input, wallet: agent.owner, then }))
}

const anAddress = z.custom<Address>(it => typeof it === 'string' && /^0x[0-9a-f]{40}$/.test(it))
const registered = z.object({ agent_id: z.string(), onchain_registration: z.object({ agent_wallet: anAddress }) })
const delivery = z.object({ job_id: z.string(), job_input: z.string() })

const askForJob = ({ world, agent, random }: Acting, keeps: boolean): Task =>
  world.ask({
    operation: pollJob,
    input: { agent: random.chance(0.5) ? agent.id : agent.handle, timeout: random.chance(0.1) ? 5 : 0 },
    then(answer) {
      const given = 'value' in answer ? delivery.safeParse(answer.value).data : undefined
      if (!given) return
      world.log.deliveries.set(given.job_id, (world.log.deliveries.get(given.job_id) ?? 0) + 1)
      if (keeps) take({ world, agent, random }, given)
    },
  })

const take = ({ world, agent, random }: Omit<Acting, 'agents'>, given: z.infer<typeof delivery>) => {
  const { faults, time } = world.ground
  const manner = random.pick(manners)
  agent.deliveries += 1
  if (manner === 'vanish') return faults.note(45, 'agent vanishes')
  const delay = manner === 'slow' ? 61_000 + random.int(120_000) : random.int(4_000)
  if (manner === 'slow') faults.note(51, 'deliverable after the lease')
  agent.held.push({ jobId: given.job_id, input: given.job_input, from: time.now() + delay, manner })
}

const poll = async (at: Acting) => {
  const { world, random } = at
  const { faults } = world.ground
  if (random.chance(0.1)) {
    faults.note(46, 'two pollers')
    return world.go(askForJob(at, true), askForJob(at, true))
  }
  if (random.chance(0.05)) {
    faults.note(53, 'answer to a poll lost')
    return world.go(askForJob(at, false))
  }
  await world.go(askForJob(at, true))
}

/** An honest day's work: takes what there is and hands it in. */
export const serve = async ({ world, agent }: Pick<Acting, 'world' | 'agent'>): Promise<void> => {
  if (!agent.id) return
  const given: z.infer<typeof delivery>[] = []
  const then = (answer: Answer) => {
    const job = 'value' in answer ? delivery.safeParse(answer.value).data : undefined
    if (job) given.push(job)
    if (job) world.log.deliveries.set(job.job_id, (world.log.deliveries.get(job.job_id) ?? 0) + 1)
  }
  await world.go(world.ask({ operation: pollJob, input: { agent: agent.id, timeout: 0 }, then }))
  for (const { job_id, job_input } of given) {
    const response = agent.theme.deliver(job_input, 'served')
    await world.go(complete({ world, agent }, job_id, { response }))
  }
}

type Result = { status?: string; response?: string; error?: string }

const complete = (at: Pick<Acting, 'world' | 'agent'>, jobId: string, { status = 'completed', response, error }: Result): Task =>
  at.world.ask({
    operation: completeJob,
    input: {
      job_id: jobId,
      ...(at.agent.id && { agent_id: at.agent.id }),
      status,
      ...(response !== undefined && { result: { response } }),
      ...(error && { error }),
    },
    then(answer) {
      if (!('value' in answer)) return
      const { accepted } = completed.parse(answer.value)
      if (response) at.world.log.handed.push({ jobId, deliverable: response, agentId: at.agent.id, accepted })
    },
  })

const completed = z.object({ accepted: z.boolean() })

const handIn = async (at: Acting, held: Held): Promise<void> => {
  const { world, agent, random } = at
  const { faults } = world.ground
  agent.held.splice(agent.held.indexOf(held), 1)
  const { jobId } = held
  const mark = `v${random.hex(6)}`
  const response = agent.theme.deliver(held.input, mark)
  agent.past.push({ jobId, deliverable: response })
  const good = () => complete(at, jobId, { response })
  const act: Record<Exclude<Manner, 'vanish'>, () => Promise<void>> = {
    good: () => world.go(good()),
    slow: () => world.go(good()),
    fail: () => world.go(complete(at, jobId, { status: 'failed', error: 'the tool is down' })),
    async break() {
      faults.note(55, 'deliverable breaks its schema')
      await world.go(complete(at, jobId, { response: agent.theme.broken }))
      if (random.chance(0.3)) agent.held.push({ ...held, manner: 'good' })
    },
    async twice() {
      faults.note(48, 'complete doubled')
      await world.go(good(), good())
    },
    async other() {
      faults.note(49, 'complete again, other deliverable')
      const second = complete(at, jobId, { response: agent.theme.deliver(held.input, `other${mark}`) })
      await (random.chance(0.5) ? world.go(good(), second) : world.go(second).then(() => world.go(good())))
    },
    async 'then-failed'() {
      faults.note(50, 'completed, then failed')
      await world.go(good())
      await world.go(complete(at, jobId, { status: 'failed', error: 'timeout' }))
    },
    async sizes() {
      faults.note(54, 'deliverable at the limits')
      const size = random.pick([0, limits.deliverableBytes, limits.deliverableBytes + 1])
      await world.go(complete(at, jobId, { response: 'x'.repeat(size) }))
    },
    lose: () => world.go(),
    async poison() {
      faults.note(56, 'process dies with the delivery')
      if (agent.deliveries < 6) return world.restart('killed')
      await world.go(good())
    },
  }
  if (held.manner !== 'vanish') await act[held.manner]()
}

/** Things that no honest agent does: no job, another's job, an old job, other terms. */
const mischief = async (at: Acting): Promise<void> => {
  const { world, agent, random, agents } = at
  const { faults } = world.ground
  const others = agents.flatMap(it => (it === agent ? [] : it.held))
  const old = agent.past.at(-1)
  const [taken] = others
  if (taken && random.chance(0.4)) {
    faults.note(52, "complete of another's job")
    return world.go(complete(at, taken.jobId, { response: 'stolen' }))
  }
  if (old && random.chance(0.4)) {
    const isSame = random.chance(0.5)
    faults.note(isSame ? 48 : 49, 'an old job again')
    return world.go(complete(at, old.jobId, { response: isSame ? old.deliverable : 'something else' }))
  }
  const early = world.books.all(
    `select id from job where agent_id = ? and attempt = 0 and state in ('open', 'queued') limit 1`,
    agent.id ?? '',
  )
  if (early[0] && random.chance(0.5)) {
    faults.note(52, 'complete before poll')
    return world.go(complete(at, textOf(early[0].id), { response: 'before anybody asked' }))
  }
  if (random.chance(0.3)) {
    faults.note(52, 'complete of no job')
    return world.go(complete(at, `job_${random.hex(32)}`, { response: 'early' }))
  }
  await changeOffering(at)
}

const changeOffering = async (at: Acting) => {
  const { world, agent, random } = at
  const { faults } = world.ground
  const isHidden = random.chance(0.3)
  if (isHidden) faults.note(agent.held.length > 0 ? 59 : 72, 'offering hidden')
  else faults.note(60, 'price and promise changed')
  agent.isListed = !isHidden
  agent.price = random.pick([0, 0.05, 0.5, 1.5])
  agent.slaMinutes = random.pick([1, 2, 5])
  await register(at)
  // Most come back, or nobody would have work.
  if (isHidden && random.chance(0.7)) {
    agent.isListed = true
    await register(at)
  }
}
