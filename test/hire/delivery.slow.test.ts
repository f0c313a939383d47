import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../../src/domain/limits.ts'
import { createTestClock, startTestService, type TestService, type User, until } from '../service.ts'
import { ask, asksForPoem, balancesOf, eventsOf, pathOf, paymentsOf, plain, provider, readRun, rested, talk } from './market.ts'

const minuteMs = 60_000
const time = createTestClock()
const advance = (ms: number) => time.advance(ms, market.service.world.deps.wakeups)
let market: TestService
beforeAll(async () => {
  market = await startTestService({ clock: time })
})
afterAll(() => market?.stop())

/** Creates a user who has hired the agent; the agent has not polled yet. */
const hire = async (user: User, handle: string) => {
  const { say } = talk(user)
  await say(`Hire agent ${handle} to write a haiku`)
  return (await say('yes', 0)).run_id
}

const queued = (user: User, runId: string, attempt = 0) =>
  until('the job to be offered', async () => {
    const queues = (await eventsOf(user, runId)).filter(it => it.type === 'job.queued')
    return queues.length > attempt
  })

const poem = JSON.stringify({ poem: 'An old silent pond' })

test('a deliverable that breaks its schema is sent back until the attempts are used up, then the money is returned', async () => {
  const user = await market.user('strict')
  let tries = 0
  const handler = () => ({ verse: `try ${++tries}` })
  const offering = plain('0.6', { deliverable: asksForPoem })
  await market.agent({ handle: 'wrong-poet', offerings: [offering], handler })
  const before = await balancesOf(user)
  const { say } = talk(user)
  await say('Hire agent wrong-poet to write a haiku')
  const { run_id, content, data } = await say('yes')
  expect(tries).toBe(limits.attempts)
  expect(data).toMatchObject({ state: 'completed', job: { state: 'refunded' } })
  expect(content).toMatch(/^The deliverable does not pass: .*poem.* The 0\.6 USDC are back in your wallet\.$/)
  const round = ['queued', 'leased', 'submitted']
  expect(await pathOf(user, run_id)).toEqual(['open', 'escrowed', ...round, ...round, ...round, 'rejected', 'refunded'])
  expect((await eventsOf(user, run_id)).filter(it => it.type === 'evaluated')).toHaveLength(limits.attempts)
  expect((await paymentsOf(user, run_id)).map(it => [it.type, it.amount])).toEqual([
    ['escrow', '0.6'],
    ['refund', '0.6'],
  ])
  expect(await balancesOf(user)).toEqual(before)
})

test('a second attempt that fits its schema is paid', async () => {
  const user = await market.user('patient')
  const poet = await provider(market, plain('0.6', { deliverable: asksForPoem }))
  const runId = await hire(user, poet.handle)
  const first = await poet.take()
  expect(await poet.deliver(first.job_id, '{"poem":5}')).toMatchObject({ accepted: true })
  const second = await poet.take()
  expect(second.job_id).toBe(first.job_id)
  await poet.deliver(second.job_id, poem)
  expect(await rested(user, runId)).toMatchObject({ job: { state: 'settled', deliverable: poem } })
  expect(await balancesOf(user, { poet: poet.wallet })).toMatchObject({ user: 24.4, poet: 0.6, escrow: 0 })
})

test('a deliverable that was sent back and is handed in unchanged does not count again: each delivery needs a new lease', async () => {
  const user = await market.user('repeated')
  const poet = await provider(market, plain('0.6', { deliverable: asksForPoem }))
  const runId = await hire(user, poet.handle)
  const { job_id } = await poet.take()
  await poet.deliver(job_id, '{"poem":5}')
  await queued(user, runId, 1)
  expect(await poet.deliver(job_id, '{"poem":5}')).toMatchObject({ accepted: true, state: 'queued' })
  expect(await poet.deliver(job_id, poem)).toMatchObject({ accepted: false, state: 'queued' })
  await poet.take()
  await poet.deliver(job_id, poem)
  expect(await rested(user, runId)).toMatchObject({ job: { state: 'settled' } })
})

