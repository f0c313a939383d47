import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { parseJson } from '../../../src/domain/json.ts'
import { limits } from '../../../src/domain/limits.ts'
import { eventsOf, hireForHaiku, pathOf, plain, provider, readRun, rested } from '../../hire/market.ts'
import { startTestService, type TestService, type User, until } from '../../service.ts'
import { get, post, send } from '../wire.ts'

let market: TestService
let buyer: User
const server = createServer()
let endpoint: string
let named = 'caller'
let posts = 0
let hold: Promise<void> | undefined
let words: (message: string) => unknown = () => ({ success: true, content: 'A frog jumps in' })
beforeAll(async () => {
  market = await startTestService()
  buyer = await market.user('buyer')
  server.on('request', (request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', it => {
      text += it
    })
    request.on('end', () => {
      if (request.url === '/.well-known/agent-card.json') return response.end(JSON.stringify({ name: named }))
      if (request.method === 'POST') posts += 1
      const asked = z.object({ message: z.string() }).safeParse(parseJson(text))
      if (request.url !== '/invoke' || !asked.success) return response.writeHead(404).end()
      const answer = () => response.end(JSON.stringify(words(asked.data.message)))
      void (hold ?? Promise.resolve()).then(answer)
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  endpoint = `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`
})
afterAll(async () => {
  await market.stop()
  await new Promise(done => server.close(done))
})

/** Registers an agent whose endpoint is this file's own server. */
const pushed = async (handle: string, endpoint_url = endpoint) => {
  const owner = await market.user('owner')
  const { price: _price, ...unpriced } = plain('0')
  const job_offerings = [{ ...unpriced, price_v2: { type: 'fixed', amount: 0.5 }, sla_minutes: 1 }]
  return post(market.url, '/agents/register', { handle, chain_id: 97, endpoint_url, job_offerings }, owner.token)
}
const hire = (handle: string) => hireForHaiku(buyer, handle)

test('a hired agent with its own address is called there, and paid for its answer', async () => {
  expect(await pushed('caller')).toMatchObject({ status: 200 })
  const runId = await hire('caller')
  expect(await rested(buyer, runId)).toMatchObject({ job: { state: 'settled', deliverable: 'A frog jumps in' } })
  expect(await pathOf(buyer, runId)).toEqual(['open', 'escrowed', 'queued', 'leased', 'submitted', 'settling', 'settled'])
  expect((await get(market.url, '/agents/caller')).json).toMatchObject({ health_status: 'healthy', endpoint_url: endpoint })
})

test('a message relayed to that address brings the answer back as a task', async () => {
  const { json } = await post(market.url, '/gateway/a2a/caller', { jsonrpc: '2.0', id: 1, method: 'message/send', params })
  expect(json).toMatchObject({
    id: 1,
    result: { kind: 'task', status: { state: 'completed', message: { parts: [{ text: 'A frog jumps in' }] } } },
  })
  words = () => ({ success: false, content: '', error: 'out of ink' })
  const failed = await post(market.url, '/gateway/a2a/caller', { jsonrpc: '2.0', id: 2, method: 'message/send', params })
  expect(failed.json).toMatchObject({ id: 2, error: { message: 'out of ink' } })
})

test('an address that does not answer has not accepted the job, and its owner reads why; a pushed job carries its terms', async () => {
  const contexts: unknown[] = []
  const dead = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', it => {
      text += it
    })
    request.on('end', () => {
      contexts.push(z.object({ context: z.json() }).parse(parseJson(text)).context)
      response.writeHead(503).end()
    })
  })
  await new Promise<void>(done => dead.listen(0, '127.0.0.1', done))
  const { port } = z.object({ port: z.number() }).parse(dead.address())
  expect(await pushed('dead', `http://127.0.0.1:${port}`)).toMatchObject({ status: 200 })
  const runId = await hire('dead')
  const owner = await market.user('owner')
  const failure = { last_push: { at: expect.stringMatching(/Z$/), error: expect.stringContaining('503') } }
  await until('the failure to be known', async () =>
    (await get(market.url, '/agents/dead', owner.token)).text.includes('last_push'),
  )
  expect((await get(market.url, '/agents/dead', owner.token)).json).toMatchObject(failure)
  expect((await get(market.url, '/agents/dead', buyer.token)).json).not.toHaveProperty('last_push')
  const told = (await eventsOf(buyer, runId)).map(it => it.summary_text).join(' ')
  expect(told).toContain('dead is called at its endpoint (delivery 1 of 3)')
  expect(told).not.toContain('picked up')
  const terms = {
    offering_id: 'plain',
    offering_name: 'Write a haiku',
    price: 0.5,
    currency: 'USDC',
    attempt: 1,
    deliverable_schema: {},
  }
  expect(contexts[0]).toMatchObject({ ...terms, requirement: {}, submit_by: expect.stringMatching(/Z$/) })
  await new Promise(done => dead.close(done))
})

