import { afterAll, beforeAll, expect, test } from 'vitest'
import { purchaseRecord } from '../../../src/records/purchase.ts'
import { plain, provider } from '../../hire/market.ts'
import { startTestService, type TestService, type User, until } from '../../service.ts'

// The embedded chain has stand-ins of Permit2 and of the proxy for `upto`, so the local world sells and buys by use.

let market: TestService
let user: User
beforeAll(async () => {
  market = await startTestService()
  user = await market.user('buyer')
})
afterAll(() => market?.stop())

const balance = async (of: string) => (await user.client.get(`/balances/${of}`)) as { usdc: string }

test('on the embedded chain an offering by use is bought from a custodial wallet, and the chain keeps it over restarts', async () => {
  const poet = await provider(market, plain('0.5', { usage: { unit: 'pages', perUnit: '0.01' } }))
  const before = Number((await balance(user.proxy)).usdc)
  const url = `${market.url}/x402/agents/${poet.handle}/offerings/plain`
  const proposed = purchaseRecord.parse(await user.client.post('/v1/purchases', { url, body: { message: 'write' } }))
  expect(proposed).toMatchObject({ state: 'proposed', scheme: 'upto', price: '0.5' })
  const place = `/v1/purchases/${proposed.purchase_id}`
  await user.client.post(`${place}/confirm`, { digest: proposed.digest, decision: 'yes', wait_ms: 0 })
  const { job_id } = await poet.take()
  await poet.report(job_id, { status: 'completed', result: { response: 'An old pond' }, units: 7 })
  const paid = await until('the payment', async () => {
    const it = purchaseRecord.parse(await user.client.get(place))
    return it.state === 'paid' && it
  })
  expect(paid).toMatchObject({ paid: '0.07', price: '0.5' })
  expect((before - Number((await balance(user.proxy)).usdc)).toFixed(6)).toBe('0.070000')
  await market.restart()
  expect((await balance(poet.wallet)).usdc).toBe('0.07')
  expect(purchaseRecord.parse(await user.client.get(place))).toMatchObject({ state: 'paid', paid: '0.07' })
}, 60_000)
