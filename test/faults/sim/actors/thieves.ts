import { z } from 'zod'
import { completeJob } from '../../../../src/operations/gateway/completeJob.ts'
import { textOf } from '../books.ts'
import { addressOf } from '../chain/places.ts'
import type { Answer, World } from '../world.ts'
import { type Agent, askForJob, type Providing } from './provider.ts'

const thief = addressOf('owner of no agent')

/**
 * Another party uses the name of an agent in strict mode, for example a process whose registration was refused and that knows
 * only the handle. It must get no job, end none, and not learn that there is one.
 */
export const stealJob = async ({ world, agent, random }: Providing): Promise<void> => {
  const { faults } = world.ground
  faults.note(78, 'act for a strict agent without its credential')
  const wallet = random.chance(0.5) ? thief : undefined
  const name = random.pick([agent.handle, `erc8004:${agent.handle}`, agent.id ?? agent.handle])
  const given = () => world.log.scandals.push(`I8 a job of ${agent.handle} was given to somebody without its credential`)
  await world.go(askForJob(world, { agent: name, timeout: 0 }, { wallet, given }))
  const [out] = world.books.all(`select id from job where agent_id = ? and state = 'leased' limit 1`, agent.id ?? '')
  if (!out || random.chance(0.5)) return
  const completion = world.ask({
    operation: completeJob,
    input: { job_id: textOf(out.id), result: { response: agent.theme.deliver('{}', 'stolen') } },
    wallet,
    heard(answer) {
      if ('value' in answer) world.log.scandals.push(`I8 job ${out.id} was completed by somebody without the credential`)
    },
  })
  await world.go(completion)
}

/** How long the gateway excludes other pollers after the agent's own process has polled, in ms. */
const exclusiveMs = 60_000
const elsewhere = '203.0.113.9'

type At = Pick<Providing, 'world' | 'agent'>
const isActive = ({ world }: At, hold: Agent['hold']): boolean =>
  hold !== undefined && hold.process === world.process && world.ground.time.clock.now() < hold.until

/**
 * The effect of a poll by the agent's own process with its full id and no credential: it excludes other pollers, unless one of
 * them came first.
 */
export const keepHold = (at: At, name: string): (() => void) => {
  const { world, agent } = at
  const { process } = world
  const until = world.ground.time.clock.now() + exclusiveMs
  const wasTaken = isActive(at, agent.taken)
  return () => {
    if (name === agent.id && !agent.isCareful && !wasTaken && !isActive(at, agent.taken)) agent.hold = { process, until }
  }
}

/**
 * Another party uses the name of an agent that works without a credential. While the agent's own process polls, the other gets
 * no job. A failure that it reports of a job that it did not take requeues the job and does not end it.
 */
export const actWithoutCredential = async (at: Providing): Promise<void> => {
  const { world, agent, random } = at
  const [out] = world.books.all(`select id from job where agent_id = ? and state = 'leased' limit 1`, agent.id ?? '')
  if (out && random.chance(0.4)) return reportFailure(at, textOf(out.id))
  const { faults, time } = world.ground
  faults.note(81, 'another process polls')
  const { hold } = agent
  const { process } = world
  const isHeld = () => hold === agent.hold && isActive(at, hold)
  const wasHeld = isHeld()
  const taken = (until: number) => Object.assign(agent, { hold: undefined, taken: { process, until } })
  // The other process may be admitted now, and stays so when the clock is set back to a time of the earlier hold.
  if (!wasHeld) taken(Number.POSITIVE_INFINITY)
  const given: string[] = []
  const take = ({ job_id: jobId }: { job_id: string }) => {
    given.push(jobId)
    takenIn.set(world, (takenIn.get(world) ?? new Set()).add(jobId))
    if (wasHeld && isHeld())
      world.log.scandals.push(`I8 job ${jobId} of ${agent.handle} was given to another process while its own polled`)
  }
  const name = random.pick([agent.handle, `erc8004:${agent.handle}`, agent.id ?? agent.handle])
  await world.go(askForJob(world, { agent: name, timeout: 0 }, { wallet: undefined, source: elsewhere, given: take }))
  if (!wasHeld || !isHeld()) taken(time.clock.now() + exclusiveMs)
  for (const jobId of given) await reportFailure(at, jobId)
}

const ended = z.object({ state: z.literal('rejected'), accepted: z.literal(true) })

/** The jobs that this address took at some time. Its word ends a job that it has. */
const takenIn = new WeakMap<World, Set<string>>()

const reportFailure = async ({ world }: Providing, jobId: string) => {
  world.ground.faults.note(82, 'failure reported without a credential')
  const input = { job_id: jobId, status: 'failed', error: 'handler broken' }
  const heard = (answer: Answer) => {
    if (takenIn.get(world)?.has(jobId) || !('value' in answer) || !ended.safeParse(answer.value).success) return
    world.log.scandals.push(`I8 job ${jobId} was ended by the word of an address that did not take it`)
  }
  await world.go(world.ask({ operation: completeJob, input, source: elsewhere, heard }))
}
