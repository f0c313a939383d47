import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Verdict } from '../../src/domain/jobs/acceptance.ts'
import { takeCompletion } from '../../src/operations/gateway/completeJob.ts'
import { closeJob } from '../../src/operations/hires/closeJob.ts'
import { judgeDeliverable, rejectDeliverable, reviseDeliverable } from '../../src/operations/hires/judgeDeliverable.ts'
import { completionInput } from '../../src/records/delivery.ts'
import { expireJobs } from '../../src/workers/expireJobs.ts'
import { reconcileChain } from '../../src/workers/reconcileChain.ts'
import { offering } from '../store/rows.ts'
import { openWorld, type World } from '../world.ts'

const start = 100_000_000n
const price = 1_500_000n
const first = '{"notes":"all"}'
const better = '{"notes":"todo"}'

let world: World
let agent: Awaited<ReturnType<World['agent']>>
beforeEach(async () => {
  world = await openWorld()
  const deliverable = { type: 'object', required: ['notes'] }
  const offerings = [offering({ deliverable }), offering({ id: 'free', price: '0', deliverable })]
  agent = await world.agent('scribe', offerings)
  world.fund(world.userWallet, start)
})
afterEach(() => world.close())

const doubted: Verdict = {
  attempt: 1,
  pass: true,
  criteria: [{ id: 'wish-1', kind: 'model', words: 'in Spanish', outcome: 'fail', evidence: 'all' }],
}

/** Adds a job whose first deliverable passed the checks of code, and was sent back because a model doubts a wish. */
const sentBack = async (offeringId = 'notes') => {
  const { id, deadlines } = await world.hired('run-1', { agentId: agent.id, offeringId })
  await world.pump()
  await world.store.leaseJob(agent.id)
  await world.store.moveJob(id, 'submit', { deliverable: first })
  await world.store.addVerdict(id, doubted)
  await reviseDeliverable(world.deps, id, { pass: true, errors: ['It was wished: in Spanish.'] })
  expect(await jobOf(id)).toMatchObject({ state: 'queued' })
  return { id, deadlines, afterPromise: () => world.clock.pass(deadlines.submitBy - world.clock.now() + 1) }
}
const jobOf = async (id: string) => {
  const job = await world.store.job(id)
  if (!job) throw new Error('the job is gone')
  return job
}
const expire = () => expireJobs(world.deps, 97).runOnce()
const complete = async (id: string, said: object) =>
  takeCompletion(await jobOf(id), completionInput.parse({ job_id: id, ...said }), { ...world.deps, by: 'agent' })
const deliver = (id: string, response: string) => complete(id, { result: { response } })
const summaries = async () => (await world.store.runEvents('run-1', 0, 100)).map(it => it.summary)

/** Checks that the deliverable was paid: its hash is on chain, and the finding about the wish is unchanged. */
const expectPaid = async (id: string, deliverable: string) => {
  const job = await jobOf(id)
  const call = world.chain.submit(job.chainJobId ?? 0n, deliverable)
  expect((await world.store.intent(`job:${id}:submit`))?.call).toEqual(call)
  await world.pump()
  expect(await jobOf(id)).toMatchObject({ state: 'settled', deliverable, outcome: 'accepted', verdict: { pass: true } })
  expect(await world.store.intent(`job:${id}:refund`)).toBeUndefined()
  expect(await world.chain.usdcBalance(agent.wallet)).toBe(price)
  expect(await world.chain.usdcBalance(world.userWallet)).toBe(start - price)
}

test.each(['nobody has taken', 'the agent holds'])(
  'when the promise expires with a revision that %s, the first deliverable is paid',
  async who => {
    const { id, deadlines, afterPromise } = await sentBack()
    if (who === 'the agent holds') await world.store.leaseJob(agent.id)
    afterPromise()
    for (const _ of [1, 2]) await expire()
    expect(world.clock.now()).toBeLessThan(deadlines.evaluateBy)
    await expectPaid(id, first)
    expect((await jobOf(id)).verdict).toEqual(doubted)
    expect(await summaries()).toContainEqual(
      expect.stringMatching(/did not deliver in the promised time.*The earlier deliverable passed its checks/),
    )
  },
)

test('an agent that cannot meet the wish is paid at once for its first deliverable', async () => {
  const { id } = await sentBack()
  await world.store.leaseJob(agent.id)
  expect(await complete(id, { status: 'failed', error: 'no Spanish' })).toMatchObject({ accepted: true })
  await expectPaid(id, first)
  expect(await summaries()).toContainEqual(expect.stringContaining('no Spanish'))
})

