import { afterEach, beforeEach, expect, test } from 'vitest'
import { escrow } from '../../graphs/butler/nodes/escrow.ts'
import { evaluate } from '../../graphs/butler/nodes/evaluate.ts'
import { refund } from '../../graphs/butler/nodes/refund.ts'
import { revise } from '../../graphs/butler/nodes/revise.ts'
import { settle } from '../../graphs/butler/nodes/settle.ts'
import { limits } from '../../src/domain/limits.ts'
import type { Job } from '../../src/ports.ts'
import { newMandate } from '../store/mandateRows.ts'
import { user } from '../world.ts'
import { type NodeWorld, openNodeWorld } from './nodeWorld.ts'
import { fresh, proposal } from './states.ts'

let world: NodeWorld
beforeEach(async () => {
  world = await openNodeWorld()
})
afterEach(() => world.close())

const strangers = { ...proposal, agentId: 'x' }
const changed = { jobId: undefined, notice: expect.stringContaining('changed') }

test('running escrow twice opens one job and decides one hire', async () => {
  await world.run('run-1', 'task')
  const listing = await world.store.listing(world.agent.id, 'notes')
  if (!listing) throw new Error('no listing')
  const agreed = await world.butlerDeps.writeProposal({ listing, input: '{}', reason: '', others: [] })
  const update = await world.twice(escrow(world.butlerDeps), { ...fresh, proposal: agreed })
  expect(await world.store.intent(`job:${update.jobId}:hire`)).toMatchObject({ state: 'waiting', sender: world.userWallet })
  expect(await world.store.jobs({ limit: 9, offset: 0 })).toHaveLength(1)
})

test('a proposal that was stored before digests had 128 bits is hired by its own digest, and by no other terms', async () => {
  await world.run('run-1', 'task')
  const listing = await world.store.listing(world.agent.id, 'notes')
  if (!listing) throw new Error('no listing')
  const agreed = await world.butlerDeps.writeProposal({ listing, input: '{}', reason: '', others: [] })
  const stored = { ...agreed, digest: agreed.digest.slice(0, 8) }
  const others = [
    { ...stored, input: '{"talk":"x"}' },
    { ...stored, digest: agreed.digest.slice(0, 9) },
    { ...stored, digest: '' },
  ]
  for (const it of others) await expect(world.butlerDeps.openJob('run-1', it)).rejects.toThrow('digest does not fit')
  expect(await world.butlerDeps.openJob('run-1', stored)).toMatchObject({ runId: 'run-1' })
})

test('a mandate revoked before the job opens nothing: the user is asked, and the run says why', async () => {
  const { store, butlerDeps, agent } = world
  await world.run('run-1', 'task')
  const limits = { maxPerJob: 5_000_000, maxPerPeriod: 9_000_000, askAbove: 5_000_000 }
  await store.addMandate(newMandate({ id: 'mandate-1', user, decimals: 6, limits }))
  const listing = await store.listing(agent.id, 'notes')
  if (!listing) throw new Error('no listing')
  const draft = { listing, input: '{}', reason: '', others: [] }
  const covered = await butlerDeps.writeProposal({ ...draft, run: { id: 'run-1', isAsked: false } })
  expect(covered.mandate).toMatchObject({ mandate_id: 'mandate-1', covers: true })
  await store.revokeMandate('mandate-1', user)
  const asks = { jobId: undefined, asked: true, notice: expect.stringContaining('the mandate was revoked') }
  expect(await world.twice(escrow(butlerDeps), { ...fresh, proposal: covered })).toEqual(asks)
  expect(await store.jobs({ limit: 9, offset: 0 })).toEqual([])
})

test('each of at most two alternatives says why it ranks behind the proposal', async () => {
  const listing = await world.store.listing(world.agent.id, 'notes')
  if (!listing) throw new Error('no listing')
  const why = async (other: Partial<typeof listing>, coverage = 1) => {
    const rival = { listing: { ...listing, ...other }, coverage }
    const draft = { listing, coverage: 1, input: '{}', reason: '', others: [rival, rival, rival] }
    return (await world.butlerDeps.writeProposal(draft)).alternatives.map(it => it.why)
  }
  const twice = (text: string) => [text, text]
  expect(await why({ price: '0' }, 0.5)).toEqual(twice('fits your words less well'))
  expect(await why({ price: '0' }, 0.1)).toEqual([])
  expect(await why({ price: String(Number(listing.price) + 0.25), slaMinutes: 99 })).toEqual(twice('costs 0.25 USDC more'))
  expect(await why({ slaMinutes: listing.slaMinutes + 5 })).toEqual(twice('promises it 5 min later'))
  expect(await why({ price: '0' })).toEqual(twice('as good in price, time and words; its description fits less well'))
})

