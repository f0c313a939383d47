import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../../src/domain/limits.ts'
import { createStreams, streamBounds } from '../../src/http/events/streams.ts'
import { createCounts } from '../../src/http/rates.ts'
import { plain, provider, talk } from '../hire/market.ts'
import { get, post, send } from '../http/wire.ts'
import { openApp } from '../identity/wallets.ts'
import { startTestService, type TestService, type User, until } from '../service.ts'
import { countUp } from '../store/rows.ts'
import { openDoor, openSocket } from './street.ts'

let market: TestService
let ada: User
let bob: User
/** While true, no run is advanced. */
let isBusy = false
beforeAll(async () => {
  market = await startTestService({
    env: { RATE_LIMIT: '40' },
    wrap: ({ store, chain }) => ({
      chain,
      store: { ...store, claimRuns: async (...of) => (isBusy ? [] : store.claimRuns(...of)) },
    }),
  })
  ada = await market.user('ada')
  bob = await market.user('bob')
})
afterAll(() => market?.stop())

describe('row 10: a caller over the rate limit is refused', () => {
  const perWindow = 3 * 5

  test('by the user of the token, at any address, and the next user is served', async () => {
    const ask = openApp(market, { requestsASecond: 3 })
    const asked = countUp(perWindow).map(at => ask('/health', undefined, { token: ada.token, from: `192.0.2.${at}` }))
    expect(new Set((await Promise.all(asked)).map(it => it.status))).toEqual(new Set([200]))
    const over = await ask('/health', undefined, { token: ada.token, from: '198.51.100.1' })
    expect(over).toMatchObject({ status: 429, code: 'rate-limited', json: { retry: true } })
    expect(await ask('/health', undefined, { token: bob.token, from: '192.0.2.1' })).toMatchObject({ status: 200 })
  })

  test('by the address where there is no valid token, and the next address and this machine are served', async () => {
    const ask = openApp(market, { requestsASecond: 3 })
    const tokens = countUp(perWindow).map(at => (at % 2 ? 'a.b.c' : undefined))
    for (const token of tokens) await ask('/health', undefined, { from: '2001:db8:1:2::7', ...(token && { token }) })
    const over = await ask('/agents', undefined, { from: '2001:db8:1:2:ffff::9' })
    expect(over).toMatchObject({ status: 429, code: 'rate-limited' })
    expect(await ask('/agents', undefined, { from: '2001:db8:1:3::7' })).toMatchObject({ status: 200 })
    for (const _ of countUp(2 * perWindow)) expect(await ask('/agents')).toMatchObject({ status: 200 })
  })

  test('but not a thousand agents that poll from behind one address', async () => {
    const ask = openApp(market, { requestsASecond: 3 })
    const poll = (agent: string) => ask(`/gateway/jobs/poll?agent=${agent}&timeout=0`, undefined, { from: '192.0.2.1' })
    const answers = await Promise.all(countUp(1_000).map(at => poll(`agent-${at}`)))
    expect(new Set(answers.map(it => it.status))).toEqual(new Set([200]))
  })

  test('for the time in Retry-After, and a setting of the service changes the limit', async () => {
    const { token } = await market.user('hasty')
    const health = () => fetch(`${market.url}/health`, { headers: { authorization: `Bearer ${token}` } })
    const answers = await Promise.all(countUp(201).map(health))
    const refused = answers.filter(it => it.status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(['retry-after', 'content-type'].map(it => refused[0]?.headers.get(it))).toEqual(['5', 'application/problem+json'])
    await Promise.all(answers.map(it => it.text()))
    // The user's earlier requests count in the same window.
    expect(answers.length - refused.length).toBeGreaterThan(190)
  })

  test('and a hundred thousand callers use no more memory than a thousand', () => {
    let now = 0
    const counts = createCounts({ now: () => now }, 1_000)
    for (const at of countUp(100_000)) counts.increment(`caller-${at}`)
    expect(counts.size()).toBe(1_000)
    expect(counts.increment('caller-99999').totalHits).toBe(2)
    now = 5_001
    expect(counts.increment('caller-99999').totalHits).toBe(1)
  })
})

/** Starts a run that stays open until its agent delivers. */
const openRun = async (user: User) => {
  const poet = await provider(market, plain('0.01'))
  const { say, conversationId } = talk(user)
  const { run_id } = await say(`Hire agent ${poet.handle} to write a haiku`)
  await say('yes', 0)
  return { run_id, conversationId, finish: async () => poet.deliver((await poet.take()).job_id, 'Splash') }
}

const follow = async (url: string, runId: string, token: string, after = '0') => {
  const gone = new AbortController()
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'last-event-id': after }
  const response = await fetch(`${url}/runs/${runId}/events`, { headers, signal: gone.signal })
  return { response, leave: () => gone.abort() }
}

