import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, pathOf, plain, provider, readRun, rested, talk } from '../../hire/market.ts'
import { startTestService, type TestService, type User, until } from '../../service.ts'
import { readDocument } from '../promised.ts'
import { get, post, send } from '../wire.ts'

let market: TestService
let buyer: User
let promised: Awaited<ReturnType<typeof readDocument>>
beforeAll(async () => {
  market = await startTestService()
  buyer = await market.user('buyer')
  promised = await readDocument(market.url)
})
afterAll(() => market.stop())

const secretAnswer = z.object({ agent_id: z.string(), secret: z.string().regex(/^agentsecret_[0-9a-f]{32}$/) })
const put = (path: string, body: unknown, token?: string) => change('PUT', path, token, body)
const change = (method: string, path: string, token: string | undefined, body?: unknown) =>
  send(market.url, {
    method,
    path,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

/** Registers an agent with a secret, in the given mode. */
const guarded = async (mode: 'open' | 'strict' = 'strict') => {
  const agent = await provider(market, plain('0.5'))
  const owner = await market.user(`owner-${agent.handle}`)
  const set = await put(`/agents/${agent.agentId}/gateway-mode`, { mode }, owner.token)
  expect(promised('put /agents/{agent}/gateway-mode', z.object({ agent_id: z.string(), mode: z.string() }), set).mode).toBe(mode)
  const issued = await post(market.url, `/agents/${agent.agentId}/secret`, {}, owner.token)
  const { secret } = promised('post /agents/{agent}/secret', secretAnswer, issued)
  return { ...agent, owner, secret }
}
type Guarded = Awaited<ReturnType<typeof guarded>>

const poll = (agent: string, headers: Record<string, string> = {}) =>
  send(market.url, { path: `/gateway/jobs/poll?agent=${encodeURIComponent(agent)}&timeout=0`, headers })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const job = z.object({ job_id: z.string() })

const hire = async ({ handle }: Pick<Guarded, 'handle'>) => {
  const { say } = talk(buyer)
  await say(`Hire agent ${handle} to write a haiku`)
  const runId = (await say('yes', 0)).run_id
  await until('a queued job', async () => (await pathOf(buyer, runId)).includes('queued'))
  return runId
}
const done = (jobId: string, token?: string) =>
  post(market.url, '/gateway/jobs/complete', { job_id: jobId, result: { response: 'An old silent pond' } }, token)

test('6.4 row 38: in strict mode only the owner or a holder of the secret polls, under every form of the name', async () => {
  const agent = await guarded()
  const other = await guarded()
  for (const form of [agent.agentId, agent.handle, `erc8004:${agent.handle}`, `97:erc8004:${agent.handle}`]) {
    expect(await poll(form)).toMatchObject({ status: 401, code: 'unauthenticated', headers: { 'www-authenticate': 'Bearer' } })
    for (const wrong of [bearer(buyer.token), bearer(other.secret), { 'x-agent-secret': other.secret }])
      expect(await poll(form, wrong)).toMatchObject({ status: 401, code: 'unauthenticated' })
    for (const right of [bearer(agent.owner.token), bearer(agent.secret), { 'x-agent-secret': agent.secret }])
      expect(await poll(form, right)).toMatchObject({ status: 200, json: {} })
  }
})

test('6.4 row 38: an agent is open to old clients on a test chain until its owner closes it, and after the owner reopens it', async () => {
  const agent = await guarded('open')
  expect(await poll(agent.agentId)).toMatchObject({ status: 200 })
  const mode = (to: string) => put(`/agents/${agent.agentId}/gateway-mode`, { mode: to }, agent.owner.token)
  await mode('strict')
  expect(await poll(agent.agentId)).toMatchObject({ status: 401 })
  await mode('open')
  expect(await poll(agent.agentId)).toMatchObject({ status: 200 })
})

test('6.4 row 38: on a chain with real money a poll without a credential is refused, whether the agent exists or not', async () => {
  for (const agent of ['56:erc8004:scribe', '8453:erc8004:scribe', `56:0x${'a'.repeat(40)}:7`, `8453:0x${'a'.repeat(40)}:7`])
    expect(await poll(agent)).toMatchObject({ status: 401, code: 'unauthenticated' })
  for (const agent of ['84532:erc8004:scribe', '1952:erc8004:scribe', `97:0x${'a'.repeat(40)}:7`])
    expect(await poll(agent)).toMatchObject({ status: 200, json: {} })
})

test('6.4 row 39: in strict mode a buyer who reads the job id from the run cannot complete the job, and its agent can', async () => {
  const agent = await guarded()
  const runId = await hire(agent)
  const { job_id } = job.parse((await poll(agent.agentId, bearer(agent.secret))).json)
  expect((await readRun(buyer, runId)).job?.job_id).toBe(job_id)
  expect(await done(job_id)).toMatchObject({ status: 401, code: 'unauthenticated' })
  expect(await done(job_id, buyer.token)).toMatchObject({ status: 404, code: 'job-not-found' })
  expect(await done(job_id, (await guarded()).secret)).toMatchObject({ status: 404, code: 'job-not-found' })
  expect((await readRun(buyer, runId)).job?.state).toBe('leased')
  expect(await done(job_id, agent.secret)).toMatchObject({ status: 200, json: { accepted: true } })
  expect(await rested(buyer, runId)).toMatchObject({ job: { state: 'settled' } })
  expect(await done(job_id, agent.owner.token)).toMatchObject({ status: 200, json: { accepted: true } })
})

test('fault 52: completing before any poll, for another agent’s job, or for no job changes nothing', async () => {
  const agent = await guarded('open')
  const runId = await hire(agent)
  const jobId = (await readRun(buyer, runId)).job?.job_id ?? ''
  expect(await done(jobId)).toMatchObject({ status: 200, json: { accepted: false, state: 'queued' } })
  const other = await guarded()
  expect(await other.report(jobId, { result: { response: 'mine' } })).toMatchObject({ status: 404, code: 'job-not-found' })
  for (const [id, token] of [
    ['job_0', undefined],
    ['job_0', agent.secret],
    ['job_0', buyer.token],
  ] as const)
    expect(await done(id, token)).toMatchObject({ status: 404, code: 'job-not-found' })
  expect((await readRun(buyer, runId)).job?.state).toBe('queued')
})

test('6.4 row 37: a poll without an agent is refused, a stranger’s poll is cheap, and a thousand a second are refused', async () => {
  expect(await get(market.url, '/gateway/jobs/poll')).toMatchObject({ status: 422, code: 'invalid-input' })
  for (const unknown of ['nobody', `97:0x${'b'.repeat(40)}:1`, ''])
    expect(await poll(unknown)).toMatchObject({ status: 200, json: {} })
  const agent = await guarded('open')
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => ask(market, `/gateway/jobs/poll?agent=${agent.agentId}`)))
  const refused = answers.filter(it => it.status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]).toMatchObject({ code: 'rate-limited' })
  expect(answers.every(it => it.status === 200 || it.status === 429)).toBe(true)
})