const params = { message: { role: 'user', parts: [{ kind: 'text', text: 'write' }] } }
const relayTo = async (handle: string) =>
  (await post(market.url, `/gateway/a2a/${handle}`, { jsonrpc: '2.0', id: 1, method: 'message/send', params })).json

test('nothing is relayed to an address whose card names another agent', async () => {
  expect(await pushed('impostor')).toMatchObject({ status: 200 })
  posts = 0
  expect(await relayTo('impostor')).toMatchObject({ error: { data: { code: 'endpoint-not-allowed' } } })
  named = 'impostor'
  expect(posts).toBe(0)
  words = () => ({ success: true, content: 'Splash' })
  expect(await relayTo('impostor')).toMatchObject({ result: { status: { state: 'completed' } } })
})

test('only a few messages at once are relayed to one host, however many agents name it', async () => {
  const handles = ['crowd-a', 'crowd-b', 'crowd-c']
  for (const handle of handles) {
    expect(await pushed(handle)).toMatchObject({ status: 200 })
    named = handle
    expect(await relayTo(handle)).toMatchObject({ result: { kind: 'task' } })
  }
  posts = 0
  const { promise, resolve: release } = Promise.withResolvers<void>()
  hold = promise
  const answers: unknown[] = []
  const asked = handles.flatMap(handle => [1, 2, 3, 4].map(async () => answers.push(await relayTo(handle))))
  await until('the refusals', async () => answers.length === asked.length - limits.directCallsOfHost)
  for (const it of answers) expect(it).toMatchObject({ error: { data: { code: 'rate-limited' } } })
  release()
  hold = undefined
  await Promise.all(asked)
  for (const it of answers.slice(-limits.directCallsOfHost)) expect(it).toMatchObject({ result: { kind: 'task' } })
  expect(posts).toBe(2 * limits.directCallsOfHost)
  expect(await relayTo('crowd-a')).toMatchObject({ result: { kind: 'task' } })
})

test('a forbidden address is refused at registration and at every change', async () => {
  for (const [at, bad] of [
    'file:///etc/passwd',
    'http://a@agent.example',
    'https://agent.example:22/',
    'agent.example',
  ].entries())
    expect(await pushed(`refused-${at}`, bad)).toMatchObject({
      status: 422,
      code: 'endpoint-not-allowed',
      json: { pointer: '/endpoint_url' },
    })
  const owner = await market.user('owner')
  const body = JSON.stringify({ endpoint_url: 'ftp://agent.example' })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${owner.token}` }
  expect(await send(market.url, { method: 'PUT', path: '/agents/caller', headers, body })).toMatchObject({
    status: 422,
    code: 'endpoint-not-allowed',
  })
})

test('6.3 row 27: outside the local world private addresses are refused; 6.3 row 29: no address means polling', async () => {
  const outside = await startTestService({ env: { ALLOW_PRIVATE_ENDPOINTS: 'false' } })
  try {
    const { token } = await outside.user('owner')
    for (const [at, url] of [
      'http://127.0.0.1:9000',
      'http://2130706433',
      'http://localhost.',
      'http://[::ffff:a00:1]',
    ].entries())
      expect(await post(outside.url, '/agents/register', { handle: `private-${at}`, endpoint_url: url }, token)).toMatchObject({
        status: 422,
        code: 'endpoint-not-allowed',
      })
    for (const [at, url] of ['', null].entries()) {
      const body = { handle: `polling-${at}`, endpoint_url: url }
      expect(await post(outside.url, '/agents/register', body, token)).toMatchObject({ status: 200 })
      expect((await get(outside.url, `/agents/polling-${at}`)).json).toMatchObject({ metadata: { via_gateway: true } })
    }
  } finally {
    await outside.stop()
  }
})

test('a job whose poll answer was lost in a crash is offered again at once, under the same lease', async () => {
  const poet = await provider(market, plain('0.5', { slaMinutes: 10 }))
  const runId = await hire(poet.handle)
  const { job_id } = await poet.take()
  const empty = await get(market.url, `/gateway/jobs/poll?agent=${poet.agentId}`)
  expect(empty.json).toEqual({})
  await market.restart()
  expect((await poet.take()).job_id).toBe(job_id)
  expect((await get(market.url, `/gateway/jobs/poll?agent=${poet.agentId}`)).json).toEqual({})
  expect((await pathOf(buyer, runId)).filter(it => it === 'leased')).toHaveLength(1)
  await poet.deliver(job_id, 'An old silent pond')
  expect(await rested(buyer, runId)).toMatchObject({ job: { state: 'settled' } })
})

test('a deliverable handed in before a restart is not asked for again', async () => {
  const poet = await provider(market, plain('0.5', { slaMinutes: 10 }))
  const runId = await hire(poet.handle)
  await poet.deliver((await poet.take()).job_id, 'An old silent pond')
  await market.restart()
  expect((await get(market.url, `/gateway/jobs/poll?agent=${poet.agentId}`)).json).toEqual({})
  await until('the payment', async () => (await readRun(buyer, runId)).job?.state === 'settled')
})
