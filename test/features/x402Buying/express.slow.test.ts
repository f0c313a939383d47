import { afterAll, beforeAll, expect, test } from 'vitest'
import { purchaseRecord } from '../../../src/records/purchase.ts'
import { startTestService, type TestService, type User } from '../../service.ts'
import { startExpressSeller } from './expressSeller.ts'
import { lower } from './seller.ts'

const payTo = lower(`0x${'6e'.repeat(20)}`)
let market: TestService
let user: User
let seller: Awaited<ReturnType<typeof startExpressSeller>>
beforeAll(async () => {
  market = await startTestService()
  user = await market.user('buyer')
  seller = await startExpressSeller(market, payTo)
})
afterAll(async () => {
  await seller?.stop()
  await market?.stop()
})

test.each([
  ['/weather', {}, '{"weather":"sunny"}'],
  ['/echo', { method: 'POST', body: { say: 'hello' } }, '{"echo":{"say":"hello"}}'],
])('the stock seller on Express is paid for %s, with the identifier of the purchase', async (path, more, content) => {
  const before = (await market.service.world.deps.chains.get(97)?.usdcBalance(payTo)) ?? 0n
  const asked = purchaseRecord.parse(await user.client.post('/v1/purchases', { url: `${seller.url}${path}`, ...more }))
  const yes = { digest: asked.digest, decision: 'yes' }
  const paid = purchaseRecord.parse(await user.client.post(`/v1/purchases/${asked.purchase_id}/confirm`, yes))
  expect(paid).toMatchObject({ state: 'paid', status: 200, content })
  expect(seller.identifiers.at(-1)).toBe(paid.purchase_id)
  expect(await market.service.world.deps.chains.get(97)?.usdcBalance(payTo)).toBe(before + 20_000n)
})
