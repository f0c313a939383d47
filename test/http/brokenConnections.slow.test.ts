import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { plain, provider, talk } from '../hire/market.ts'
import { openSocket } from '../security/street.ts'
import { startTestService, type TestService, type User, until } from '../service.ts'

let market: TestService
let user: User
const lines: string[] = []
const logTo = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const printed = vi.spyOn(console, 'error')
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'warn' }, logTo })
  user = await market.user('ada')
})
afterAll(() => market?.stop())

type Asked = { body?: string; length?: number; accept?: string }
const request = (method: string, path: string, { body = '', length = body.length, accept = 'application/json' }: Asked = {}) =>
  [
    `${method} ${path} HTTP/1.1`,
    ...['host: 127.0.0.1', `authorization: Bearer ${user.token}`, 'content-type: application/json', `accept: ${accept}`],
    ...(method === 'POST' ? [`content-length: ${length}`] : []),
    `\r\n${body}`,
  ].join('\r\n')

const breakOff = async (bytes: string, how: 'destroy' | 'reset', afterMs: number) => {
  const socket = await openSocket(market.url)
  socket.on('error', () => undefined)
  const closed = new Promise(done => socket.once('close', done))
  await new Promise<void>(done => socket.write(bytes, () => done()))
  setTimeout(() => (how === 'reset' ? socket.resetAndDestroy() : socket.destroy()), afterMs)
  await closed
}

const invoke = JSON.stringify({ message: 'Write a haiku', wait_ms: 5_000 })
const rpc = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })

test('clients that break off at any moment write no line into the log and none to the terminal', async () => {
  const poet = await provider(market, plain('0.01'))
  const { say } = talk(user)
  await say(`Hire agent ${poet.handle} to write a haiku`)
  const { run_id } = await say('yes', 0)
  const moments: [what: string, bytes: string][] = [
    ['before a request', ''],
    ['in the headers', 'GET /agents HTTP/1.1\r\nhost: 127'],
    ['in a body', request('POST', '/invoke', { body: invoke.slice(0, 20), length: invoke.length })],
    ['in a body for MCP', request('POST', '/mcp', { body: rpc.slice(0, 20), length: rpc.length })],
    ['in a body for A2A', request('POST', '/a2a', { body: rpc.slice(0, 20), length: rpc.length })],
    ['in a chunked body', `${request('POST', '/invoke').replace(/content-length: \d+/, 'transfer-encoding: chunked')}5\r\n{"mes`],
    ['while a message is read', request('POST', '/invoke', { body: invoke })],
    ['while a tool runs', request('POST', '/mcp', { body: rpc, accept: 'application/json, text/event-stream' })],
    ['while a poll waits', request('GET', `/gateway/jobs/poll?agent=${poet.handle}-not&timeout=5`)],
    ['in a stream of events', request('GET', `/runs/${run_id}/events`, { accept: 'text/event-stream' })],
    ['in a long answer', request('GET', '/openapi.json')],
    [
      'in an answer that is compressed',
      request('GET', '/agents?pageSize=500').replace('accept:', 'accept-encoding: gzip\r\naccept:'),
    ],
  ]
  for (const [, bytes] of moments)
    for (const how of ['destroy', 'reset'] as const) for (const afterMs of [0, 2, 20, 100]) await breakOff(bytes, how, afterMs)
  // What was broken off is over when the next requests are answered.
  await until('the service to be at rest', async () => (await fetch(`${market.url}/readyz`)).ok)
  expect((await fetch(`${market.url}/openapi.json`)).status).toBe(200)
  expect(lines).toEqual([])
  expect(printed.mock.calls).toEqual([])
}, 60_000)