test('a new secret ends the previous one, a revoked one is invalid, and only a hash is stored', async () => {
  const agent = await guarded()
  const again = await post(market.url, `/agents/${agent.handle}/secret`, {}, agent.owner.token)
  const { secret } = secretAnswer.parse(again.json)
  expect(await poll(agent.agentId, bearer(agent.secret))).toMatchObject({ status: 401, code: 'invalid-token' })
  expect(await poll(agent.agentId, bearer(secret))).toMatchObject({ status: 200 })
  const { store } = market.service.world.deps
  expect(JSON.stringify(await store.agentAccess(`97:${agent.handle}`))).not.toContain(secret.slice(-32))
  const revoked = await change('DELETE', `/agents/${agent.agentId}/secret`, agent.owner.token)
  promised('delete /agents/{agent}/secret', z.object({ status: z.literal('revoked') }), revoked)
  expect(await poll(agent.agentId, bearer(secret))).toMatchObject({ status: 401, code: 'invalid-token' })
})

test('only the owner sets the mode or gets the secret, and an invalid secret never counts as no credential', async () => {
  const agent = await guarded('open')
  const path = `/agents/${agent.agentId}`
  for (const token of [undefined, buyer.token, agent.secret]) {
    const status = token === buyer.token ? 404 : 401
    expect(await put(`${path}/gateway-mode`, { mode: 'strict' }, token)).toMatchObject({ status })
    expect(await post(market.url, `${path}/secret`, {}, token)).toMatchObject({ status })
    expect(await change('DELETE', `${path}/secret`, token)).toMatchObject({ status })
  }
  const forged = `agentsecret_${'0'.repeat(32)}`
  for (const headers of [bearer(forged), { 'x-agent-secret': forged }, { 'x-agent-secret': 'short' }])
    expect(await poll(agent.agentId, headers)).toMatchObject({ status: 401, code: 'invalid-token' })
  expect(await put(`${path}/gateway-mode`, { mode: 'loose' }, agent.owner.token)).toMatchObject({ status: 422 })
})