test('row 42: the sixth stream of a user is refused, also for a streamed message, until a reader leaves', async () => {
  const user = await market.user('watcher')
  const { run_id, finish } = await openRun(user)
  const open = await Promise.all(countUp(limits.streams).map(() => follow(market.url, run_id, user.token)))
  expect(open.map(it => it.response.status)).toEqual(open.map(() => 200))
  const sixth = await follow(market.url, run_id, user.token)
  expect([sixth.response.status, sixth.response.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await sixth.response.json()).toMatchObject({ code: 'too-many-streams' })
  const message = { message: 'Write a haiku', context: { conversation_id: 'sixth' } }
  expect(await post(market.url, '/invoke/stream', message, user.token)).toMatchObject({ status: 429, code: 'too-many-streams' })
  const history = await get(market.url, '/conversations', user.token)
  expect(history.text).not.toContain('sixth')
  open[0]?.leave()
  const again = await until('a free place', async () => {
    const next = await follow(market.url, run_id, user.token)
    return next.response.status === 200 && next
  })
  await finish()
  for (const it of [...open.slice(1), again]) expect(await it.response.text()).toContain('job.settled')
  const after = await follow(market.url, run_id, user.token)
  expect(after.response.status).toBe(200)
  await after.response.text()
})

test('row 42: the 501st stream in total is refused, streams are counted by address, and a place is freed once', () => {
  const streams = createStreams(streamBounds)
  const leaves = countUp(limits.streamsOfAll).map(at => streams.enter({ wallet: undefined, source: `192.0.2.${at >> 1}` }))
  expect(() => streams.enter({ wallet: undefined, source: undefined })).toThrow('too-many-streams')
  leaves[0]?.()
  leaves[0]?.()
  expect(streams.open()).toBe(limits.streamsOfAll - 1)
  for (const leave of leaves) leave()
  expect(streams.open()).toBe(0)
  const ofOne = countUp(limits.streams).map(() => streams.enter({ wallet: undefined, source: '192.0.2.1' }))
  expect(() => streams.enter({ wallet: undefined, source: '192.0.2.1' })).toThrow('too-many-streams')
  for (const leave of ofOne) leave()
})

describe('behind a trusted proxy', () => {
  const trustedProxy = { header: 'x-forwarded-for', addresses: ['127.0.0.1', '10.0.0.0/8'] }
  const ask = (url: string, { from, token, path = '/health' }: { from?: string; token?: string; path?: string }) =>
    fetch(`${url}${path}`, {
      headers: {
        ...(from && { 'x-forwarded-for': from }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(path.endsWith('/events') && { accept: 'text/event-stream' }),
      },
    })

  test('one address that invents wallets gets no more streams than an address may, and the next address is served', async () => {
    const door = await openDoor(market, { trustedProxy, streams: { ofOne: 2, ofAddress: 3, ofAll: 100 } })
    isBusy = true
    const begun = await post(market.url, '/invoke', { message: 'Write a haiku', wait_ms: 0 })
    const { run_id } = z.object({ run_id: z.string() }).parse(begun.json)
    const users = await Promise.all(['a', 'b', 'c', 'd'].map(name => market.user(`made-up-${name}`)))
    const path = `/runs/${run_id}/events`
    const open = []
    for (const { token } of users) open.push(await ask(door.url, { path, token, from: '6.6.6.6, 192.0.2.9' }))
    expect(open.map(it => it.status)).toEqual([200, 200, 200, 429])
    expect(await open.at(-1)?.json()).toMatchObject({ code: 'too-many-streams' })
    const others = await Promise.all(['192.0.2.10', '2001:db8::1'].map(from => ask(door.url, { path, from })))
    expect(others.map(it => it.status)).toEqual([200, 200])
    for (const it of [...open.slice(0, 3), ...others]) await it.body?.cancel()
    await door.close()
    isBusy = false
  })

  test('one address that invents wallets is rate limited, and forwarding headers of the client are ignored', async () => {
    const door = await openDoor(market, { trustedProxy, requestsASecond: 1 })
    const users = await Promise.all(countUp(13).map(at => market.user(`swarm-${at}`)))
    const burst = (from: string) =>
      Promise.all(
        users.flatMap(({ token }) => countUp(4).map(at => ask(door.url, { token, from: `203.0.113.${at}, ${from}, 10.1.1.1` }))),
      )
    const statuses = (await burst('192.0.2.9')).map(it => it.status)
    expect([statuses.filter(it => it === 200).length, statuses.filter(it => it === 429).length]).toEqual([50, 2])
    expect((await ask(door.url, { from: '192.0.2.8' })).status).toBe(200)
    await door.close()
  })

  test('the header of the proxy is read from no other sender, and an invalid address counts as the proxy itself', async () => {
    const seen = async (given: typeof trustedProxy | undefined, from: string) => {
      const door = await openDoor(market, { ...(given && { trustedProxy: given }), requestsASecond: 1 })
      const answers = await Promise.all(countUp(6).map(() => ask(door.url, { from })))
      await door.close()
      return answers.filter(it => it.status === 429).length
    }
    expect(await seen({ header: 'x-forwarded-for', addresses: ['10.0.0.0/8'] }, '192.0.2.9')).toBe(0)
    expect(await seen(undefined, '192.0.2.9')).toBe(0)
    expect(await seen(trustedProxy, 'unknown')).toBe(1)
    expect(await seen(trustedProxy, '127.0.0.1')).toBe(1)
  })
})

test('row 42: a stream that resumes after an impossible event is refused, and another site reads nothing', async () => {
  const { run_id } = await talk(ada).say('Hire nobody at all')
  for (const last of ['1e99', '-1', 'x', '9'.repeat(40)]) {
    const headers = { authorization: `Bearer ${ada.token}`, accept: 'text/event-stream', 'last-event-id': last }
    expect(await send(market.url, { path: `/runs/${run_id}/events`, headers })).toMatchObject({
      status: 422,
      code: 'invalid-input',
    })
  }
  const headers = { origin: 'https://evil.example', accept: 'text/event-stream' }
  const answer = await send(market.url, { path: `/runs/${run_id}/events`, headers })
  expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([401, undefined])
})

test('fault 65: a reader that stops reading is disconnected, its place is freed, and others are unaffected', async () => {
  const door = await openDoor(market, { stalledMs: 300 })
  const { run_id, finish } = await openRun(ada)
  const socket = (await openSocket(door.url)).pause()
  socket.write(
    `GET /runs/${run_id}/events HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\nauthorization: Bearer ${ada.token}\r\n\r\n`,
  )
  const ended = once(socket, 'close')
  const other = await follow(door.url, run_id, ada.token)
  const read = other.response.text()
  // More than the socket buffers of both sides hold.
  const summary = 'x'.repeat(1_000_000)
  const { store } = market.service.world.deps
  for (const at of countUp(12)) await store.addRunEvent(run_id, { kind: 'message', summary, data: { at } })
  const late = () => follow(door.url, run_id, ada.token, '100')
  const more = await Promise.all(countUp(limits.streams - 2).map(late))
  expect(more.map(it => it.response.status)).toEqual(more.map(() => 200))
  const free = await until('the place of the one that takes nothing', async () => {
    const it = await late()
    return it.response.status === 200 && it
  })
  let taken = 0
  socket.on('data', chunk => {
    taken += chunk.length
  })
  socket.resume()
  await ended
  expect(taken).toBeLessThan(12_000_000)
  await finish()
  expect((await read).length).toBeGreaterThan(12_000_000)
  for (const it of [...more, free]) it.leave()
  await door.close()
}, 20_000)

describe('row 43: a message', () => {
  const say = (message: unknown, token = ada.token) => post(market.url, '/invoke', { message, wait_ms: 0 }, token)

  test('that is empty, too long or not text is refused, and one of 32 KB is accepted', async () => {
    for (const bad of ['', ' \n', 7, {}, ['hi'], 'x'.repeat(limits.messageChars + 1)])
      expect(await say(bad)).toMatchObject({ status: 422, code: 'invalid-input' })
    expect((await say('x'.repeat(40_022))).json).toMatchObject({
      detail: '/message: That is too long: 40,022 of 32,768 characters.',
      pointer: '/message',
    })
    expect(await say('x'.repeat(limits.messageChars))).toMatchObject({ status: 200 })
  })

  test('beyond a hundred open runs of its user is refused, also under concurrency, and another user is served', async () => {
    const user = await market.user('crowd')
    const { store } = market.service.world.deps
    isBusy = true
    const wallet = `0x${user.wallet.replace(/^(?:user:)?0x/, '')}` as const
    await store.atomically(async tables => {
      for (const at of countUp(limits.openRuns - 1))
        await tables.addRun({ id: `crowd-${at}`, conversationId: `c-${at}`, user: wallet, chainId: 97, task: 'wait' })
    })
    const answers = await Promise.all(countUp(5).map(at => say(`Write haiku ${at}`, user.token)))
    expect(answers.filter(it => it.status === 429).map(it => it.code)).toEqual(countUp(4).map(() => 'too-many-runs'))
    expect(answers.filter(it => it.status === 200)).toHaveLength(1)
    expect(await say('Write a haiku', bob.token)).toMatchObject({ status: 200 })
  })
})
