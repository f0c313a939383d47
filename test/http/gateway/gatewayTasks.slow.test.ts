import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../../src/domain/json.ts'
import { limits } from '../../../src/domain/limits.ts'
import { plain, provider } from '../../hire/market.ts'
import { createTestClock, startTestService, type TestService, type User, until } from '../../service.ts'
import { readDocument } from '../promised.ts'
import { get, post, send } from '../wire.ts'

const time = createTestClock()
let market: TestService
let stranger: User
let promised: Awaited<ReturnType<typeof readDocument>>
let scribe: Awaited<ReturnType<typeof provider>>
beforeAll(async () => {
  market = await startTestService({ clock: time })
  stranger = await market.user('stranger')
  scribe = await provider(market, plain('0.5'))
  promised = await readDocument(market.url)
})
afterAll(() => market.stop())

const message = (text: string) => ({ kind: 'message', messageId: 'm1', role: 'user', parts: [{ kind: 'text', text }] })
const rpc = (text: string, id: string | number = 7) => ({
  jsonrpc: '2.0',
  id,
  method: 'message/send',
  params: { message: message(text) },
})
const taskOf = (text: string) => ({
  kind: 'task',
  id: 't',
  contextId: 'c',
  status: { state: 'completed' },
  history: [message(text)],
})

const submit = (agent: string, payload: unknown = rpc('hello'), task_id: string | undefined = randomUUID()) =>
  post(market.url, '/gateway/tasks/submit', { task_id, agent, payload })
const poll = (agent: string, timeout = '0') =>
  get(market.url, `/gateway/tasks/poll?agent=${encodeURIComponent(agent)}&timeout=${timeout}`)
const complete = (body: JsonObject, token?: string) => post(market.url, '/gateway/tasks/complete', body, token)
const at = (name: string, end = '') => get(market.url, `/gateway/tasks/${name}${end}`)

const submitted = z.object({ task_id: z.string(), status: z.string() })
const given = z.strictObject({ task_id: z.string(), payload: z.json() })
const ended = z.object({ task_id: z.string(), status: z.string(), accepted: z.boolean() })

/** Submits a task and leases it as the agent. */
const give = async (agent = scribe.handle, payload: JsonObject = rpc('hello')) => {
  const { task_id: name } = promised('post /gateway/tasks/submit', submitted, await submit(agent, payload))
  const { task_id: id } = given.parse((await poll(agent)).json)
  return { name, id }
}

