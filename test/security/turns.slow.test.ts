import { afterAll, beforeAll, expect, test } from 'vitest'
import { nobody } from '../../src/domain/hex.ts'
import { limits } from '../../src/domain/limits.ts'
import { ask, eventsOf, rested, talk } from '../hire/market.ts'
import { openApp } from '../identity/wallets.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { countUp } from '../store/rows.ts'

let market: TestService
/** While true, no run is advanced. */
let isBusy = false
/** Users whose runs were advanced, in order. */
const advanced: string[] = []
beforeAll(async () => {
  market = await startTestService({
    wrap: ({ store, chain }) => ({
      chain,
      store: {
        ...store,
        // One at a time, so that the order is visible.
        async claimRuns(leaseMs) {
          const claimed = isBusy ? [] : await store.claimRuns(leaseMs, 1)
          advanced.push(...claimed.map(it => it.run.user))
          if (claimed.length > 0) market.service.world.deps.wakeups.notify('runs')
          return claimed
        },
      },
    }),
  })
})
afterAll(() => market?.stop())

const anonymously = (at: number) => ask(market, '/invoke', { body: { message: `Write haiku number ${at}`, wait_ms: 0 } })

test('messages without a token delay no user: users are answered first and in turn', async () => {
  const [ada, bob] = [await market.user('ada'), await market.user('bob')]
  isBusy = true
  await Promise.all(countUp(20).map(anonymously))
  const runs = []
  for (const user of [ada, ada, ada, bob])
    runs.push({ user, runId: (await talk(user).say('Write a haiku about rain', 0)).run_id })
  advanced.length = 0
  isBusy = false
  market.service.world.deps.wakeups.notify('runs')
  for (const { user, runId } of runs) await rested(user, runId)
  await until('everybody to be answered', async () => advanced.length >= 24)
  expect(advanced.slice(0, 4)).toEqual([ada, bob, ada, ada].map(it => it.wallet.toLowerCase()))
  expect(new Set(advanced.slice(4))).toEqual(new Set([nobody]))
})

test('messages without a token over the limit are refused, by address and in total, and a user is served', async () => {
  const ada = await market.user('ada')
  isBusy = true
  const from = openApp(market, {})
  const sendFrom = (source: string) => () => from('/invoke', { message: 'Write a haiku', wait_ms: 0 }, { from: source })
  const statuses = async (count: number, one: (at: number) => Promise<{ status: number }>) => {
    const answers = []
    for (const at of countUp(count)) answers.push((await one(at)).status)
    return answers
  }
  const ofAddress = limits.anonymousRunsOfAddress
  expect(await statuses(ofAddress + 1, sendFrom('192.0.2.1'))).toEqual([...countUp(ofAddress).map(() => 200), 429])
  expect(await sendFrom('192.0.2.2')()).toMatchObject({ status: 200 })
  const left = limits.anonymousRuns - ofAddress - 1
  expect(await statuses(left + 1, anonymously)).toEqual([...countUp(left).map(() => 200), 429])
  expect(await anonymously(0)).toMatchObject({ status: 429, code: 'too-many-runs' })
  const { run_id: runId } = await talk(ada).say('Write a haiku about rain', 0)
  isBusy = false
  market.service.world.deps.wakeups.notify('runs')
  await rested(ada, runId)
  expect((await eventsOf(ada, runId)).length).toBeGreaterThan(1)
  await until('the crowd to be answered', async () => (await anonymously(0)).status === 200)
})
