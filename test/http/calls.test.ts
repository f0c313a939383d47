import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type JsonObject, parseJson } from '../../src/domain/json.ts'
import { limits } from '../../src/domain/limits.ts'
import { invokeOutput } from '../../src/operations/messages/invoke.ts'
import { rested } from '../hire/market.ts'
import { createTestClock, startTestService, type TestService, type User, until } from '../service.ts'
import { get, post } from './wire.ts'

// Agents without offerings cannot be hired. They are called, and their answer is returned.

const time = createTestClock()
let market: TestService
let owner: User
let caller: User
beforeAll(async () => {
  market = await startTestService({ clock: time })
  ;[owner, caller] = [await market.user('owner'), await market.user('caller')]
})
afterAll(() => market.stop())

const register = async (handle: string, more: JsonObject = {}) => {
  const body = { handle, name: handle, chain_id: 97, job_offerings: [], ...more }
  const { json } = await post(market.url, '/agents/register', body, owner.token)
  return z.object({ agent_id: z.string() }).parse(json).agent_id
}

const given = z.object({
  task_id: z.string(),
  payload: z.object({ method: z.literal('message/send'), params: z.object({ message: z.object({ parts: z.json() }) }) }),
})
/** Leases the next task of an agent and completes it. */
const serve = async (agent: string, end: JsonObject) => {
  const { task_id, payload } = given.parse((await get(market.url, `/gateway/tasks/poll?agent=${agent}&timeout=10`)).json)
  await post(market.url, '/gateway/tasks/complete', { task_id, ...end })
  return payload.params.message.parts
}
const message = (text: string) => ({ kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text }] })
const task = (status: JsonObject, rest: JsonObject = {}) => ({
  kind: 'task',
  id: 't',
  contextId: 'c',
  status,
  history: [],
  ...rest,
})
const invoke = async (path: string, body: JsonObject, token?: string) => {
  const { status, json } = await post(market.url, path, body, token)
  expect([status, json]).toMatchObject([200, {}])
  return invokeOutput.parse(json)
}

test.each<[string, () => [string, JsonObject]]>([
  ['its handle in the path', () => ['/invoke/scribe', { message: 'write' }]],
  ['its handle in the body', () => ['/invoke', { message: 'write', agent: 'scribe' }]],
  ['erc8004 and its handle', () => ['/invoke/erc8004%3Ascribe', { objective: 'write' }]],
])('an agent without offerings is called by %s, free of charge', async (_name, of) => {
  const agentId = await register('scribe')
  const [path, body] = of()
  for (const token of [caller.token, undefined]) {
    const [answer, parts] = await Promise.all([
      invoke(path, body, token),
      serve('scribe', { status: 'completed', result: task({ state: 'completed' }, { history: [message('An old pond')] }) }),
    ])
    expect(parts).toEqual([{ kind: 'text', text: 'write' }])
    expect(answer).toMatchObject({ success: true, content: 'An old pond', agent_id: agentId, data: { state: 'completed' } })
  }
})

test('the streaming run of existing client libraries calls the agent, and ends with its answer', async () => {
  await register('streamer')
  const [{ text }] = await Promise.all([
    post(market.url, '/runs/stream', { objective: 'write', agent: 'streamer' }),
    serve('streamer', { status: 'completed', result: { jsonrpc: '2.0', id: 1, result: message('An old pond') } }),
  ])
  const told = text
    .split('\n')
    .flatMap(it => (it.startsWith('data: ') ? [z.looseObject({ eventType: z.string() }).parse(JSON.parse(it.slice(6)))] : []))
  expect(told).toMatchObject([
    { eventType: 'agent_invoked', payload: { agent: 'streamer' } },
    { eventType: 'run_completed', payload: { output: 'An old pond' } },
  ])
})

test.each<[string, JsonObject, string]>([
  ['plain text', { result: 'pond' }, 'pond'],
  ['data', { result: { lines: 3 } }, '{"lines":3}'],
  ['a message', { result: message('pond') }, 'pond'],
  ['artifacts', { result: task({ state: 'completed' }, { artifacts: [{ parts: [{ kind: 'text', text: 'pond' }] }] }) }, 'pond'],
  ['a status with words', { result: task({ state: 'completed', message: message('pond') }) }, 'pond'],
])('%s is returned as its answer', async (_name, end, content) => {
  await register('many')
  const [answer] = await Promise.all([
    invoke('/invoke/many', { message: 'write' }),
    serve('many', { status: 'completed', ...end }),
  ])
  expect(answer).toMatchObject({ success: true, content })
})

