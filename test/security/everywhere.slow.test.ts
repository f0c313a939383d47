import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../../src/domain/limits.ts'
import { routes } from '../assembled.ts'
import { get, post, send } from '../http/wire.ts'
import { openApp } from '../identity/wallets.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { countUp } from '../store/rows.ts'
import { openDoor, openSocket, shout } from './street.ts'

let market: TestService
let ada: User
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  ada = await market.user('ada')
})
afterAll(() => market?.stop())
const json = { 'content-type': 'application/json' }

test('row 3: a small compressed body that would expand to a large one is refused unread', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20))
  expect(bomb.length).toBeLessThan(100_000)
  for (const encoding of ['gzip', 'br', 'gzip, gzip'])
    expect(
      await send(market.url, { method: 'POST', path: '/invoke', headers: { ...json, 'content-encoding': encoding }, body: bomb }),
    ).toMatchObject({ status: 415, code: 'unsupported-media-type' })
})

describe('row 4: unusual JSON is plain data or refused', () => {
  const many = `{${countUp(100_000)
    .map(at => `"k${at}":0`)
    .join(',')}}`
  const bodies: [name: string, body: string, statuses: number[]][] = [
    ['of a hundred thousand keys', `{"handle":"odd","metadata":${many}}`, [422, 413]],
    ['with one key twice', '{"handle":"first","handle":"odd"}', [200]],
    ['with a number beyond numbers', '{"handle":"odd","metadata":{"n":1e400}}', [422]],
    ['with a whole number beyond whole numbers', '{"handle":"odd","metadata":{"n":9007199254740993}}', [200]],
    ['with a zero below zero', '{"handle":"odd","metadata":{"n":-0}}', [200]],
    ['with half a character', '{"handle":"odd","name":"\\ud800"}', [422]],
    ['with a NUL', '{"handle":"odd","name":"a\\u0000"}', [422]],
  ]
  test.each(bodies)('%s', async (name, body, statuses) => {
    const { status } = await post(market.url, '/agents/register', body, ada.token)
    expect([name, statuses.includes(status)]).toEqual([name, true])
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

test('row 5: unknown members change nothing', async () => {
  const stolen = {
    agent_id: '97:0x0000000000000000000000000000000000000001:1',
    wallet: `0x${'1'.repeat(40)}`,
    agent_wallet: `0x${'1'.repeat(40)}`,
    owner_id: `user:0x${'1'.repeat(40)}`,
    balance: '1000000',
    is_admin: true,
    verified: false,
    stats: { total_revenue: 1e9 },
    state: 'settled',
  }
  const { json: made } = await post(market.url, '/agents/register', { handle: 'extra', ...stolen }, ada.token)
  const { agent_id } = z.object({ agent_id: z.string() }).parse(made)
  const record = z.looseObject({ wallet_address: z.string() }).parse((await get(market.url, `/agents/${agent_id}`)).json)
  expect(record).toMatchObject({
    handle: 'extra',
    verified: true,
    stats: { total_revenue: 0 },
    owner_id: expect.stringContaining(ada.wallet.slice(-40)),
  })
  expect(record.wallet_address).not.toContain('1'.repeat(40))
  expect(JSON.stringify(record)).not.toMatch(/is_admin|1000000/)
  const said = await post(market.url, '/invoke', { message: 'Hire nobody', user_id: 'user:0x1', ...stolen }, ada.token)
  const { run_id } = z.object({ run_id: z.string() }).parse(said.json)
  expect(await get(market.url, `/runs/${run_id}`, ada.token)).toMatchObject({ status: 200 })
  const posted = await post(market.url, '/v1/jobs', {
    client_id: 'p',
    description: 'x',
    status: 'completed',
    provider_id: 'p',
    ...stolen,
  })
  expect(posted.json).toMatchObject({ status: 'open', provider_id: '' })
})

describe('row 8: a malformed HTTP request', () => {
  const head = 'POST /v1/init HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  test.each([
    ['with 32 KB of headers', `GET /health HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(32_768)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
    [
      'with 500 headers',
      `GET /health HTTP/1.1\r\nhost: x\r\n${countUp(500)
        .map(at => `x-${at}: ${'a'.repeat(30)}\r\n`)
        .join('')}\r\n`,
      /^HTTP\/1\.1 431 /,
    ],
    [
      'with two kinds of length',
      `${head}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\n\r\n`,
      /^HTTP\/1\.1 400 /,
    ],
    ['with two lengths', `${head}content-length: 4\r\ncontent-length: 5\r\n\r\ntrue`, /^HTTP\/1\.1 400 /],
    ['with an encoding that hides', `${head}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`, /^HTTP\/1\.1 400 /],
    ['with a header that is two', 'GET /health HTTP/1.1\r\nhost: x\r\na\r: b\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['without a host', 'GET /health HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
  ])('%s is refused, and its connection closed', async (_name, bytes, answer) => {
    const said = await shout(market.url, bytes)
    expect(said).toMatch(answer)
    expect(said.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })
})

test('row 9: two hundred clients that send slowly or stop sending get 408 or are disconnected, and others are served', async () => {
  const isSilent = (at: number) => at >= 180
  const door = await openDoor(market, { requestMs: 500 })
  const sockets = await Promise.all(countUp(200).map(() => openSocket(door.url)))
  const inHead = 'POST /invoke HTTP/1.1\r\nhost: x\r\nx-slow: '
  const inBody = 'POST /invoke HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"message":"'
  const answers = sockets.map((socket, at) => {
    socket.on('error', () => undefined)
    socket.write(at % 2 ? inHead : inBody)
    const dripping = setInterval(() => !isSilent(at) && socket.writable && socket.write('a'), 100)
    return text(socket)
      .catch(() => '')
      .finally(() => clearInterval(dripping))
  })
  for (const _ of countUp(20)) expect(await get(door.url, '/health')).toMatchObject({ status: 200 })
  const told = await Promise.all(answers)
  // If a client keeps sending after the connection closed, TCP may discard the last response.
  expect(told.filter((it, at) => !it.startsWith('HTTP/1.1 408') && (isSilent(at) || it !== ''))).toEqual([])
  await door.close()
})

test('a body that announces its length has time by its length, and a dripping one that announces little has not', async () => {
  const door = await openDoor(market, { requestMs: 200 })
  const drip = async (announced: number) => {
    const socket = await openSocket(door.url)
    socket.on('error', () => undefined)
    const begun = performance.now()
    socket.write(`POST /invoke HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${announced}\r\n\r\n `)
    await text(socket).catch(() => '')
    return performance.now() - begun
  }
  const bytes = limits.bodyBytesASecond
  const [short, long] = await Promise.all([drip(10), drip(bytes)])
  expect(long - short).toBeGreaterThan(500)
  await door.close()
})

test('row 11: an internal failure in any route is answered without its message, which is in the log', async () => {
  const secret = 'SELECT key FROM secrets at /srv/market/store.ts'
  const broken = <T extends object>(it: T): T =>
    new Proxy(it, {
      get: (of, name) =>
        typeof Reflect.get(of, name) === 'function'
          ? () => {
              throw new Error(secret)
            }
          : Reflect.get(of, name),
    })
  const { deps } = market.service.world
  const logged: unknown[] = []
  const door = await openDoor(market, {
    deps: { store: broken(deps.store), wallets: broken(deps.wallets), search: broken(deps.search) },
    log: error => logged.push(error),
  })
  // The service logs such rejections; the test runner reports them only sometimes.
  const unhandled: unknown[] = []
  const note = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const statuses = new Map<number, number>()
  const inputs = {
    message: 'hi',
    task: 'hi',
    handle: 'broken',
    digest: '00000000',
    decision: 'yes',
    query: 'x',
    agent: 'x',
    description: 'x',
  }
  const people = {
    client_id: 'p',
    provider_id: 'p',
    evaluator_id: 'p',
    rejector_id: 'p',
    job_id: 'j',
    agent_id: 'x',
    status: 'completed',
  }
  const words = { amount: 1, method: 'eth_call', group_name: 'g', member_agent_ids: ['x'], open: true, result: { response: 'x' } }
  const body = { ...inputs, ...people, ...words }
  // What moves money refuses members that it does not know.
  const knownTo = (input: z.ZodType) =>
    input instanceof z.ZodObject ? Object.fromEntries(Object.entries(body).filter(([name]) => name in input.shape)) : body
  // The route that revokes the token comes last.
  const inOrder = routes.toSorted((a, b) => Number(a.path === '/v1/revoke') - Number(b.path === '/v1/revoke'))
  for (const { method, path, operation } of inOrder) {
    const at = path
      .replaceAll('{user_id}', ada.wallet)
      .replaceAll('{address}', ada.proxy)
      .replace(/\{\w+\}/g, 'x')
    const isGet = method === 'get'
    const { status, text: said } = await send(door.url, {
      method: method.toUpperCase(),
      path: isGet ? `${at}?agent=x&query=x&chain_id=97` : at,
      headers: { ...json, authorization: `Bearer ${ada.token}` },
      ...(!isGet && { body: JSON.stringify(knownTo(operation.input)) }),
    })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    expect(said, path).not.toMatch(/SELECT|srv|\.ts|stack/)
    if (status === 500) expect(said, path).toContain('"code":"internal"')
  }
  expect(statuses.get(500) ?? 0).toBeGreaterThan(routes.length / 2)
  expect(logged.length).toBeGreaterThanOrEqual(statuses.get(500) ?? 0)
  expect(String(logged[0])).toContain(secret)
  expect(unhandled).toEqual([])
  await door.close()
})

test('row 12: routes outside the reference do not exist', async () => {
  const ask = openApp(market)
  const hidden = [
    '/debug',
    '/metrics',
    '/admin',
    '/env',
    '/.env',
    '/.git/config',
    '/debug/pprof',
    '/actuator/health',
    '/server-status',
    '/graphql',
    '/v1',
    '/internal',
    '/api',
  ]
  for (const path of hidden) expect([path, (await ask(path, undefined, { from: '192.0.2.1' })).status]).toEqual([path, 404])
})