describe('a task', () => {
  test('is created, polled, completed and read, as existing clients do', async () => {
    const { task_id: name, status } = promised('post /gateway/tasks/submit', submitted, await submit(scribe.agentId))
    expect(status).toBe('pending')
    const task = promised('get /gateway/tasks/poll', given, await poll(scribe.handle))
    expect(task.payload).toEqual(rpc('hello'))
    expect(promised('get /gateway/tasks/{task_id}/status', submitted, await at(name, '/status')).status).toBe('working')
    expect(await at(name, '/result')).toMatchObject({ status: 409, code: 'task-not-ready' })
    const done = await complete({ task_id: task.task_id, status: 'completed', result: taskOf('hi') })
    expect(promised('post /gateway/tasks/complete', ended, done)).toMatchObject({ status: 'completed', accepted: true })
    const read = z.object({ result: z.json() })
    expect(promised('get /gateway/tasks/{task_id}/result', read, await at(name, '/result')).result).toEqual(taskOf('hi'))
    const whole = z.looseObject({ kind: z.literal('task'), id: z.string(), status: z.looseObject({ state: z.string() }) })
    expect(promised('get /gateway/tasks/{task_id}', whole, await at(name))).toMatchObject({
      id: name,
      status: { state: 'completed' },
    })
  })

  test('is handed out once, and its id is not a name that a client chose', async () => {
    const name = randomUUID()
    await submit(scribe.handle, rpc('once'), name)
    const answers = await Promise.all([1, 2, 3, 4].map(() => poll(scribe.handle)))
    const tasks = answers.map(it => given.safeParse(it.json).data).filter(it => it !== undefined)
    expect(tasks).toHaveLength(1)
    expect(tasks[0]?.task_id).toMatch(/^task_[0-9a-f]{32}$/)
    expect(await complete({ task_id: name, result: 'forged' })).toMatchObject({ status: 404, code: 'task-not-found' })
    expect(await complete({ task_id: tasks[0]?.task_id ?? '', result: 'mine' })).toMatchObject({ json: { accepted: true } })
  })

  test('that is sent again is the same, and its name with different content is refused', async () => {
    const name = randomUUID()
    for (let times = 0; times < 3; times++)
      expect(await submit(scribe.handle, rpc('again'), name)).toMatchObject({ status: 200, json: { task_id: name } })
    expect(await submit(scribe.handle, rpc('other'), name)).toMatchObject({ status: 409, code: 'task-taken' })
    await complete({ task_id: given.parse((await poll(scribe.handle)).json).task_id, result: 'ok' })
    expect((await poll(scribe.handle)).json).toEqual({})
  })

  test('is completed by the first result, and later ones are acknowledged and ignored', async () => {
    const { id, name } = await give()
    expect(await complete({ task_id: id, status: 'completed', result: 'first' })).toMatchObject({ json: { accepted: true } })
    expect(await complete({ task_id: id, status: 'failed', error: 'second' })).toMatchObject({
      status: 200,
      json: { status: 'completed', accepted: false },
    })
    expect((await at(name, '/result')).json).toMatchObject({ result: 'first' })
  })

  test.each([
    ['failed', { status: 'failed', error: 'out of ink' }],
    [
      'completed with an error inside',
      { status: 'completed', result: { jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'out of ink' } } },
    ],
  ])('that is reported %s has failed, with the reason', async (_name, report) => {
    const { id, name } = await give()
    await complete({ task_id: id, ...report, execution_time: 1.5 })
    expect((await at(name, '/status')).json).toEqual({ task_id: name, status: 'failed', error: 'out of ink' })
    expect((await at(name)).json).toMatchObject({ status: { state: 'failed', message: { parts: [{ text: 'out of ink' }] } } })
    expect(await at(name, '/result')).toMatchObject({ status: 409, json: { detail: 'out of ink' } })
  })

  test('whose result is a whole JSON-RPC response is stored unchanged and shown as the task in it', async () => {
    const { id, name } = await give()
    const result = { jsonrpc: '2.0', id: 7, result: taskOf('inside') }
    await complete({ task_id: id, status: 'completed', result })
    expect((await at(name, '/result')).json).toMatchObject({ result })
    expect((await at(name)).json).toMatchObject({ kind: 'task', id: name, history: taskOf('inside').history })
  })

  test('can be cancelled until it ends', async () => {
    const { task_id: name } = submitted.parse((await submit(scribe.handle)).json)
    const cancelled = await post(market.url, `/gateway/tasks/${name}/cancel`, { agent: scribe.handle })
    expect(promised('post /gateway/tasks/{task_id}/cancel', submitted, cancelled).status).toBe('canceled')
    expect((await poll(scribe.handle)).json).toEqual({})
    const { id, name: other } = await give()
    await complete({ task_id: id, result: 'done' })
    expect((await post(market.url, `/gateway/tasks/${other}/cancel`, {})).json).toMatchObject({ status: 'completed' })
  })

  test('reaches a waiting poll as soon as it arrives', async () => {
    const held = poll(scribe.handle, '20.0')
    const begun = performance.now()
    await get(market.url, '/health')
    await submit(scribe.handle)
    const { task_id } = given.parse((await held).json)
    expect(performance.now() - begun).toBeLessThan(5_000)
    await complete({ task_id, result: 'ok' })
  })

  test('whose agent goes silent is offered again as often as a job, and then fails', async () => {
    const { wakeups } = market.service.world.deps
    const { name, id } = await give()
    for (let times = 1; times < limits.attempts; times++) {
      time.advance(limits.taskLeaseMs + 1, wakeups)
      await until('the task to be offered again', async () => {
        const task = given.safeParse((await poll(scribe.handle)).json).data
        return task?.task_id === id
      })
    }
    time.advance(limits.taskLeaseMs + 1, wakeups)
    await until(
      'the task to fail',
      async () => z.object({ status: z.literal('failed') }).safeParse((await at(name, '/status')).json).success,
    )
    expect((await at(name, '/status')).json).toMatchObject({ error: 'The agent did not answer.' })
  })

  test('without an agent, too large, without a payload or with a guessable name is refused', async () => {
    expect(await submit('nobody-there')).toMatchObject({ status: 404, code: 'agent-not-found' })
    const large = { text: 'a'.repeat(limits.taskBytes) }
    expect(await submit(scribe.handle, large)).toMatchObject({ status: 413, code: 'body-too-large' })
    for (const payload of [undefined, null, 'text', 7, []])
      expect(await submit(scribe.handle, payload ?? null)).toMatchObject({ status: 422 })
    expect(await submit(scribe.handle, rpc('hi'), 'task-1')).toMatchObject({ status: 422, json: { pointer: '/task_id' } })
    const { id } = await give()
    expect(await complete({ task_id: id, result: large })).toMatchObject({ status: 413, code: 'body-too-large' })
    expect(await complete({ task_id: id, result: 'small' })).toMatchObject({ status: 200, json: { accepted: true } })
  })

  test('is refused when a hundred others wait for its agent', async () => {
    const crowded = await provider(market, plain('0.5'))
    for (let count = 0; count < limits.waitingTasks; count++) await submit(crowded.handle)
    expect(await submit(crowded.handle)).toMatchObject({ status: 429, code: 'rate-limited' })
  })

  test('finds its agent by the last part of its id alone', async () => {
    const number = scribe.agentId.split(':').at(-1) ?? ''
    const { id } = await give(number)
    expect(await complete({ task_id: id, result: 'ok' })).toMatchObject({ json: { accepted: true } })
    expect(await submit('999999')).toMatchObject({ status: 404 })
  })
})