test('an agent that reports it cannot do the job has the money returned at once', async () => {
  const user = await market.user('sorry')
  let tries = 0
  const handler = () => {
    tries += 1
    throw new Error('out of ink')
  }
  const { token } = await market.user('owner-of-dry-poet')
  await market.agent({ handle: 'dry-poet', offerings: [plain('0.6')], handler, credential: { token } })
  const before = await balancesOf(user)
  const { say } = talk(user)
  await say('Hire agent dry-poet to write a haiku')
  const { run_id, content, data } = await say('yes')
  expect(data).toMatchObject({ state: 'completed', job: { state: 'refunded' } })
  expect(content).toBe('The agent could not do it: "out of ink". The 0.6 USDC are back in your wallet.')
  expect(tries).toBe(1)
  expect(await pathOf(user, run_id)).toEqual(['open', 'escrowed', 'queued', 'leased', 'rejected', 'refunded'])
  expect(await balancesOf(user)).toEqual(before)
})

test('a failure reported without a credential ends nothing, does not count against the agent, and is marked as such', async () => {
  const user = await market.user('misled')
  const poet = await provider(market, plain('0.6'))
  const anybody = { url: market.url }
  const fail = (jobId: string) =>
    ask(anybody, '/gateway/jobs/complete', { body: { job_id: jobId, status: 'failed', error: 'not the agent' } })
  const runId = await hire(user, poet.handle)
  const first = await poet.take()
  expect(await fail(first.job_id)).toMatchObject({ status: 200, body: { state: 'queued' } })
  expect((await poet.take()).job_id).toBe(first.job_id)
  await poet.deliver(first.job_id, 'An old silent pond')
  expect(await rested(user, runId)).toMatchObject({ job: { state: 'settled' } })

  const wasted = await hire(user, poet.handle)
  for (let attempt = 0; attempt < limits.attempts; attempt++) await fail((await poet.take()).job_id)
  const end = await rested(user, wasted)
  expect(end).toMatchObject({ job: { state: 'refunded' } })
  expect(end.content).toContain('A failure was reported for the agent: "not the agent".')
  const { reputation } = z
    .object({ reputation: z.object({ judged: z.number(), accepted: z.number() }) })
    .parse(await user.client.get(`/agents/${poet.agentId}`))
  expect(reputation).toMatchObject({ judged: 1, accepted: 1 })
})

test('a yes to an expired proposal does not hire: a new proposal follows, and a yes to that one hires', async () => {
  const user = await market.user('late')
  const poet = await provider(market, plain('0.5'))
  const before = await balancesOf(user)
  const { say } = talk(user)
  const { run_id, data } = await say(`Hire agent ${poet.handle} to write a haiku`)
  advance(limits.proposalMs + minuteMs)
  const body = { digest: data.proposal?.digest, decision: 'yes' }
  const confirmed = await ask({ ...market, ...user }, `/v1/hires/${run_id}/confirm`, { body })
  expect(confirmed).toMatchObject({ status: 409, code: 'proposal-expired' })
  const again = await say('yes')
  expect(again).toMatchObject({ run_id, data: { state: 'awaiting-confirmation', proposal: { total: '0.5' } } })
  expect(again.content).toMatch(/^The earlier proposal was no longer open, so your yes did nothing\./)
  expect(again.data.proposal?.lapsesAt).toBeGreaterThan(time.now())
  expect(await pathOf(user, run_id)).toEqual([])
  expect(await balancesOf(user)).toEqual(before)
  await say('yes', 0)
  const { job_id } = await poet.take()
  await poet.deliver(job_id, 'An old silent pond')
  expect(await rested(user, run_id)).toMatchObject({ job: { state: 'settled' } })
})

test('a job whose agent goes silent is offered again, and the money is returned after the promise', async () => {
  const user = await market.user('waiting')
  const poet = await provider(market, plain('0.5', { slaMinutes: 1 }))
  const before = await balancesOf(user)
  const runId = await hire(user, poet.handle)
  const first = await poet.take()
  advance(minuteMs + 1)
  const second = await poet.take()
  expect(second).toEqual(first)
  advance(minuteMs + 1)
  const end = await rested(user, runId)
  expect(end).toMatchObject({ state: 'completed', job: { state: 'refunded' } })
  expect(end.content).toBe('The agent did not deliver in the promised time. The 0.5 USDC are back in your wallet.')
  const path = ['open', 'escrowed', 'queued', 'leased', 'queued', 'leased', 'expired', 'refunded']
  expect(await pathOf(user, runId)).toEqual(path)
  expect(await balancesOf(user)).toEqual(before)
  expect(await poet.deliver(first.job_id, 'too late')).toEqual({ state: 'refunded', accepted: false })
  expect(await balancesOf(user)).toEqual(before)
})

