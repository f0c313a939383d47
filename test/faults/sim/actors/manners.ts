import { limits } from '../../../../src/domain/limits.ts'
import type { Task } from '../tasks.ts'
import { complete, completeMutely, type Held, type Manner, type Providing } from './provider.ts'

/** A job to submit: its deliverable, and a different one. */
type Work = { held: Held; good: () => Task; another: () => Task }
type Treat = (at: Providing, work: Work) => Promise<void>

const note = ({ world }: Providing, kind: number, what: string) => world.ground.faults.note(kind, what)
const honest: Treat = ({ world }, { good }) => world.go(good())

const fail: Treat = async (at, { held }) => at.world.go(complete(at, held.jobId, { status: 'failed', error: 'the tool is down' }))

const breakSchema: Treat = async (at, { held }) => {
  note(at, 55, 'deliverable breaks its schema')
  await at.world.go(complete(at, held.jobId, { response: at.agent.theme.broken }))
  if (at.random.chance(0.3)) at.agent.held.push({ ...held, manner: 'good' })
}

const twice: Treat = async (at, { good }) => {
  note(at, 48, 'complete doubled')
  await at.world.go(good(), good())
}

const other: Treat = async (at, { good, another }) => {
  note(at, 49, 'complete again, other deliverable')
  if (at.random.chance(0.5)) return at.world.go(good(), another())
  await at.world.go(another())
  await at.world.go(good())
}

const thenFailed: Treat = async (at, { held, good }) => {
  note(at, 50, 'completed, then failed')
  await at.world.go(good())
  await at.world.go(complete(at, held.jobId, { status: 'failed', error: 'timeout' }))
}

const sizes: Treat = async (at, { held }) => {
  note(at, 54, 'deliverable at the limits')
  const size = at.random.pick([0, limits.deliverableBytes, limits.deliverableBytes + 1])
  await at.world.go(complete(at, held.jobId, { response: 'x'.repeat(size) }))
}

const mute: Treat = async (at, { held, good }) => {
  note(at, 80, 'completion that says nothing')
  const said = at.random.pick([{}, { result: {} }, { result: null }, { output: 'it is done' }, { deliverable: null }])
  await at.world.go(completeMutely(at, held.jobId, said))
  if (at.random.chance(0.7)) await at.world.go(good())
}

const poison: Treat = async (at, work) => {
  note(at, 56, 'process dies with the delivery')
  if (at.agent.deliveries < 6) return at.world.restart('killed')
  await honest(at, work)
}

const treatments: Record<Manner, Treat> = {
  good: honest,
  slow: honest,
  fail,
  break: breakSchema,
  twice,
  other,
  'then-failed': thenFailed,
  sizes,
  mute,
  poison,
  lose: async () => {},
  vanish: async () => {},
}

/** Half of the deliveries are correct. */
export const manners: Manner[] = [
  ...(['good', 'good', 'good', 'good', 'good', 'good', 'slow', 'vanish', 'fail', 'break'] as const),
  ...(['twice', 'other', 'then-failed', 'sizes', 'mute', 'lose', 'poison'] as const),
]

/** Submits a leased job in its chosen manner. */
export const handIn = async (at: Providing, held: Held): Promise<void> => {
  const { agent, random } = at
  agent.held.splice(agent.held.indexOf(held), 1)
  const mark = random.hex(6)
  const deliver = (words: string) => () => complete(at, held.jobId, { response: agent.theme.deliver(held.input, words) })
  agent.past.push({ jobId: held.jobId, deliverable: agent.theme.deliver(held.input, mark) })
  await treatments[held.manner](at, { held, good: deliver(mark), another: deliver(`other ${mark}`) })
}