test('6.4 row 38: tasks of an agent in strict mode are handed to its owner alone', async () => {
  const agent = await provider(market, plain('0.5'))
  const owner = await market.user(`owner-${agent.handle}`)
  const strict = { method: 'PUT', path: `/agents/${agent.agentId}/gateway-mode`, body: '{"mode":"strict"}' }
  await send(market.url, { ...strict, headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.token}` } })
  await submit(agent.handle)
  expect(await poll(agent.handle)).toMatchObject({ status: 401, code: 'unauthenticated' })
  const mine = await get(market.url, `/gateway/tasks/poll?agent=${agent.handle}`, owner.token)
  const { task_id } = given.parse(mine.json)
  expect(await complete({ task_id, result: 'x' })).toMatchObject({ status: 401 })
  expect(await complete({ task_id, result: 'x' }, stranger.token)).toMatchObject({ status: 404 })
  expect(await complete({ task_id, result: 'x' }, owner.token)).toMatchObject({ status: 200, json: { accepted: true } })
})

const joinExternally = (handle: string, token?: string) =>
  post(
    market.url,
    '/gateway/agents/register-external',
    { handle, agent_id: null, capabilities: ['sing'], metadata: { sdk_version: '1' } },
    token,
  )
const joined = z.object({ agent_id: z.string(), poll_url: z.url(), heartbeat_url: z.url() })

describe('an agent that joins without being registered', () => {
  test('is given tasks by its handle, and is listed as unregistered', async () => {
    promised('post /gateway/agents/register-external', joined, await joinExternally('bard'))
    const { id } = await give('bard')
    expect(await complete({ task_id: id, result: 'la' })).toMatchObject({ json: { accepted: true } })
    const beat = await post(market.url, '/gateway/agents/heartbeat', {
      handle: 'bard',
      agent_id: '',
      status: 'idle',
      current_task: null,
    })
    expect(promised('post /gateway/agents/heartbeat', z.object({ status: z.string() }), beat).status).toBe('ok')
    const list = z.object({ agents: z.array(z.object({ handle: z.string(), registered: z.boolean(), status: z.string() })) })
    const { agents } = promised('get /gateway/agents', list, await get(market.url, '/gateway/agents'))
    expect(agents).toContainEqual({ handle: 'bard', registered: false, status: 'healthy' })
    expect(agents).toContainEqual(expect.objectContaining({ handle: scribe.handle, registered: true }))
    const one = z.object({ registered: z.boolean() })
    expect(promised('get /gateway/agents/{agent}', one, await get(market.url, '/gateway/agents/bard')).registered).toBe(false)
    expect((await get(market.url, '/agents')).text).not.toContain('bard')
    expect(await get(market.url, '/agents/bard')).toMatchObject({ status: 404 })
    expect((await get(market.url, '/gateway/jobs/poll?agent=bard')).json).toEqual({})
    const left = await send(market.url, { method: 'DELETE', path: '/gateway/unregister/bard' })
    expect(promised('delete /gateway/unregister/{handle}', z.object({ status: z.string() }), left).status).toBe('unregistered')
    expect(await submit('bard')).toMatchObject({ status: 404 })
  })

  test('never gets the handle or the work of a registered one, unless it has the token of the owner', async () => {
    const owner = await market.user(`owner-${scribe.handle}`)
    expect(await joinExternally(scribe.handle)).toMatchObject({ status: 409, code: 'handle-taken' })
    expect(await joinExternally(scribe.handle, stranger.token)).toMatchObject({ status: 409, code: 'handle-taken' })
    expect(await joinExternally(scribe.handle, owner.token)).toMatchObject({ status: 200, json: { agent_id: scribe.agentId } })
    await joinExternally('usurper')
    await submit('usurper', rpc('for the usurper'))
    const body = { handle: 'usurper', name: 'u', chain_id: 97, job_offerings: [] }
    expect(await post(market.url, '/agents/register', body, owner.token)).toMatchObject({ status: 200 })
    await until('the name to be the agent’s', async () => (await joinExternally('usurper')).status === 409)
    expect((await poll('usurper')).json).toEqual({})
    await submit('usurper', rpc('for the agent'))
    expect(given.parse((await poll('usurper')).json).payload).toEqual(rpc('for the agent'))
  })

  test('cannot take a reserved name or give an address to be called at', async () => {
    for (const handle of ['butler', 'a##b', '..', 'x y', ''])
      expect(await joinExternally(handle)).toMatchObject({ status: 422, code: 'invalid-handle' })
    const body = { handle: 'caller', endpoint_url: 'http://127.0.0.1:22', metadata: {}, force: true }
    expect(await post(market.url, '/gateway/register', body)).toMatchObject({ status: 422, code: 'endpoint-not-allowed' })
    const asClient = { agent_name: 'singer', backend_url: 'external', metadata: {}, force: true }
    const made = z.object({ gateway_url: z.url(), agent_name: z.literal('singer') })
    promised('post /gateway/register', made, await post(market.url, '/gateway/register', asClient))
  })

  test('is known again when it polls after a restart', async () => {
    await poll('minstrel')
    const { id } = await give('minstrel')
    expect(id).toMatch(/^task_/)
  })
})

test('the gateway reports its health and which agents were recently active', async () => {
  await get(market.url, `/gateway/jobs/poll?agent=${scribe.agentId}`)
  const health = z.object({
    status: z.literal('healthy'),
    agents_registered: z.number().min(1),
    agents_healthy: z.number().min(1),
  })
  health.parse((await get(market.url, '/gateway/health')).json)
  expect((await get(market.url, `/agents/${scribe.agentId}`)).json).toMatchObject({
    health_status: 'healthy',
    last_seen: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  time.advance(120_000, market.service.world.deps.wakeups)
  expect((await get(market.url, `/agents/${scribe.agentId}`)).json).toMatchObject({ health_status: 'unhealthy' })
  const list = z.object({ data: z.array(z.looseObject({ handle: z.string(), health_status: z.string().optional() })) })
  const of = (all: unknown) => list.parse(all).data.find(it => it.handle === scribe.handle)?.health_status
  expect(of((await get(market.url, '/agents?include_health=true')).json)).toBe('unhealthy')
  expect(of((await get(market.url, '/agents')).json)).toBeUndefined()
})

const relay = (agent: string, body: unknown) => post(market.url, `/gateway/a2a/${encodeURIComponent(agent)}`, body)
const answer = z.looseObject({
  jsonrpc: z.literal('2.0'),
  result: z.json().optional(),
  error: z.looseObject({ code: z.number() }).optional(),
})
const serveTask = async (agent: string, result: JsonObject) => {
  const task = await until('a task', async () => given.safeParse((await poll(agent)).json).data)
  await complete({ task_id: task.task_id, result })
}

describe('the A2A relay', () => {
  test('takes a message to a polling agent and returns its task', async () => {
    const [answered] = await Promise.all([relay(scribe.agentId, rpc('hello', 'r1')), serveTask(scribe.handle, taskOf('hi'))])
    const said = promised('post /gateway/a2a/{agent}', answer, answered)
    expect(said).toMatchObject({
      id: 'r1',
      result: { kind: 'task', status: { state: 'completed' }, history: taskOf('hi').history },
    })
    const { id } = z.looseObject({ id: z.string() }).parse(said.result)
    const again = await relay(scribe.handle, { jsonrpc: '2.0', id: 2, method: 'tasks/get', params: { id } })
    expect(again.json).toMatchObject({ id: 2, result: { id } })
  })

  test('streams the same answer', async () => {
    const path = `/gateway/a2a/${scribe.handle}/stream`
    const [answered] = await Promise.all([
      post(market.url, path, rpc('hello', 'r2')),
      serveTask(scribe.handle, taskOf('hi\u2028')),
    ])
    expect(answered.headers['content-type']).toMatch(/^text\/event-stream/)
    const lines = answered.text.split('\n').filter(it => it.startsWith('data: '))
    expect(lines.map(it => answer.parse(JSON.parse(it.slice(6))))).toMatchObject([{ id: 'r2', result: { kind: 'task' } }])
    expect(answered.text).not.toContain('\u2028')
    expect(answered.text.endsWith('\n\n')).toBe(true)
  })

  test('message/stream at the address in the card is answered as a stream', async () => {
    const card = (await get(market.url, `/gateway/agents/${encodeURIComponent(scribe.agentId)}/card`)).json
    const { url } = z.looseObject({ url: z.string() }).parse(card)
    const asked = { ...rpc('hello', 'r3'), method: 'message/stream' }
    const [answered] = await Promise.all([
      post(market.url, new URL(url).pathname, asked),
      serveTask(scribe.handle, taskOf('streamed')),
    ])
    expect(answered.headers['content-type']).toMatch(/^text\/event-stream/)
    const lines = answered.text.split('\n').filter(it => it.startsWith('data: '))
    expect(lines.map(it => answer.parse(JSON.parse(it.slice(6))))).toMatchObject([{ id: 'r3', result: { kind: 'task' } }])
  })

  test.each(['', '/stream'])('answers malformed JSON at …%s with a JSON-RPC error', async place => {
    const sent = await fetch(`${market.url}/gateway/a2a/${scribe.handle}${place}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0",',
    })
    expect([sent.status, await sent.json()]).toMatchObject([400, { jsonrpc: '2.0', id: null, error: { code: -32700 } }])
  })

  test('answers a request without a method with an error that has the request’s id', async () => {
    const said = await relay(scribe.handle, { jsonrpc: '2.0', id: 'mine' })
    expect(said.json).toMatchObject({ id: 'mine', error: { code: -32600 } })
    const list = await relay(scribe.handle, [{ jsonrpc: '2.0', id: 1, method: 'tasks/get' }])
    expect(list.json).toMatchObject({ id: null, error: { code: -32600 } })
  })

  test.each([
    ['no JSON-RPC', { hello: 1 }, -32600],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'message/send' }, -32600],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'tasks/eat', params: {} }, -32601],
    ['no message', { jsonrpc: '2.0', id: 1, method: 'message/send', params: {} }, -32602],
    ['an unknown task', { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'x' } }, -32001],
  ])('answers %s with a JSON-RPC error', async (_name, body, code) => {
    expect(await relay(scribe.handle, body)).toMatchObject({ status: 200, json: { jsonrpc: '2.0', error: { code } } })
  })

  test('6.5 row 54: a part of unknown kind is refused, and a file is neither fetched nor relayed', async () => {
    const fetched: string[] = []
    const server = createServer((request, response) => response.end(fetched.push(request.url ?? '')))
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const { port } = z.object({ port: z.number() }).parse(server.address())
    const send = (part: JsonObject) =>
      relay(scribe.handle, { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message: { parts: [part] } } })
    expect((await send({ kind: 'spell', text: 'hi' })).json).toMatchObject({ error: { code: -32602 } })
    expect((await send({ kind: 'file', file: { uri: `http://127.0.0.1:${port}/` } })).json).toMatchObject({
      error: { code: -32005 },
    })
    await new Promise(done => server.close(done))
    expect(fetched).toEqual([])
    expect((await poll(scribe.handle)).json).toEqual({})
  })

  test('6.5 row 53: the card of an agent shows its registered id and the gateway as its address', async () => {
    const card = z.looseObject({
      name: z.string(),
      description: z.string(),
      url: z.literal(`${market.url}/gateway/a2a/${scribe.agentId}`),
      version: z.string(),
      capabilities: z.looseObject({}),
      defaultInputModes: z.array(z.string()),
      defaultOutputModes: z.array(z.string()),
      skills: z.array(z.looseObject({ tags: z.array(z.string()) })),
    })
    promised('get /gateway/agents/{agent}/card', card, await get(market.url, `/gateway/agents/${scribe.agentId}/card`))
    expect(await get(market.url, '/gateway/agents/nobody/card')).toMatchObject({ status: 404, code: 'agent-not-found' })
  })
})
