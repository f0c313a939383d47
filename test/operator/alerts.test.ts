import { createServer, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../../src/config.ts'
import { minuteMs } from '../../src/domain/durations.ts'
import { conditionsOf, followAlerts, type OperatorState } from '../../src/domain/operator/alerts.ts'
import { describeTreasury, readTreasury } from '../../src/operator/treasury.ts'
import type { PostAlert } from '../../src/ports.ts'
import { operatorRecord } from '../../src/records/operator.ts'
import { raiseAlerts } from '../../src/workers/raiseAlerts.ts'
import { plain, provider, talk } from '../hire/market.ts'
import { createTestClock, startTestService, type TestService, until } from '../service.ts'
import { openWorld } from '../world.ts'

const token = 'an operator of this market'
const news = z.object({ status: z.string(), alert: z.string(), subject: z.string(), text: z.string() })
const clock = createTestClock()
let isDown = false
let isDeaf = false
const received: z.infer<typeof news>[] = []
let receiver: Server
let market: TestService
beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const posted = news.parse(await json(request))
    response.statusCode = isDeaf ? 503 : 200
    if (!isDeaf) received.push(posted)
    response.end()
  })
  await new Promise<void>(done => receiver.listen(0, '127.0.0.1', done))
  const { port } = z.object({ port: z.number() }).parse(receiver.address())
  market = await startTestService({
    env: { OPERATOR_TOKEN: token, ALERT_WEBHOOK: `http://127.0.0.1:${port}/hook` },
    clock,
    wrap: ({ store, chain }) => ({
      store,
      chain: { ...chain, head: () => (isDown ? Promise.reject(new Error('gone')) : chain.head()) },
    }),
  })
})
afterAll(async () => {
  await market?.stop()
  receiver?.close()
})

const look = (ms: number) => clock.advance(ms, market.service.world.deps.wakeups)
const ofChain = () => received.filter(it => it.alert === 'chain-down').map(it => it.status)

test('a chain that is down for a minute is posted once, also when the receiver was away, and its return as well', async () => {
  isDown = true
  isDeaf = true
  const state = async () => operatorRecord.parse(await (await ask('/operator/state', `Bearer ${token}`)).json())
  await until('the chain to be seen as down', async () => (await state()).alerts.some(it => it.alert === 'chain-down'))
  look(0)
  await until('the alert to be raised', async () => {
    look(minuteMs)
    isDeaf = false
    return received.length > 0
  })
  for (const _ of [1, 2, 3]) look(minuteMs)
  isDown = false
  await until('the return', async () => {
    look(1_000)
    return ofChain().includes('resolved')
  })
  expect(ofChain()).toEqual(['firing', 'resolved'])
  expect(received.find(it => it.alert === 'chain-down')).toMatchObject({
    subject: 'chain 97',
    text: expect.stringContaining('RPC_URL_97'),
  })
})

const isPosted = (alert: string, status: string) => received.some(it => it.alert === alert && it.status === status)
const posted = (alert: string, status: string) =>
  until(`${alert} ${status}`, async () => {
    look(0)
    return isPosted(alert, status)
  })

const alertsNow = async () => {
  const state = await (await ask('/operator/state', `Bearer ${token}`)).json()
  return operatorRecord.parse(state).alerts.map(it => it.alert)
}

const hire = async (handle: string) => {
  const { say } = talk(await market.user('ann'))
  await say(`Hire agent ${handle} to write a haiku`)
  await say('yes', 0)
}

test('a job near its deadline without a deliverable is posted, and its deliverable ends the alert', async () => {
  const agent = await provider(market, plain('0.5', { slaMinutes: 60 }))
  await hire(agent.handle)
  await agent.take()
  look(50 * minuteMs)
  expect(await alertsNow()).not.toContain('jobs-undelivered')
  look(6 * minuteMs)
  await posted('jobs-undelivered', 'firing')
  const { job_id } = await agent.take()
  expect(received.find(it => it.alert === 'jobs-undelivered')?.text).toContain(`${job_id} of agent ${agent.handle}`)
  await agent.deliver(job_id, 'An old silent pond')
  await posted('jobs-undelivered', 'resolved')
})

