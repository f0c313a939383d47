import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PollBounds } from '../../src/http/polls.ts'
import { plain, provider } from '../hire/market.ts'
import { startTestService, type TestService } from '../service.ts'
import { openDoor } from './street.ts'

let market: TestService
let agent: Awaited<ReturnType<typeof provider>>
beforeAll(async () => {
  market = await startTestService()
  agent = await provider(market, plain('0.1'))
})
afterAll(() => market?.stop())

const trustedProxy = { header: 'x-forwarded-for', addresses: ['127.0.0.1'] }
const much = { perSecond: 0, burst: 1_000 }
const bounds: PollBounds = { address: much, network: much, strangers: much, credential: much, waiting: 5, waitingAtOnce: 10 }
const few = (burst: number) => ({ perSecond: 0, burst })

type Polled = { from?: string; token?: string; name?: string; timeout?: number }
const openPolls = async (more: Partial<PollBounds>) => {
  const door = await openDoor(market, { trustedProxy, requestsASecond: 1_000, polls: { ...bounds, ...more } })
  const ask = async (path: string, { from, token }: Polled) => {
    const headers = { ...(from && { 'x-forwarded-for': from }), ...(token && { authorization: `Bearer ${token}` }) }
    const { status, headers: sent } = await fetch(`${door.url}${path}`, { headers })
    return { status, connection: sent.get('connection'), retryAfter: sent.get('retry-after') }
  }
  const poll = ({ name = agent.agentId, timeout = 0, ...of }: Polled = {}) =>
    ask(`/gateway/jobs/poll?agent=${encodeURIComponent(name)}&timeout=${timeout}`, of)
  return { ...door, ask, poll }
}
const [one, other] = ['192.0.2.1', '192.0.2.2']

describe('polls without a known credential', () => {
  test('are limited for each address, whatever they ask for, and the refused connection is closed', async () => {
    const { poll, close } = await openPolls({ address: few(3) })
    for (const name of [agent.agentId, agent.handle, 'nobody-has-this-name'])
      expect(await poll({ from: one, name })).toMatchObject({ status: 200 })
    expect(await poll({ from: one })).toEqual({ status: 429, connection: 'close', retryAfter: '3' })
    expect(await poll({ from: other })).toMatchObject({ status: 200 })
    for (let at = 0; at < 5; at += 1) expect(await poll()).toMatchObject({ status: 200 })
    await close()
  })

  test('are limited for an IPv6 network and for all of them', async () => {
    const ofNetwork = await openPolls({ network: few(2) })
    const statuses = []
    for (const from of ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:ff03::1', '2001:db8:2:1::1'])
      statuses.push((await ofNetwork.poll({ from })).status)
    expect(statuses).toEqual([200, 200, 429, 200])
    await ofNetwork.close()
    const ofAll = await openPolls({ strangers: few(2) })
    const all = []
    for (const from of [one, other, '192.0.2.3']) all.push((await ofAll.poll({ from })).status)
    expect(all).toEqual([200, 200, 429])
    await ofAll.close()
  })

  test('count more when they wait for a job, and few of an address wait at once', async () => {
    const costly = await openPolls({ address: few(11) })
    const statuses = []
    for (const timeout of [0.01, 0.01, 0.01, 0]) statuses.push((await costly.poll({ from: one, name: 'nobody', timeout })).status)
    expect(statuses).toEqual([200, 200, 429, 200])
    await costly.close()
    const { poll, close } = await openPolls({ waitingAtOnce: 2 })
    const waiting = await Promise.all([1, 1, 1].map(timeout => poll({ from: one, timeout })))
    expect(waiting.map(it => it.status).toSorted()).toEqual([200, 200, 429])
    expect(await poll({ from: one, timeout: 0.01 })).toMatchObject({ status: 200 })
    await close()
  })

  test('of fifty agents that each ask once a second from one address are all served', async () => {
    const door = await openDoor(market, { trustedProxy, requestsASecond: 40 })
    const ask = (at: number) =>
      fetch(`${door.url}/gateway/jobs/poll?agent=agent-${at % 50}&timeout=0.1`, { headers: { 'x-forwarded-for': one } })
    const answers = await Promise.all(Array.from({ length: 150 }, (_, at) => ask(at)))
    expect(new Set(answers.map(it => it.status))).toEqual(new Set([200]))
    await Promise.all(answers.map(it => it.text()))
    await door.close()
  })
})

test('an agent with its credential polls when strangers have used up every other poll, and no stranger counts as it', async () => {
  const { poll, ask, close } = await openPolls({ address: few(1), strangers: few(3), credential: few(4) })
  // A credential is known once it was valid, wherever it was sent.
  expect(await ask('/my-agents', { from: one, token: agent.token })).toMatchObject({ status: 200 })
  for (const from of [one, other, '192.0.2.3', '192.0.2.4']) await poll({ from })
  expect(await poll({ from: '192.0.2.5' })).toMatchObject({ status: 429 })
  expect(await poll({ from: one, token: 'a.b.c' })).toMatchObject({ status: 429 })
  for (let at = 0; at < 4; at += 1) expect(await poll({ from: one, token: agent.token })).toMatchObject({ status: 200 })
  expect(await poll({ from: one, token: agent.token })).toMatchObject({ status: 429 })
  await close()
})

test('polls of a stranger for an agent do not count for the agent itself', async () => {
  const { poll, close } = await openPolls({})
  const polls = await Promise.all(Array.from({ length: 500 }, () => poll({ from: one })))
  expect(polls.filter(it => it.status === 429).length).toBeGreaterThan(0)
  expect(await poll({ from: other, token: agent.token })).toMatchObject({ status: 200 })
  await close()
})
