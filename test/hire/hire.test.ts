import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cityClock } from '../../src/agent/demo/cityClock.ts'
import { startTestService, type TestService } from '../service.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
  await cityClock({ platformUrl: market.url, credential: { privateKey: generatePrivateKey() }, pollPauseMs: 50 }).start()
})
afterAll(() => market.stop())

test('a sentence and a yes end in USDC in the agent wallet', async () => {
  const { client } = await market.user('ada')
  const asked = await client.post('/invoke', { message: 'What time is it in Tokyo?', context: { conversation_id: 'c1' } })
  expect(asked).toMatchObject({ success: true, data: { state: 'awaiting-confirmation' } })
  const done = await client.post('/invoke', { message: 'yes', context: { conversation_id: 'c1' } })
  expect(done).toMatchObject({ success: true, data: { state: 'completed', job: { state: 'settled', amount: '0.05' } } })
})
