import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../../src/domain/limits.ts'
import type { AgentOffering } from '../../src/kit/kit.ts'
import { testRecord } from '../../src/records/testJob.ts'
import { asksForPoem, balancesOf, plain, provider, talk } from '../hire/market.ts'
import { startTestService, type TestService, type User, until } from '../service.ts'
import { get, post } from './wire.ts'

let market: TestService
let owner: User
beforeAll(async () => {
  market = await startTestService()
  owner = await market.user('owner')
})
afterAll(() => market?.stop())

const poem = (rest: Partial<AgentOffering> = {}) =>
  plain('0.5', {
    requirement: { type: 'object', required: ['topic'], properties: { topic: { type: 'string', examples: ['rain'] } } },
    deliverable: asksForPoem,
    slaMinutes: 5,
    ...rest,
  })
const { price: _free, ...rest } = plain('0')
const offered = { ...rest, price_v2: { type: 'fixed', amount: 0 }, sla_minutes: 5 }
/** The reputation without the time of the last poll. */
const rated = z.looseObject({ reputation: z.looseObject({ last_seen: z.string() }).transform(({ last_seen: _, ...it }) => it) })

const sendTest = async (handle: string, body: object = {}, by: User = owner) =>
  post(market.url, `/agents/${handle}/tests`, body, by.token)
const ended = async (id: string, by: User = owner) =>
  testRecord.parse((await get(market.url, `/v1/tests/${id}?timeout=25`, by.token)).json)
const tested = async (handle: string, body: object = {}) => ended(testRecord.parse((await sendTest(handle, body)).json).test_id)

test('a test job reaches a polling agent like any job, its result is checked like one, and its owner reads both with their times', async () => {
  const works: unknown[] = []
  const given = { handle: 'poller', credential: { token: owner.token }, offerings: [poem()] }
  await market.agent({
    ...given,
    handler: async ({ fields, job, progress }) => {
      await progress('half')
      works.push({ fields, offering: job?.offeringId, attempt: job?.attempt, price: job?.price })
      return { poem: fields.topic === 'fog' ? 7 : `About ${fields.topic}` }
    },
  })
  expect(await tested('poller')).toMatchObject({
    ...{ state: 'passed', offering_id: 'plain', input: '{"topic":"rain"}', deliverable: '{"poem":"About rain"}', passes: 2 },
    ...{ picked_up_ms: expect.any(Number), answered_ms: expect.any(Number), reason: '' },
    checks: [
      { id: 'schema', outcome: 'pass' },
      { id: 'has:poem', outcome: 'pass' },
    ],
  })
  expect(works).toEqual([{ fields: { topic: 'rain' }, offering: 'plain', attempt: 1, price: 0 }])
  const failed = await tested('poller', { offering_id: 'plain', input: { topic: 'fog' } })
  expect(failed).toMatchObject({ state: 'failed', passes: 0, checks: [{ id: 'schema', outcome: 'fail' }, { id: 'has:poem' }] })
})

test('a test job reaches an agent at its own endpoint, whose kit gets it confirmed by the platform', async () => {
  const port = await freePort()
  const at = { port, endpointUrl: `http://127.0.0.1:${port}`, mode: 'auto' as const }
  const given = { handle: 'called', credential: { token: owner.token }, offerings: [poem()] }
  await market.agent({ ...given, ...at, handler: ({ fields }) => ({ poem: `About ${fields.topic}` }) })
  const { json } = await sendTest('called', { input: { topic: 'frogs' } })
  expect(json).toMatchObject({ state: 'passed', deliverable: '{"poem":"About frogs"}', answered_ms: expect.any(Number) })

  const gone = { handle: 'gone', chain_id: 97, endpoint_url: `http://127.0.0.1:${await freePort()}`, job_offerings: [offered] }
  expect(await post(market.url, '/agents/register', gone, owner.token)).toMatchObject({ status: 200 })
  expect((await sendTest('gone')).json).toMatchObject({ state: 'failed', reason: expect.stringMatching(/\w/) })
})