test('escrow opens nothing for terms that differ from the offering, without enough money, or without a proposal', async () => {
  await world.run('run-1', 'task')
  const listing = await world.store.listing(world.agent.id, 'notes')
  if (!listing) throw new Error('no listing')
  const agreed = await world.butlerDeps.writeProposal({
    listing: { ...listing, price: '1000' },
    input: '{}',
    reason: '',
    others: [],
  })
  expect(await world.twice(escrow(world.butlerDeps), { ...fresh, proposal: agreed })).toMatchObject({
    content: expect.stringContaining('nothing was paid'),
  })
  expect(await world.twice(escrow(world.butlerDeps), { ...fresh, proposal: { ...agreed, offeringVersion: 9 } })).toEqual(changed)
  expect(await world.twice(escrow(world.butlerDeps), { ...fresh, proposal: strangers })).toEqual(changed)
  expect(await world.twice(escrow(world.butlerDeps), fresh)).toMatchObject({
    content: 'There is no open proposal.',
  })
  await expect(escrow(world.butlerDeps)({ ...fresh, proposal: { ...agreed, total: '0' } })).rejects.toThrow(RangeError)
  expect(await world.store.jobs({ limit: 9, offset: 0 })).toEqual([])
})

/** A job with a submitted deliverable. */
const submitted = async (deliverable: string): Promise<Job> => {
  const { id } = await world.hired('run-1', { agentId: world.agent.id, offeringId: 'notes' })
  await world.pump()
  await world.store.leaseJob(world.agent.id)
  const job = await world.store.moveJob(id, 'submit', { deliverable })
  if (!job) throw new Error('not submitted')
  return job
}
const good = '{"notes":"all of it"}'
const failed = { pass: false, errors: ['#: no'] }

test('running evaluate twice gives the same verdict and reports it once', async () => {
  const { id } = await submitted('{}')
  const update = await world.twice(evaluate(world.butlerDeps), { ...fresh, jobId: id })
  expect(update).toMatchObject({ verdict: { pass: false, errors: [expect.stringContaining('notes')] }, judged: 1 })
  expect((await world.events()).filter(it => it === 'evaluated')).toHaveLength(1)
})

test('running settle twice accepts once: one proof, one payout', async () => {
  const { id } = await submitted(good)
  await world.twice(settle(world.butlerDeps), { ...fresh, jobId: id })
  expect((await world.store.job(id))?.state).toBe('settling')
  for (const step of ['submit', 'complete'])
    expect(await world.store.intent(`job:${id}:${step}`)).toMatchObject({ state: 'waiting' })
  expect(await world.store.intent(`job:${id}:refund`)).toBeUndefined()
})

test('running revise twice sends the job back once', async () => {
  const { id } = await submitted('{}')
  const state = { ...fresh, jobId: id, verdict: failed, judged: 1 }
  expect(await world.twice(revise(world.butlerDeps), state)).toEqual({ revised: true })
  expect((await world.store.job(id))?.state).toBe('queued')
})

test('an interrupted revise does not send back work that has no verdict', async () => {
  const { id } = await submitted('{}')
  const state = { ...fresh, jobId: id, verdict: failed, judged: 1 }
  await revise(world.butlerDeps)(state)
  await world.store.leaseJob(world.agent.id)
  await world.store.moveJob(id, 'submit', { deliverable: good })
  expect(await world.twice(revise(world.butlerDeps), state)).toEqual({ revised: true })
  expect(await world.store.job(id)).toMatchObject({ state: 'submitted', deliverable: good })
})

test('revise refuses when the promise has expired or the attempts are used up', async () => {
  const { id, deadlines } = await submitted('{}')
  const state = { ...fresh, jobId: id, verdict: failed, judged: 1 }
  for (let attempt = 1; attempt < limits.attempts; attempt += 1) {
    expect(await revise(world.butlerDeps)({ ...state, judged: attempt })).toEqual({ revised: true })
    expect(await world.store.leaseJob(world.agent.id)).toBeDefined()
    await world.store.moveJob(id, 'submit', { deliverable: '{}' })
  }
  const last = { ...state, judged: limits.attempts }
  expect(await world.twice(revise(world.butlerDeps), last)).toEqual({ revised: false })
  world.clock.pass(deadlines.submitBy - world.clock.now())
  expect(await world.twice(revise(world.butlerDeps), last)).toEqual({ revised: false })
  expect(await revise(world.butlerDeps)({ ...fresh, jobId: 'no job', verdict: failed })).toEqual({ revised: false })
})

test('running refund twice rejects once and decides one refund', async () => {
  const { id } = await submitted('{}')
  await world.twice(refund(world.butlerDeps), { ...fresh, jobId: id, verdict: failed })
  expect((await world.store.job(id))?.state).toBe('rejected')
  expect(await world.store.intent(`job:${id}:refund`)).toMatchObject({ sender: world.chain.evaluator })
  expect(await world.store.intent(`job:${id}:complete`)).toBeUndefined()
})
