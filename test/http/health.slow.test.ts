import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock, startTestService, type TestService, until } from '../service.ts'
import { get } from './wire.ts'

let market: TestService
/** While set, requests for the newest block wait for it. */
let silence: PromiseWithResolvers<void> | undefined
let isStoreBroken = false
let isSenderBroken = false
/** While set, commits wait for it. */
let standby: PromiseWithResolvers<void> | undefined
/** While set, questions to the database wait for it. */
let hang: PromiseWithResolvers<void> | undefined
const clock = createTestClock()
let looks = 0
beforeAll(async () => {
  market = await startTestService({
    clock,
    wrap: ({ store, chain }) => ({
      chain: {
        ...chain,
        head: async () => {
          looks += silence ? 1 : 0
          await silence?.promise
          return chain.head()
        },
      },
      store: {
        ...store,
        run: async id => {
          await hang?.promise
          if (isStoreBroken) throw new Error('gone')
          return store.run(id)
        },
        confirmsWrites: async () => {
          await standby?.promise
          return store.confirmsWrites()
        },
        senderNotes: async chainId => {
          await hang?.promise
          return store.senderNotes(chainId)
        },
        activeSenders: of => (isSenderBroken ? Promise.reject(new Error('unreadable')) : store.activeSenders(of)),
      },
    }),
  })
})
afterAll(() => market?.stop())

const ask = async (path: string) => {
  const { status, json } = await get(market.url, path)
  return { status, json }
}
const ready = ['/health', '/healthz', '/readyz']
const healthy = { status: 200, json: { status: 'healthy', reasons: [], chains: [{ chain_id: 97 }], refused_chains: [] } }

test('a service that can hire is alive and ready', async () => {
  for (const path of ready) expect(await ask(path)).toMatchObject(healthy)
  expect(await ask('/livez')).toEqual({ status: 200, json: { status: 'alive' } })
})

test('while the chain hangs the service is alive and reports that it cannot hire, and asks the chain once for all probes', async () => {
  silence = Promise.withResolvers()
  looks = 0
  const answers = await Promise.all([...ready, ...ready, ...ready].map(ask))
  const reasons = ['Hiring works on no chain.', 'Chain 97: The chain does not answer.']
  const refused_chains = [{ chain_id: 97, reason: 'The chain does not answer.' }]
  for (const it of answers)
    expect(it).toMatchObject({ status: 503, json: { status: 'unhealthy', reasons, chains: [], refused_chains } })
  expect(looks).toBeLessThan(answers.length)
  expect(await ask('/livez')).toMatchObject({ status: 200 })
  silence.resolve()
  silence = undefined
  await until('the service to be ready', async () => (await ask('/readyz')).status === 200)
  expect(await ask('/health')).toMatchObject(healthy)
})

test('a service whose database does not answer reports it', async () => {
  isStoreBroken = true
  const reasons = ['The database does not answer.']
  expect(await ask('/readyz')).toMatchObject({ status: 503, json: { status: 'unhealthy', reasons } })
  expect(await ask('/livez')).toMatchObject({ status: 200 })
  isStoreBroken = false
  expect(await ask('/readyz')).toMatchObject(healthy)
})

test('a database that hangs is named, and no chain is blamed for it', async () => {
  hang = Promise.withResolvers()
  expect(await ask('/readyz')).toMatchObject({
    status: 503,
    json: { reasons: ['The database does not answer.'], chains: [{ chain_id: 97 }], refused_chains: [] },
  })
  hang.resolve()
  hang = undefined
  expect(await ask('/readyz')).toMatchObject(healthy)
})

test('a database that reads and confirms no commit is not ready, and becomes so with its next commit', async () => {
  standby = Promise.withResolvers()
  clock.advance(2_000, market.service.world.deps.wakeups)
  for (const path of ready)
    expect(await ask(path)).toMatchObject({ status: 503, json: { reasons: ['The database confirms no writes.'] } })
  standby.resolve()
  standby = undefined
  await until('the service to be ready', async () => (await ask('/readyz')).status === 200)
})

test('a service whose sender has failed for half a minute cannot hire, and names the worker until it works again', async () => {
  isSenderBroken = true
  const { wakeups, failingWorkers } = market.service.world.deps
  await until('the sender to fail', async () => failingWorkers?.().some(it => it.worker === 'sendTransactions 97'))
  expect(await ask('/readyz')).toMatchObject(healthy)
  clock.advance(31_000, wakeups)
  const said = 'The worker sendTransactions 97 of this process has failed for \\d+ s: read its log\\.$'
  const [note, reason] = [`^${said}`, `^Chain 97: ${said}`].map(it => expect.stringMatching(it))
  expect(await ask('/readyz')).toMatchObject({
    status: 503,
    json: { reasons: ['Hiring works on no chain.', reason], chains: [{ chain_id: 97, notes: [note] }] },
  })
  isSenderBroken = false
  await until('the service to be ready', async () => (await ask('/readyz')).status === 200)
  expect(await ask('/readyz')).toMatchObject(healthy)
})