test.each<[string, JsonObject]>([
  ['a failure', { status: 'failed', error: 'out of ink' }],
  ['a task that failed', { status: 'completed', result: task({ state: 'failed', message: message('out of ink') }) }],
  ['a JSON-RPC error', { status: 'completed', result: { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'out of ink' } } }],
])('%s is not reported as success, with the reason', async (_name, end) => {
  await register('failing')
  const [answer] = await Promise.all([invoke('/invoke/failing', { message: 'write' }, caller.token), serve('failing', end)])
  expect(answer).toMatchObject({ success: false, error: expect.stringContaining('out of ink'), data: { state: 'failed' } })
})

test('a caller who does not wait reads the answer at the run, and a call to an agent that never polls fails', async () => {
  await register('absent')
  const { run_id, data } = await invoke('/invoke/absent', { message: 'write', wait_ms: 0 }, caller.token)
  expect(data.state).toBe('awaiting-job')
  time.advance(limits.taskMs + 1, market.service.world.deps.wakeups)
  expect(await rested(caller, run_id)).toMatchObject({ state: 'failed', content: expect.stringContaining('did not answer') })
})

test('an agent that only joined the gateway is called the same way', async () => {
  await get(market.url, '/gateway/tasks/poll?agent=bard')
  const [answer] = await Promise.all([invoke('/invoke/bard', { message: 'sing' }), serve('bard', { result: 'la' })])
  expect(answer).toMatchObject({ success: true, content: 'la' })
})

test.each([
  ['/invoke/nobody-here', { message: 'write' }],
  ['/invoke', { message: 'write', agent: 'nobody-here' }],
  ['/invoke/nobody-here/stream', { message: 'write' }],
  ['/runs/stream', { objective: 'write', agent: 'nobody-here' }],
])('an unknown agent is 404: %s', async (path, body) => {
  for (const token of [caller.token, undefined])
    expect(await post(market.url, path, body, token)).toMatchObject({ status: 404, code: 'agent-not-found' })
})

test('a fee for paid calls leaves unpaid calls free, unless the owner wants to be paid for each', async () => {
  await register('priced', { cost_model: { base_call_fee: 0.002, custom_fees: {} } })
  const [answer] = await Promise.all([invoke('/invoke/priced', { message: 'write' }), serve('priced', { result: 'pond' })])
  expect(answer.content).toBe('pond')
  await register('paid', { metadata: { paid_only: true } })
  for (const path of ['/invoke/paid', '/gateway/tasks/submit'])
    expect(await post(market.url, path, { message: 'write', agent: 'paid', payload: {} })).toMatchObject({
      status: 402,
      code: 'payment-required',
    })
})

describe('an agent with an address of its own', () => {
  const server = createServer()
  let endpoint_url: string
  beforeAll(async () => {
    server.on('request', (request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', it => {
        text += it
      })
      request.on('end', () => {
        // The agent card, which the service reads before a call.
        if (request.url === '/.well-known/agent-card.json') return response.end(JSON.stringify({ name: 'shop', handle: 'shop' }))
        const said = z.object({ message: z.string() }).safeParse(parseJson(text)).data?.message
        if (request.url !== '/invoke' || !said) return response.writeHead(404).end()
        response.end(
          JSON.stringify(said === 'fail' ? { success: false, content: '', error: 'out of ink' } : { content: `${said}!` }),
        )
      })
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    endpoint_url = `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`
  })
  afterAll(() => new Promise(done => server.close(done)))

  test('is called there, and an error in its answer is not reported as success', async () => {
    await register('shop', { endpoint_url })
    expect(await invoke('/invoke/shop', { message: 'write' })).toMatchObject({ success: true, content: 'write!' })
    expect(await invoke('/invoke/shop', { message: 'fail' })).toMatchObject({
      success: false,
      error: expect.stringContaining('out of ink'),
    })
  })

  test('that is unreachable ends the run with a message that says so', async () => {
    const gone = createServer()
    await new Promise<void>(done => gone.listen(0, '127.0.0.1', done))
    const { port } = z.object({ port: z.number() }).parse(gone.address())
    await new Promise(done => gone.close(done))
    await register('closed', { endpoint_url: `http://127.0.0.1:${port}` })
    const { run_id } = await invoke('/invoke/closed', { message: 'write' }, caller.token)
    const run = await until('the run to end', async () => {
      const now = await rested(caller, run_id)
      return now.state === 'failed' && now
    })
    expect(run.content).toContain('does not answer')
  })
})