test('when every revision breaks the schema, the first deliverable is paid and keeps its verdict', async () => {
  const { id } = await sentBack()
  const errors = ['#: no notes']
  for (const isLast of [false, true]) {
    await world.store.leaseJob(agent.id)
    await deliver(id, '{}')
    expect(await judgeDeliverable(world.deps, id)).toMatchObject({ pass: false })
    expect(await reviseDeliverable(world.deps, id, { pass: false, errors })).toBe(!isLast)
  }
  for (const _ of [1, 2]) await rejectDeliverable(world.deps, id, { pass: false, errors })
  // A verdict on the other deliverable that was requested earlier arrives too late.
  await world.store.addVerdict(id, { attempt: 3, pass: false, criteria: [] })
  await expectPaid(id, first)
  expect((await jobOf(id)).verdict).toEqual(doubted)
})

test('a revision that passes the checks of code is the one that is paid', async () => {
  const { id } = await sentBack()
  await world.store.leaseJob(agent.id)
  await deliver(id, better)
  await judgeDeliverable(world.deps, id)
  await world.butlerDeps.acceptDeliverable(id)
  await expectPaid(id, better)
})

test('a revision that arrives while the job is being ended is judged, and no second decision is made', async () => {
  const { id, afterPromise } = await sentBack()
  await world.store.leaseJob(agent.id)
  afterPromise()
  const [overdue] = await world.store.overdueJobs(97, { afterSeq: 0, limit: 9 })
  await deliver(id, better)
  if (overdue) expect(await closeJob(world.deps, { job: overdue, event: 'expire', reason: 'Late.' })).toBeUndefined()
  expect(overdue).toMatchObject({ id })
  expect(await jobOf(id)).toMatchObject({ state: 'submitted', deliverable: better })
  await world.butlerDeps.acceptDeliverable(id)
  await expectPaid(id, better)
})

test('a revision that arrives after the job was ended changes nothing', async () => {
  const { id, afterPromise } = await sentBack()
  await world.store.leaseJob(agent.id)
  afterPromise()
  await expire()
  expect(await deliver(id, better)).toMatchObject({ accepted: false })
  await expectPaid(id, first)
})

test('a chain that does not answer leaves the job unchanged, and the next pass ends it', async () => {
  const { id, afterPromise } = await sentBack()
  afterPromise()
  const chain = { ...world.chain, job: () => Promise.reject(new Error('no answer')), refundableAt: undefined }
  await expect(expireJobs({ ...world.deps, chains: new Map([[97, chain]]) }, 97).runOnce()).rejects.toThrow('no answer')
  expect(await jobOf(id)).toMatchObject({ state: 'queued' })
  await expire()
  await expectPaid(id, first)
})

test('an orphaned funding is paid out once it is mined again', async () => {
  const { id, afterPromise } = await sentBack()
  const { chainJobId } = await jobOf(id)
  await world.store.moveJob(id, 'unfund')
  expect(await jobOf(id)).toMatchObject({ state: 'open' })
  await world.store.moveJob(id, 'fund', { chainJobId: chainJobId ?? 0n })
  await world.store.moveJob(id, 'queue')
  await world.store.leaseJob(agent.id)
  await world.store.moveJob(id, 'unfund')
  afterPromise()
  await expire()
  expect(await jobOf(id)).toMatchObject({ state: 'settling' })
  expect(await world.store.intent(`job:${id}:submit`)).toBeUndefined()
  await world.store.moveJob(id, 'fund', { chainJobId: chainJobId ?? 0n })
  await reconcileChain(world).runOnce()
  await expectPaid(id, first)
})

test('a free job whose revision never came is settled with the first deliverable', async () => {
  const { id, afterPromise } = await sentBack('free')
  afterPromise()
  await expire()
  expect(await jobOf(id)).toMatchObject({ state: 'settled', deliverable: first, verdict: doubted })
})

test('a deliverable that code rejected is not kept: without another one the money is returned', async () => {
  const { id, deadlines } = await world.hired('run-1', { agentId: agent.id, offeringId: 'notes' })
  await world.pump()
  await world.store.leaseJob(agent.id)
  await deliver(id, '{}')
  const verdict = await judgeDeliverable(world.deps, id)
  await reviseDeliverable(world.deps, id, { pass: verdict?.pass ?? true, errors: ['no'] })
  world.clock.pass(deadlines.submitBy - world.clock.now() + 1)
  await expire()
  await world.pump()
  expect(await jobOf(id)).toMatchObject({ state: 'refunded' })
  expect(await world.chain.usdcBalance(world.userWallet)).toBe(start)
})