test('a deliverable that is not settled near the end of its escrow is posted, and its payment ends the alert', async () => {
  const agent = await provider(market, plain('0.5', { slaMinutes: 60 }))
  await hire(agent.handle)
  const { job_id } = await agent.take()
  isDown = true
  await agent.deliver(job_id, 'An old silent pond')
  look(72 * minuteMs)
  await posted('jobs-unsettled', 'firing')
  expect(received.find(it => it.alert === 'jobs-unsettled')?.text).toContain(job_id)
  isDown = false
  await posted('jobs-unsettled', 'resolved')
})

test('two pollers of one agent without a credential are posted, until ten minutes after both asked', async () => {
  const { agentId, handle } = await provider(market, plain('0'))
  for (const name of [agentId, handle]) await ask(`/gateway/jobs/poll?agent=${name}&timeout=0.01`)
  await posted('two-pollers', 'firing')
  expect(received.find(it => it.alert === 'two-pollers')?.text).toContain(handle)
  look(9 * minuteMs)
  expect(await alertsNow()).toContain('two-pollers')
  look(minuteMs)
  await posted('two-pollers', 'resolved')
})

const ask = (path: string, authorization?: string) =>
  fetch(`${market.url}${path}`, { headers: authorization ? { authorization } : {} })

test('the operator alone reads chains, wallets, backlog and leaders; the command prints how to fill the treasury', async () => {
  expect([(await ask('/operator/state')).status, (await ask('/operator/state', 'Bearer x')).status]).toEqual([401, 401])
  const state = operatorRecord.parse(await (await ask('/operator/state', `Bearer ${token}`)).json())
  expect(state.chains).toMatchObject([{ chain_id: 97, up: true }])
  expect(state.leaders.map(it => it.leads).sort()).toEqual(['alerts and retention', 'chain 97'])
  const treasury = state.wallets.find(it => it.role === 'treasury')
  expect(treasury).toMatchObject({ chain_id: 97, is_filled: true, coin_a_day: expect.any(String) })
  const config = readConfig({ OPERATOR_TOKEN: token })
  const printed = describeTreasury(await readTreasury(config, market.url))
  expect(printed).toContain(`send native coin of chain 97 to ${treasury?.address}`)
  await expect(readTreasury(readConfig({ OPERATOR_TOKEN: 'another operator token' }), market.url)).rejects.toThrow('not accept')
  await expect(readTreasury(readConfig({}), market.url)).rejects.toThrow('Set OPERATOR_TOKEN')
})

const calm: OperatorState = {
  chains: [],
  wallets: [],
  backlog: [],
  failing: [],
  lateJobs: [],
  contests: [],
  unreadable: [],
  leaders: [],
}
const treasury = { chainId: 97, role: 'treasury', address: '0x1', usdc: '0', spentWeiADay: 10n } as const
const late = { count: 2, leftMs: 9_500, jobId: 'job_1', agent: 'poet' }
const effect = { kind: 'effect', state: 'sent', count: 1 }
const chain = { chainId: 97, up: true, block: 9, behind: 0 }

