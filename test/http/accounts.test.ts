import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { hireForHaiku, plain, provider, rested } from '../hire/market.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { get } from './wire.ts'

let market: TestService
let buyer: User
beforeAll(async () => {
  market = await startTestService()
  buyer = await market.user('buyer')
})
afterAll(() => market.stop())

const hire = (handle: string) => hireForHaiku(buyer, handle)

test('agents are ranked by their earnings, whoever vouches for them, and unverified agents are marked', async () => {
  const small = await provider(market, plain('0.01'))
  const first = await hire(small.handle)
  await small.deliver((await small.take()).job_id, 'a pond')
  // A kit with a private key registers by bare signature.
  await market.agent({ handle: 'bare', offerings: [plain('0.1')], handler: () => 'a frog' })
  const second = await hire('bare')
  for (const run of [first, second]) expect(await rested(buyer, run)).toMatchObject({ job: { state: 'settled' } })
  expect((await get(market.url, '/rankings?metric=revenue')).json).toMatchObject([
    { handle: 'bare', score: 0.1, verified: false },
    { handle: small.handle, score: 0.01, verified: true },
  ])
  const payments = (await get(market.url, `/runs/${first}/payments`, buyer.token)).json
  expect(payments).toMatchObject([{ type: 'escrow' }, { type: 'payout' }])
  for (const it of z.array(z.json()).parse(payments)) expect(it).toMatchObject({ protocol: 'ERC-8183', scheme: 'escrow' })
})