test('a test job of a faulty delivery comes as often as it says, loses one answer, and ends with the answer that arrives', async () => {
  const body = { handle: 'faulty', chain_id: 97, job_offerings: [{ ...offered, examples: ['a pond'] }] }
  await owner.client.post('/agents/register', body)
  const delivered = z.object({ job_id: z.string(), attempt: z.number(), job_input: z.string() })
  const take = async () =>
    delivered.safeParse((await get(market.url, '/gateway/jobs/poll?agent=faulty&timeout=1', owner.token)).json).data
  const complete = (job_id = '') =>
    post(market.url, '/gateway/jobs/complete', { job_id, deliverable: 'a frog jumps in' }, owner.token)
  const playing = async (name: string) => {
    await sendTest('faulty', { case: name })
    const taken = [await take(), await take()]
    const answers = [await complete(taken[0]?.job_id), await complete(taken[0]?.job_id)]
    expect(await take()).toBeUndefined()
    expect(new Set(taken.flatMap(it => it?.job_id ?? [])).size).toBe(1)
    const said = answers.map(it => z.object({ accepted: z.boolean() }).safeParse(it.json).data?.accepted ?? it.status)
    return { attempts: taken.flatMap(it => it?.attempt ?? []), said, state: (await ended(taken[0]?.job_id ?? '')).state }
  }
  expect(await playing('example')).toEqual({ attempts: [1], said: [true, false], state: 'passed' })
  expect(await playing('delivered twice')).toEqual({ attempts: [1, 1], said: [true, false], state: 'passed' })
  expect(await playing('lease ended at work')).toEqual({ attempts: [1, 2], said: [true, false], state: 'passed' })
  expect(await playing('answer lost on the way')).toEqual({ attempts: [1, 2], said: [503, true], state: 'passed' })
  expect(await playing('restarted at work')).toEqual({ attempts: [2], said: [true, false], state: 'passed' })
  expect(await sendTest('faulty', { case: 'no such case' })).toMatchObject({ status: 422 })
})

test('an agent at its own endpoint is called once for each delivery, and the answer that arrives counts', async () => {
  const port = await freePort()
  const at = { port, endpointUrl: `http://127.0.0.1:${port}`, mode: 'auto' as const }
  const attempts: unknown[] = []
  const given = { handle: 'calledTwice', credential: { token: owner.token }, offerings: [plain('0', { examples: ['a pond'] })] }
  await market.agent({
    ...{ ...given, ...at },
    handler: ({ job }) => {
      attempts.push(job?.attempt)
      return `answer ${attempts.length}`
    },
  })
  expect((await sendTest('calledTwice', { case: 'delivered twice' })).json).toMatchObject({
    state: 'passed',
    deliverable: 'answer 1',
  })
  const lost = await sendTest('calledTwice', { case: 'answer lost on the way' })
  expect(lost.json).toMatchObject({ state: 'passed', deliverable: 'answer 4' })
  expect(attempts).toEqual([1, 1, 1, 2])
})

test('a failure of the handler is the reason of the test', async () => {
  const given = { handle: 'failing', credential: { token: owner.token }, offerings: [plain('0', { examples: ['a pond'] })] }
  await market.agent({ ...given, handler: ({ text, fail }) => fail(`no ink for ${text}`) })
  expect(await tested('failing')).toMatchObject({ state: 'failed', reason: 'no ink for a pond', checks: [], input: 'a pond' })
})

test('a test job moves no money and counts nowhere: no job, no run, no reputation, no earnings, no event', async () => {
  const visible = async () => ({
    jobs: (await get(market.url, '/my-jobs?role=provider', owner.token)).json,
    bought: (await get(market.url, '/my-jobs?role=client', owner.token)).json,
    runs: (await get(market.url, `/users/${owner.wallet}/runs`, owner.token)).json,
    reputation: rated.parse((await get(market.url, '/agents/poller')).json).reputation,
    rankings: (await get(market.url, '/rankings')).json,
    stats: (await get(market.url, '/stats/summary')).json,
    earnings: (await get(market.url, '/agents/poller/earnings?starts=2026-01-01T00:00:00Z', owner.token)).json,
    events: (await get(market.url, '/agents/poller/events', owner.token)).json,
    balances: await balancesOf(owner),
  })
  const before = await visible()
  expect(await tested('poller')).toMatchObject({ state: 'passed' })
  expect(await visible()).toEqual(before)
})