test.each<[string, Partial<OperatorState>, Partial<OperatorState>]>([
  ['chain-down', { chains: [{ ...chain, up: false }] }, { chains: [chain] }],
  ['chain-refused', { chains: [{ ...chain, up: false, refused: 'wrong' }] }, { chains: [chain] }],
  ['chain-behind', { chains: [{ ...chain, behind: 51 }] }, { chains: [{ ...chain, behind: 50 }] }],
  [
    'treasury-low',
    { wallets: [{ ...treasury, coinWei: 9n, daysLeft: 0.9, isFilled: true }] },
    { wallets: [{ ...treasury, coinWei: 10n, daysLeft: 1, isFilled: true }] },
  ],
  [
    'treasury-low',
    { wallets: [{ ...treasury, coinWei: 0n, daysLeft: 9, isFilled: false }] },
    { wallets: [{ ...treasury, role: 'evaluator', coinWei: 0n, daysLeft: 0, isFilled: false }] },
  ],
  ['effects-late', { backlog: [{ ...effect, oldestMs: 301_000 }] }, { backlog: [{ ...effect, oldestMs: 300_000 }] }],
  [
    'runs-late',
    { backlog: [{ kind: 'run', state: 'due', count: 1, oldestMs: 61_000 }] },
    { backlog: [{ kind: 'job', state: 'leased', count: 1, oldestMs: 9e9 }] },
  ],
  ['jobs-undelivered', { lateJobs: [{ ...late, missing: 'deliverable' }] }, { lateJobs: [] }],
  ['jobs-unsettled', { lateJobs: [{ ...late, missing: 'settlement' }] }, { lateJobs: [] }],
  ['two-pollers', { contests: [{ agent: 'poet', agoMs: 599_999 }] }, { contests: [{ agent: 'poet', agoMs: 600_000 }] }],
  ['rows-unreadable', { unreadable: [{ source: 'intent', count: 2, key: '7', reason: 'call' }] }, { unreadable: [] }],
  ['worker-failing', { failing: [{ worker: 'w', sinceMs: 300_000 }] }, { failing: [{ worker: 'w', sinceMs: 299_000 }] }],
])('%s is a condition beyond its limit and none at the limit', (alert, bad, good) => {
  expect(conditionsOf({ ...calm, ...bad }).map(it => it.alert)).toEqual([alert])
  expect(conditionsOf({ ...calm, ...good })).toEqual([])
})

test('an alert is reported once when it has lasted, and never when it passes earlier', () => {
  const conditions = conditionsOf({ ...calm, chains: [{ ...chain, up: false }] })
  const first = followAlerts(new Map(), conditions, 0)
  expect([first.news, followAlerts(first.watched, [], 30_000).news]).toEqual([[], []])
  const second = followAlerts(first.watched, conditions, minuteMs)
  expect(second.news).toMatchObject([{ status: 'firing', since: 0 }])
  const third = followAlerts(second.watched, conditions, 2 * minuteMs)
  expect([third.news, followAlerts(third.watched, [], 3 * minuteMs).news]).toMatchObject([[], [{ status: 'resolved' }]])
})

const newWorld = async () => {
  const world = await openWorld()
  onTestFinished(world.close)
  return world
}

test('a new leader posts only what the one before it did not post, and that an alert is over', async () => {
  const { store } = await newWorld()
  const log = { info: () => undefined, warn: () => undefined }
  let state: OperatorState = { ...calm, wallets: [{ ...treasury, coinWei: 0n, daysLeft: 0, isFilled: false }] }
  const posted: string[] = []
  let isTaken = false
  const post: PostAlert = async ({ status, alert }) => {
    if (isTaken) posted.push(`${alert} ${status}`)
    return isTaken
  }
  const lead = () => raiseAlerts({ store, read: async () => state, clock, log, post }).runOnce()
  await lead()
  isTaken = true
  await lead()
  expect(posted).toEqual(['treasury-low firing'])
  await lead()
  isTaken = false
  state = calm
  await lead()
  isTaken = true
  await lead()
  await lead()
  expect(posted).toEqual(['treasury-low firing', 'treasury-low resolved'])
  expect(await store.alertStates()).toEqual([])
})

test('without a webhook, and above the bound of an hour, the log says what was not posted', async () => {
  const said: string[] = []
  const log = { info: () => undefined, warn: (_about: object, words: string) => void said.push(words) }
  const low: OperatorState = { ...calm, wallets: [{ ...treasury, coinWei: 0n, daysLeft: 0, isFilled: false }] }
  let state = low
  const read = async () => state
  await raiseAlerts({ store: (await newWorld()).store, read, clock, log, post: undefined }).runOnce()
  expect(said).toEqual(['alert silenced: ALERT_WEBHOOK is not set'])
  let count = 0
  const post = async () => {
    count += 1
    return true
  }
  const worker = raiseAlerts({ store: (await newWorld()).store, read, clock, log, post })
  for (let at = 0; at < 80; at += 1) {
    state = at % 2 ? calm : low
    await worker.runOnce()
  }
  expect(count).toBe(60)
  expect(said).toContain('alert silenced: more than 60 in an hour')
})
