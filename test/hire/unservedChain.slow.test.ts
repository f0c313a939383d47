import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock, startTestService, type TestService, until } from '../service.ts'
import { addQueuedJob, countUp } from '../store/rows.ts'
import { balancesOf, pathOf, plain, provider, rested, talk } from './market.ts'

const clock = createTestClock()
let market: TestService
beforeAll(async () => {
  market = await startTestService({ clock, env: { LOG_LEVEL: 'silent' } })
})
afterAll(() => market?.stop())

test('overdue jobs of a chain that is no longer served delay no refund on the served chains', async () => {
  const { store, wakeups } = market.service.world.deps
  const user = await market.user('ada')
  const poet = await provider(market, plain('0.5'))
  const before = await balancesOf(user)
  const { say } = talk(user)
  await say(`Hire agent ${poet.handle} to write a haiku`)
  const { run_id: runId } = await say('yes', 0)
  await until('the job to be offered', async () => (await pathOf(user, runId)).includes('queued'))
  const submitBy = Date.now() - 60_000
  for (const at of countUp(101)) await addQueuedJob(store, `away-${at}`, { submitBy, chainId: 56 })
  clock.advance(24 * 60 * 60_000, wakeups)
  expect(await rested(user, runId)).toMatchObject({ job: { state: 'refunded' } })
  expect(await balancesOf(user)).toEqual(before)
})
