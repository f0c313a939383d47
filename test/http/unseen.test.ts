import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../hire/market.ts'
import { startTestService, type TestService } from '../service.ts'
import { get } from './wire.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

test('a name of an offering without a character that can be seen is refused', async () => {
  const { token } = await market.user('unseen')
  const at = { url: market.url, token }
  for (const blank of ['', ' ', '\u200b', '\u2063\u200d ']) {
    const body = {
      handle: 'blank',
      name: 'Blank',
      chain_id: 97,
      job_offerings: [{ id: 'a', name: blank, price_v2: { type: 'fixed', amount: '0.1' } }],
    }
    const registered = await ask(at, '/agents/register', { body })
    expect([blank, registered]).toMatchObject([blank, { status: 422, body: { pointer: '/job_offerings/0/name' } }])
  }
})

test('the page of problems says what to do next', async () => {
  expect((await get(market.url, '/problems')).text).toMatch(/What to do next: .*Retry-After.*href="\/reference"/s)
})
