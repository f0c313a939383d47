import { decodePaymentResponseHeader, wrapAxiosWithPayment, x402Client } from '@x402/axios'
import { ExactEvmScheme } from '@x402/evm'
import { validateDiscoveryExtension } from '@x402/extensions/bazaar'
import axios from 'axios'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { plain, provider } from '../../hire/market.ts'
import { startTestService, type TestService } from '../../service.ts'
import { createBuyer } from './buyer.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

const sent = z.looseObject({ extensions: z.looseObject({ bazaar: z.unknown(), 'offer-receipt': z.unknown() }) })

test('the stock client for axios buys an offering, and sends the extensions back that it was given', async () => {
  const [poet, { account }] = [await provider(market, plain('0.5')), await createBuyer(market, 'buyer')]
  const payments: string[] = []
  const plainAxios = axios.create({ baseURL: market.url })
  plainAxios.interceptors.request.use(it => {
    const payment: unknown = it.headers.get('payment-signature')
    if (typeof payment === 'string') payments.push(payment)
    return it
  })
  const buyer = wrapAxiosWithPayment(plainAxios, new x402Client().register('eip155:97', new ExactEvmScheme(account)))
  const bought = buyer.post(`/x402/agents/${poet.handle}/offerings/plain`, { message: 'write' })
  const { job_id } = await poet.take()
  await poet.deliver(job_id, 'An old silent pond')
  const { status, data, headers } = await bought
  expect([status, data]).toMatchObject([200, { state: 'settled', content: 'An old silent pond' }])
  expect(decodePaymentResponseHeader(String(headers['payment-response']))).toMatchObject({
    ...{ success: true, network: 'eip155:97', transaction: data.transaction },
  })
  const { extensions } = sent.parse(JSON.parse(Buffer.from(payments.at(-1) ?? '', 'base64').toString()))
  expect(validateDiscoveryExtension(extensions.bazaar as Parameters<typeof validateDiscoveryExtension>[0]).valid).toBe(true)
})
