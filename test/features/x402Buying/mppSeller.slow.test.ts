import { Hono } from 'hono'
import { evm, Mppx } from 'mppx/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { purchaseRecord } from '../../../src/records/purchase.ts'
import { startTestService, type TestService, type User, until } from '../../service.ts'
import { chainOf, createFacilitator, listen, lower, reachOf } from './seller.ts'

// A purchase from the standard server of MPP (mppx 0.11.0). It takes payments by x402 for its EVM charge, too.

const payTo = lower(`0x${'5e'.repeat(20)}`)
let market: TestService
let user: User
let url: string
let stop: () => Promise<void>
beforeAll(async () => {
  market = await startTestService()
  user = await market.user('buyer')
  const reach = reachOf(market)
  const { authorized, addresses } = chainOf(reach)
  const { settle } = createFacilitator(reach, () => undefined)
  const charge = evm.charge({
    ...{ currency: addresses.usdc, chainId: 97, decimals: 6, authorization: await authorized.domain(), recipient: payTo },
    async settle({ payload: { signature, type: _type, ...authorization } }) {
      const accepted = { scheme: 'exact', network: 'eip155:97' as const }
      const payment = { x402Version: 2, accepted, payload: { signature, authorization } }
      const { transaction } = await settle(...([payment, accepted] as unknown as Parameters<typeof settle>))
      return { reference: transaction }
    },
  })
  const mpp = Mppx.create({
    methods: [charge],
    secretKey: 'a secret of this test, with at least 32 bytes',
    realm: 'seller.example',
  })
  const app = new Hono()
  app.get('/weather', async c => {
    const result = await mpp.charge({ amount: '0.02' })(c.req.raw)
    return result.status === 402 ? result.challenge : result.withReceipt(Response.json({ weather: 'sunny' }))
  })
  const { http, port } = await listen(app)
  url = `http://127.0.0.1:${port}/weather`
  stop = () => new Promise<void>(resolve => http.close(() => resolve()))
})
afterAll(async () => {
  await stop?.()
  await market?.stop()
})

test('the standard server of MPP is paid by the offer of x402 in its answer 402', async () => {
  const asked = await fetch(url)
  expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([402, expect.stringMatching(/^Payment .*method="evm"/)])
  const proposed = purchaseRecord.parse(await user.client.post('/v1/purchases', { url }))
  expect(proposed).toMatchObject({ state: 'proposed', price: '0.02', payee: payTo, scheme: 'exact' })
  const place = `/v1/purchases/${proposed.purchase_id}`
  await user.client.post(`${place}/confirm`, { digest: proposed.digest, decision: 'yes', wait_ms: 0 })
  const paid = await until('the payment', async () => {
    const it = purchaseRecord.parse(await user.client.get(place))
    return it.state !== 'paying' && it
  })
  expect(paid).toMatchObject({ state: 'paid', paid: '0.02', content: '{"weather":"sunny"}' })
})