test('an agent that never polls costs nothing: the money is returned after the promise', async () => {
  const user = await market.user('alone')
  const poet = await provider(market, plain('0.5', { slaMinutes: 1 }))
  const before = await balancesOf(user)
  const runId = await hire(user, poet.handle)
  await queued(user, runId)
  advance(2 * minuteMs + 1)
  expect(await rested(user, runId)).toMatchObject({ state: 'completed', job: { state: 'refunded' } })
  expect(await balancesOf(user)).toEqual(before)
})

test('a late deliverable is accepted when no other is in, and a different one afterwards is acknowledged and ignored', async () => {
  const user = await market.user('lucky')
  const poet = await provider(market, plain('0.5', { slaMinutes: 10 }))
  const runId = await hire(user, poet.handle)
  const { job_id } = await poet.take()
  advance(5 * minuteMs + 1)
  await queued(user, runId, 1)
  expect(await poet.deliver(job_id, 'An old silent pond')).toMatchObject({ accepted: true })
  expect(await poet.deliver(job_id, 'Another pond')).toMatchObject({ accepted: false })
  expect(await rested(user, runId)).toMatchObject({ job: { state: 'settled', deliverable: 'An old silent pond' } })
  expect(await poet.deliver(job_id, 'Another pond')).toEqual({ state: 'settled', accepted: false })
  expect(await balancesOf(user, { poet: poet.wallet })).toMatchObject({ user: 24.5, poet: 0.5, escrow: 0 })
})

test('a deliverable handed in twice is accepted once and acknowledged twice', async () => {
  const user = await market.user('double')
  const poet = await provider(market, plain('0.5'))
  const runId = await hire(user, poet.handle)
  const { job_id } = await poet.take()
  const answers = await Promise.all([1, 2, 3].map(() => poet.deliver(job_id, 'An old silent pond')))
  expect(answers.map(it => it.accepted)).toEqual([true, true, true])
  await rested(user, runId)
  expect(await poet.deliver(job_id, 'An old silent pond')).toEqual({ state: 'settled', accepted: true })
  expect((await pathOf(user, runId)).filter(it => it === 'submitted')).toHaveLength(1)
  expect((await balancesOf(user, { poet: poet.wallet })).poet).toBe(0.5)
})

test('a failure reported after a delivery revokes nothing', async () => {
  const user = await market.user('fickle')
  const poet = await provider(market, plain('0.5'))
  const runId = await hire(user, poet.handle)
  const { job_id } = await poet.take()
  await poet.deliver(job_id, 'An old silent pond')
  const fail = () => poet.report(job_id, { status: 'failed', error: 'changed my mind' })
  expect(await fail()).toMatchObject({ status: 200, body: { accepted: false } })
  expect(await rested(user, runId)).toMatchObject({ job: { state: 'settled' } })
  expect(await fail()).toMatchObject({ status: 200, body: { accepted: false, state: 'settled' } })
})

test('a job that is unknown, not yet leased or of another agent cannot be completed', async () => {
  const user = await market.user('guarded')
  const [poet, other] = [await provider(market, plain('0.5')), await provider(market, plain('0.5'))]
  const runId = await hire(user, poet.handle)
  await queued(user, runId)
  const done = { status: 'completed', result: { response: 'An old silent pond' } }
  expect(await poet.report('job_0', done)).toMatchObject({ status: 404, code: 'job-not-found' })
  const jobId = (await readRun(user, runId)).job?.job_id ?? ''
  expect(await other.report(jobId, done)).toMatchObject({ status: 404, code: 'job-not-found' })
  expect(await poet.deliver(jobId, 'before any poll')).toMatchObject({ accepted: false, state: 'queued' })
  const { job_id } = await poet.take()
  expect(await other.report(job_id, done)).toMatchObject({ status: 404, code: 'job-not-found' })
  await poet.deliver(job_id, 'An old silent pond')
  expect(await rested(user, runId)).toMatchObject({ job: { state: 'settled', deliverable: 'An old silent pond' } })
})
