import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { address } from '../../../src/domain/hex.ts'
import type { Json } from '../../../src/domain/json.ts'
import { ask, plain, provider } from '../../hire/market.ts'
import { startTestService, type TestService } from '../../service.ts'
import { type Buyer, createBuyer, toPaymentHeader } from './buyer.ts'

let isBroken = false
let market: TestService
let buyer: Buyer
let poet: Awaited<ReturnType<typeof provider>>
beforeAll(async () => {
  market = await startTestService({
    env: { LOG_LEVEL: 'silent' },
    wrap: ({ store, chain }) => ({
      store: {
        ...store,
        listing: async (...of) => (isBroken ? Promise.reject(new Error('the database is gone')) : store.listing(...of)),
      },
      chain,
    }),
  })
  buyer = await createBuyer(market, 'buyer')
  poet = await provider(market, plain('0.5'))
})
afterAll(() => market?.stop())

const path = () => `/x402/agents/${poet.handle}/offerings/plain`
const sign = (more = {}) => buyer.sign({ to: address.parse(poet.wallet.toLowerCase()), value: 500_000n, ...more })
const verify = async (url: string) => {
  const payload = z
    .record(z.string(), z.json())
    .parse(JSON.parse(Buffer.from(toPaymentHeader(await sign()), 'base64').toString()))
  const paymentPayload: Json = { ...payload, resource: { url, description: '', mimeType: '' } }
  return ask(market, '/x402/verify', { body: { x402Version: 2, paymentPayload, paymentRequirements: { network: 'eip155:97' } } })
}

test('a failure of the database is a failure of the service that may be retried, and no fault of the payer', async () => {
  expect(await verify(`${market.url}${path()}`)).toMatchObject({ status: 200, body: { isValid: true } })
  isBroken = true
  expect(await verify(`${market.url}${path()}`)).toMatchObject({ status: 500, code: 'internal', body: { retry: true } })
  isBroken = false
})

test.each(['/x402/agents/%E0%A4%A', '/x402/agents/a/offerings/%', '/elsewhere', 'http://['])(
  'a payment for %s is not valid, because nothing is sold there',
  async url => {
    expect(await verify(url)).toMatchObject({
      ...{ status: 200, body: { isValid: false, invalidReason: 'invalid_payment_requirements' } },
    })
  },
)

test.each(['validBefore', 'validAfter', 'value'])('a payment whose %s has more than 32 bytes is malformed', async name => {
  const headers = { 'payment-signature': toPaymentHeader({ ...(await sign()), [name]: 2n ** 256n }) }
  expect(await ask(market, path(), { headers, body: { message: 'write' } })).toMatchObject({
    status: 400,
    code: 'invalid-payment',
  })
})
