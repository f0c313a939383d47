import { afterAll, beforeAll, expect, test } from 'vitest'
import { paidCallsOf } from '../../../src/features/x402Selling/ports.ts'
import { plain, provider } from '../../hire/market.ts'
import { startTestService, type TestService } from '../../service.ts'
import { createBuyer } from './buyer.ts'

let market: TestService
let advancesRuns = true
beforeAll(async () => {
  market = await startTestService({
    env: { LOG_LEVEL: 'silent' },
    wrap: ({ store, chain }) => ({
      store: { ...store, claimRuns: async (...of) => (advancesRuns ? store.claimRuns(...of) : []) },
      chain,
    }),
  })
})
afterAll(() => market?.stop())

test('a deliverable that passes is stored, judged and its settlement decided in one write, so no other worker delays the payment', async () => {
  const [poet, buyer] = [await provider(market, plain('0.01')), await createBuyer(market, 'buyer')]
  advancesRuns = false
  const bought = buyer.buy(`/x402/agents/${poet.handle}/offerings/plain`, { message: 'write' })
  const { job_id } = await poet.take()
  await poet.deliver(job_id, 'An old pond')
  expect(await market.service.world.deps.store.job(job_id)).toMatchObject({ verdict: { pass: true }, deliverable: 'An old pond' })
  expect(await bought).toMatchObject({ status: 200, body: { state: 'settled', content: 'An old pond' } })

  // The run is told of its end by its own worker.
  const { run_id = '' } = (await bought).record ?? {}
  expect(await market.service.world.deps.store.run(run_id)).toMatchObject({ state: 'awaiting-job' })
  advancesRuns = true
  expect((await paidCallsOf(market.service.world.deps.store).paidCallOfJob(job_id))?.settling).toBe('confirmed')
})