test('an empty poll does not read from the database, in either mode', async () => {
  const agent = await guarded()
  const right = bearer(agent.secret)
  await poll(agent.agentId, right)
  const { store, work } = market.service.world.deps
  expect(work.mayHave(agent.agentId)).toBe(false)
  const reads: string[] = []
  const { agent: readAgent, agentAccess, agentKeyOfSecret, leaseJob } = store
  const counted =
    <A extends unknown[], R>(name: string, read: (...of: A) => R) =>
    (...of: A): R => {
      reads.push(name)
      return read(...of)
    }
  Object.assign(store, {
    agent: counted('agent', readAgent),
    agentAccess: counted('agentAccess', agentAccess),
    agentKeyOfSecret: counted('agentKeyOfSecret', agentKeyOfSecret),
    leaseJob: counted('leaseJob', leaseJob),
  })
  for (let times = 0; times < 20; times++) expect(await poll(agent.agentId, right)).toMatchObject({ status: 200, json: {} })
  Object.assign(store, { agent: readAgent, agentAccess, agentKeyOfSecret, leaseJob })
  expect(reads).toEqual([])
})

test('a kit agent with a token is served in strict mode', async () => {
  const owner = await market.user('kit-owner')
  await market.agent({
    handle: 'strict-poet',
    offerings: [plain('0')],
    handler: () => 'A frog',
    credential: { token: owner.token },
  })
  await put('/agents/strict-poet/gateway-mode', { mode: 'strict' }, owner.token)
  const { say } = talk(buyer)
  await say('Hire agent strict-poet to write a haiku')
  expect(await say('yes')).toMatchObject({ data: { job: { state: 'settled', deliverable: 'A frog' } } })
})

/** Registers an agent whose owner never chose a mode, as existing kits do. */
const undecided = async () => {
  const owner = await market.user(`undecided-${randomUUID().slice(0, 8)}`)
  const handle = `u-${randomUUID().slice(0, 8)}`
  const body = { handle, job_offerings: [{ id: 'o', name: 'Fold paper', description: 'Folds paper', price: 0 }] }
  const { json } = await post(market.url, '/agents/register', body, owner.token)
  return { ...z.object({ agent_id: z.string() }).parse(json), handle, owner }
}

test('the first poll with the token of its owner makes an agent strict, until the owner opens it again', async () => {
  const { agent_id, handle, owner } = await undecided()
  expect(await poll(agent_id)).toMatchObject({ status: 200 })
  expect(await poll(agent_id, bearer(owner.token))).toMatchObject({ status: 200 })
  for (const form of [agent_id, handle, `erc8004:${handle}`])
    expect(await poll(form)).toMatchObject({ status: 401, code: 'unauthenticated' })
  await put(`/agents/${agent_id}/gateway-mode`, { mode: 'open' }, owner.token)
  expect(await poll(agent_id, bearer(owner.token))).toMatchObject({ status: 200 })
  expect(await poll(agent_id)).toMatchObject({ status: 200 })
})

test('the first poll for tasks with the token of its owner makes an agent strict, too', async () => {
  const { agent_id, handle, owner } = await undecided()
  const pollTasks = (agent: string, headers = {}) =>
    send(market.url, { path: `/gateway/tasks/poll?agent=${encodeURIComponent(agent)}&timeout=0`, headers })
  expect(await pollTasks(handle)).toMatchObject({ status: 200 })
  expect(await pollTasks(handle, bearer(owner.token))).toMatchObject({ status: 200 })
  expect(await pollTasks(handle)).toMatchObject({ status: 401, code: 'unauthenticated' })
  expect(await poll(agent_id)).toMatchObject({ status: 401, code: 'unauthenticated' })
})

test('while one process polls under the full id, another one under the handle gets no job, and the owner is warned', async () => {
  const { agent_id, handle, owner } = await undecided()
  const runId = await hire({ handle })
  const job_id = (await readRun(buyer, runId)).job?.job_id
  await until('an agent that holds its queue', async () => Object.keys(Object((await poll(agent_id)).json)).length > 0)
  const again = await hire({ handle })
  for (const form of [handle, `erc8004:${handle}`]) {
    const answer = await poll(form)
    expect(answer).toMatchObject({ status: 200, json: {} })
    expect(answer.headers.warning).toContain('Another process polls for this agent.')
  }
  expect((await readRun(buyer, again)).job?.state).toBe('queued')
  const seen = async (token?: string) =>
    z.object({ second_poller_at: z.iso.datetime().optional() }).parse((await get(market.url, `/agents/${agent_id}`, token)).json)
  expect([(await seen(owner.token)).second_poller_at, (await seen()).second_poller_at]).toEqual([expect.any(String), undefined])
  expect((await poll(agent_id)).json).toMatchObject({ agent_id })
  expect(job_id).toBeDefined()
})

test('a poll for an unregistered agent is answered empty, with a warning that says so', async () => {
  const { json, headers } = await poll('never-registered')
  expect(json).toEqual({})
  expect(headers.warning).toBe('199 - "No agent is registered as never-registered."')
})
