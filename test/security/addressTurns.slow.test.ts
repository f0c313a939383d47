import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLines } from '../../src/http/turns/lines.ts'
import { createQueue } from '../../src/http/turns/queue.ts'
import { startTestService, type TestService } from '../service.ts'
import { openDoor } from './street.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

const trustedProxy = { header: 'x-forwarded-for', addresses: ['127.0.0.1'] }
const [abuser, user] = ['192.0.2.9', '192.0.2.10']

const ask = async (
  url: string,
  { from, path = '/health', body, token }: { from?: string; path?: string; body?: object; token?: string },
) => {
  const headers = {
    'content-type': 'application/json',
    ...(from && { 'x-forwarded-for': from }),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const answer = await fetch(`${url}${path}`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
}

describe('requests are served in turn by network address', () => {
  test('a user is answered before all earlier requests of another address are served', async () => {
    const turns = { address: { atOnce: 2, share: 0.02, burstMs: 1 }, waitMs: 60_000 }
    const door = await openDoor(market, { trustedProxy, requestsASecond: 10_000, turns })
    const answered: string[] = []
    const send = async (from: string) => {
      const { status } = await ask(door.url, { from, path: '/agents' })
      answered.push(`${from} ${status}`)
    }
    await Promise.all([...Array.from({ length: 40 }, () => send(abuser)), send(user)])
    expect(answered.indexOf(`${user} 200`)).toBeLessThan(answered.length - 1)
    expect(answered.filter(it => it === `${abuser} 200`)).toHaveLength(40)
    await door.close()
  })

  test('an address over its share waits, then gets a retry time; other addresses, polls and this machine are served', async () => {
    const turns = { address: { atOnce: 2, share: 0.0001, burstMs: 50 }, waitMs: 1 }
    const door = await openDoor(market, { trustedProxy, requestsASecond: 10_000, turns })
    // The work of a message continues after its response and is charged too.
    const message = { path: '/invoke', body: { message: 'Write a haiku', wait_ms: 0 } }
    expect(await ask(door.url, { ...message, from: abuser })).toMatchObject({ status: 200 })
    const refused = await ask(door.url, { ...message, from: abuser })
    expect(refused).toMatchObject({ status: 429, retryAfter: '5' })
    expect(refused.text).toContain('rate-limited')
    const path = '/gateway/jobs/poll?agent=nobody-polls&timeout=0'
    const served = [{ from: user }, { from: abuser, path }, {}, {}, {}]
    for (const asked of served) expect(await ask(door.url, asked)).toMatchObject({ status: 200 })
    await door.close()
  })

  test('all addresses of one IPv6 network share its time, and another network has its own', async () => {
    const small = { atOnce: 1, share: 0.0001, burstMs: 0.05 }
    for (const name of ['site', 'network'] as const) {
      const door = await openDoor(market, { trustedProxy, requestsASecond: 10_000, turns: { [name]: small, waitMs: 1 } })
      const [first, inside, outside] =
        name === 'site'
          ? ['2001:db8:1:101::1', '2001:db8:1:1ff::1', '2001:db8:1:201::1']
          : ['2001:db8:1:101::1', '2001:db8:1:ff01::1', '2001:db8:2:101::1']
      expect(await ask(door.url, { from: first, path: '/agents' })).toMatchObject({ status: 200 })
      expect(await ask(door.url, { from: inside, path: '/agents' })).toMatchObject({ status: 429 })
      expect(await ask(door.url, { from: outside, path: '/agents' })).toMatchObject({ status: 200 })
      await door.close()
    }
  })

  test('strangers share a part of the time, which none of their addresses can enlarge; users have all of it', async () => {
    const { token } = await market.user('known')
    const strangers = { atOnce: 1, share: 0.0001, burstMs: 5 }
    const door = await openDoor(market, { trustedProxy, requestsASecond: 10_000, turns: { strangers, waitMs: 1 } })
    // A token counts once it was valid.
    expect(await ask(door.url, { from: user, path: '/my-agents', token })).toMatchObject({ status: 200 })
    const asked = async (at: number) => (await ask(door.url, { from: `198.51.${at}.1`, path: '/agents' })).status
    // Each request of a new address costs at least some microseconds, and the time of all is 5 ms.
    let status = 200
    for (let at = 0; at < 250 && status === 200; at += 1) status = await asked(at)
    expect(status).toBe(429)
    for (const from of [user, abuser, '198.51.100.1'])
      expect(await ask(door.url, { from, path: '/my-agents', token })).toMatchObject({ status: 200 })
    expect(await ask(door.url, { from: '198.51.100.99', path: '/my-agents', token: 'a.b.c' })).toMatchObject({ status: 429 })
    await door.close()
  })

  test('of those that wait, users begin first, and then the address that has used least', async () => {
    const lineOf = createLines()
    const bounds = { atOnce: 9, share: 0.0001, burstMs: 60_000 }
    const strangers = lineOf('strangers', { ...bounds, atOnce: 1 })
    const queue = createQueue({ waitMs: 60_000 })
    const take = (name: string) => queue.take({ own: [lineOf(name, bounds)], strangers })
    const first = await take('abuser')
    first?.charge(1_000)
    const begun: string[] = []
    const wait = async (name: string) => {
      const turn = await take(name)
      begun.push(name)
      turn?.end()
    }
    const waiting = Promise.all(['abuser', 'abuser', 'newcomer', 'abuser'].map(wait))
    const ofUser = queue.take({ own: [lineOf('user', bounds)] })
    expect(await ofUser).toBeDefined()
    expect(begun).toEqual([])
    first?.end()
    await waiting
    expect(begun).toEqual(['newcomer', 'abuser', 'abuser', 'abuser'])
  })

  test('there are no turns when rate limits are off', async () => {
    const turns = { address: { atOnce: 2, share: 0.0001, burstMs: 0 }, waitMs: 1 }
    const door = await openDoor(market, { trustedProxy, requestsASecond: 0, turns })
    expect(await ask(door.url, { from: abuser })).toMatchObject({ status: 200 })
    await door.close()
  })
})
