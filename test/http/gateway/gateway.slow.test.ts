import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { runRecord } from '../../../src/records/run.ts'
import { startTestService, type TestService, type User, until } from '../../service.ts'
import { get, post, send, untilFindable } from '../wire.ts'

// This file acts as the agent. It polls only when a test calls it.
let market: TestService
let hirer: User
let agentId: string
let token: string
const handle = 'weigher'

beforeAll(async () => {
  market = await startTestService()
  hirer = await market.user('hirer')
  const provider = await market.user('provider')
  token = provider.token
  const offering = {
    id: 'weigh',
    name: 'Weigh a parcel',
    description: 'Weighs parcels on a scale',
    price_v2: { type: 'fixed', amount: 0.01 },
  }
  const registered = await post(market.url, '/agents/register', { handle, job_offerings: [offering] }, provider.token)
  agentId = z.object({ agent_id: z.string() }).parse(registered.json).agent_id
  const open = { method: 'PUT', headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` } }
  await send(market.url, { ...open, path: `/agents/${agentId}/gateway-mode`, body: JSON.stringify({ mode: 'open' }) })
  await untilFindable(market.url, 'Weigh a parcel', handle)
})
afterAll(() => market.stop())

const said = z.object({ run_id: z.string(), data: z.object({ state: z.string() }) })
const invoke = async (body: Record<string, unknown>) => said.parse((await post(market.url, '/invoke', body, hirer.token)).json)

/** Starts a conversation in which the agent is proposed. */
const propose = async () => {
  const context = { conversation_id: randomUUID() }
  const asked = await invoke({ message: 'Weigh a parcel on a scale', context })
  expect(asked.data.state).toBe('awaiting-confirmation')
  return context
}

/** Hires the agent and returns as soon as the consent is recorded. */
const hire = async () => (await invoke({ message: 'yes', context: await propose(), wait_ms: 0 })).run_id

const jobOf = async (runId: string) => runRecord.parse((await get(market.url, `/runs/${runId}`, hirer.token)).json).job
const waits = (runId: string) => until('a queued job', async () => (await jobOf(runId))?.state === 'queued')

const delivery = z.strictObject({
  job_id: z.string(),
  agent_id: z.string(),
  job_input: z.string(),
  chain_id: z.number(),
  offering_id: z.literal('weigh'),
  offering_name: z.literal('Weigh a parcel'),
  price: z.literal(0.01),
  currency: z.literal('USDC'),
  submit_by: z.iso.datetime(),
  attempt: z.number(),
  requirement: z.strictObject({}),
  deliverable_schema: z.strictObject({}),
})
const poll = (agent = agentId, timeout = '0') => get(market.url, `/gateway/jobs/poll?agent=${agent}&timeout=${timeout}`, token)
const complete = (job_id: string, response: string) =>
  post(market.url, '/gateway/jobs/complete', { job_id, agent_id: agentId, status: 'completed', result: { response } })

/** Completes the job and returns the number of its attempt. */
const finish = async (runId: string) => {
  const { job_id } = delivery.parse((await poll()).json)
  expect(await complete(job_id, '2 kg')).toMatchObject({ status: 200, json: { accepted: true } })
  await until('a settled job', async () => (await jobOf(runId))?.state === 'settled')
  const events = z.array(z.object({ type: z.string(), summary_text: z.string() }))
  const told = events.parse((await get(market.url, `/runs/${runId}/events`, hirer.token)).json)
  return told.filter(it => it.type === 'job.leased').map(it => it.summary_text)
}

test('an empty queue is 200 {}, also for an unknown agent', async () => {
  for (const agent of [
    agentId,
    handle,
    'nobody',
    `erc8004:${handle}`,
    '97:0x00000000000000000000000000000000000000aa:7',
    '%F0%9F%90%8C',
  ])
    expect(await poll(agent)).toMatchObject({ status: 200, json: {}, headers: { 'content-type': 'application/json' } })
})

test('a waiting poll is answered as soon as a job arrives, with the members of existing clients and the terms of the job', async () => {
  const held = poll(agentId, '20.0')
  const begun = performance.now()
  const runId = await hire()
  const job = delivery.parse((await held).json)
  expect(performance.now() - begun).toBeLessThan(5_000)
  expect(job).toMatchObject({ agent_id: agentId, chain_id: 97 })
  expect(await complete(job.job_id, '2 kg')).toMatchObject({ status: 200 })
  await until('a settled job', async () => (await jobOf(runId))?.state === 'settled')
})

test.each([
  ['the id with encoded colons', () => encodeURIComponent(agentId)],
  ['the id in upper case', () => agentId.toUpperCase().replace('X', 'x')],
  ['the handle', () => handle],
  ['erc8004 and the handle', () => `97:erc8004:${handle}`],
])('an agent can be addressed by %s', async (_name, form) => {
  const runId = await hire()
  await waits(runId)
  const { job_id } = delivery.parse((await poll(form())).json)
  expect(await complete(job_id, '2 kg')).toMatchObject({ json: { accepted: true } })
})

test('a poll whose client disconnected takes no job', async () => {
  const gone = new AbortController()
  const held = fetch(`${market.url}/gateway/jobs/poll?agent=${agentId}&timeout=20`, { signal: gone.signal })
  await get(market.url, '/health')
  gone.abort()
  await expect(held).rejects.toThrow()
  const runId = await hire()
  await waits(runId)
  expect(await finish(runId)).toEqual([expect.stringContaining('delivery 1 of 3')])
})

test('a HEAD request to the poll takes no job', async () => {
  const runId = await hire()
  await waits(runId)
  expect(await send(market.url, { method: 'HEAD', path: `/gateway/jobs/poll?agent=${agentId}` })).toMatchObject({ status: 200 })
  expect(await finish(runId)).toEqual([expect.stringContaining('delivery 1 of 3')])
})

test('a deliverable that cannot be stored byte for byte is refused, and the job stays open for another one', async () => {
  const runId = await hire()
  await waits(runId)
  const { job_id } = delivery.parse((await poll()).json)
  for (const response of ['2\0kg', '2 kg \ud800'])
    expect(await complete(job_id, response)).toMatchObject({
      status: 422,
      code: 'invalid-input',
      json: { pointer: '/result/response' },
    })
  const kept = '\u0001 2 kg\r\n\u2028 "\\u0000" \u{1f40c} \ufeff é e\u0301'
  expect(await complete(job_id, kept)).toMatchObject({ status: 200, json: { accepted: true } })
  await until('a settled job', async () => (await jobOf(runId))?.state === 'settled')
  expect(await jobOf(runId)).toMatchObject({ deliverable: kept })
})

test('a service that stops answers all waiting polls at once', async () => {
  const [runId, context] = [await hire(), await propose()]
  const headers = { authorization: `Bearer ${hirer.token}`, accept: 'text/event-stream' }
  const waiting = [
    poll('97:0x00000000000000000000000000000000000000aa:7', '20'),
    send(market.url, { path: `/runs/${runId}/events`, headers }),
    post(market.url, '/invoke', { message: 'yes', context }, hirer.token),
  ]
  await get(market.url, '/health')
  const begun = performance.now()
  await market.restart()
  const answers = await Promise.all(waiting)
  expect(performance.now() - begun).toBeLessThan(3_000)
  expect(answers.map(it => it.status)).toEqual([200, 200, 200])
  expect(answers[0]?.json).toEqual({})
  expect(answers[2]?.json).toMatchObject({ data: { state: expect.stringMatching(/working|awaiting-job/) } })
  expect(answers[1]?.text).toContain('"type":"confirmed"')
})