test('a hire is delivered before a test job, and completing one twice counts once', async () => {
  const poet = await provider(market, plain('0', { slaMinutes: 5 }))
  const poetOwner = await market.user(`owner-${poet.handle}`)
  const { json } = await sendTest(poet.handle, {}, poetOwner)
  const { test_id: id } = testRecord.parse(json)
  const buyer = await market.user('buyer')
  const { say } = talk(buyer)
  await say(`Hire agent ${poet.handle} to write a haiku`)
  await say('yes', 0)
  await until('the job to be queued', async () =>
    (await get(market.url, '/my-jobs?role=provider', poet.token)).text.includes('"funded"'),
  )
  const first = await poet.take()
  expect(first.job_id).toMatch(/^job_/)
  const { json: second } = await get(market.url, `/gateway/jobs/poll?agent=${poet.agentId}&timeout=5`, poet.token)
  expect(second).toMatchObject({ job_id: id, test: true, price: 0, offering_id: 'plain', job_input: 'Write a haiku' })
  const report = { job_id: id, agent_id: poet.agentId, deliverable: 'A frog' }
  expect(await post(market.url, '/gateway/jobs/complete', report, poet.token)).toMatchObject({
    json: { accepted: true, state: 'passed', evaluation: { pass: true, errors: [] } },
  })
  const again = await post(market.url, '/gateway/jobs/complete', { ...report, deliverable: 'Another' }, poet.token)
  expect(again.json).toMatchObject({ accepted: false, state: 'passed' })
  expect(await ended(id, poetOwner)).toMatchObject({ deliverable: 'A frog' })
})

test('strangers neither send a test job to an agent nor read one', async () => {
  const stranger = await market.user('stranger')
  expect(await sendTest('poller', {}, stranger)).toMatchObject({ status: 404, code: 'agent-not-found' })
  expect(await post(market.url, '/agents/poller/tests', {})).toMatchObject({ status: 401 })
  const { test_id: id } = await tested('poller')
  for (const path of [`/v1/tests/${id}`, `/v1/jobs/${id}`]) {
    expect(await get(market.url, path, stranger.token)).toMatchObject({ status: 404, code: 'job-not-found' })
    expect(await get(market.url, path, owner.token)).toMatchObject({ status: 200 })
  }
  const spoofed = { job_id: id, agent_id: 'poller', deliverable: 'x' }
  expect(await post(market.url, '/gateway/jobs/complete', spoofed, stranger.token)).toMatchObject({ status: 404 })
})

test('an input that does not satisfy the requirement is refused, and so is an offering without an example', async () => {
  expect(await sendTest('poller', { input: { subject: 'rain' } })).toMatchObject({ status: 422, json: { pointer: '/input' } })
  expect(await sendTest('poller', { offering_id: 'ode' })).toMatchObject({ status: 404, code: 'offering-not-found' })
  const requirement = { type: 'object', required: ['verses'], properties: { verses: { type: 'integer' } } }
  const odd = await provider(market, plain('0', { requirement, slaMinutes: 5 }))
  const by = await market.user(`owner-${odd.handle}`)
  expect(await sendTest(odd.handle, {}, by)).toMatchObject({ status: 422, json: { pointer: '/input' } })
  expect(await sendTest(odd.handle, { input: { verses: 2 } }, by)).toMatchObject({ status: 200 })
})

test('an owner has few test jobs under way, over all agents', async () => {
  const idle = await provider(market, plain('0', { slaMinutes: 5 }))
  const by = await market.user(`owner-${idle.handle}`)
  for (let n = 0; n < limits.testJobsUnderWay; n++) expect(await sendTest(idle.handle, {}, by)).toMatchObject({ status: 200 })
  expect(await sendTest(idle.handle, {}, by)).toMatchObject({ status: 429, code: 'rate-limited' })
})

const freePort = async () => {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = z.object({ port: z.number() }).parse(server.address())
  await new Promise(done => server.close(done))
  return port
}
