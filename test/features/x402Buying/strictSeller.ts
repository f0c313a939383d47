import type { PaymentPayload } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { declareDiscoveryExtension } from '@x402/extensions/bazaar'
import {
  declarePaymentIdentifierExtension,
  extractAndValidatePaymentIdentifier,
  validatePaymentIdentifierRequirement,
} from '@x402/extensions/payment-identifier'
import { paymentMiddleware, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'
import type { Address } from '../../../src/domain/hex.ts'
import { toPayment } from '../../../src/domain/x402/x402.ts'
import type { TestService } from '../../service.ts'
import { chainOf, createFacilitator, listen, reachOf } from './seller.ts'

const network = 'eip155:97' as const

/**
 * Starts a standard x402 server that requires an identifier for each payment, by the functions of the extension's package. It
 * answers 400 without one. Of `/refusing` it answers 400 to each payment, and of `/taking` it then takes the money nevertheless.
 */
export const startStrictSeller = async (market: TestService, payTo: Address) => {
  const reach = reachOf(market)
  const chain = chainOf(reach)
  const price = async () => ({ amount: '20000', asset: chain.addresses.usdc, extra: await chain.authorized.domain() })
  const accepts = { scheme: 'exact', network, payTo, price } as const
  const identified = {
    ...declareDiscoveryExtension({ input: { city: 'Tokyo' }, inputSchema: { properties: { city: { type: 'string' } } } }),
    'payment-identifier': declarePaymentIdentifierExtension(true),
  }
  const payments: PaymentPayload[] = []
  const app = new Hono()
  app.use(async (c, next) => {
    const header = c.req.header('payment-signature')
    if (header === undefined) return next()
    const payment: PaymentPayload = JSON.parse(Buffer.from(header, 'base64').toString())
    payments.push(payment)
    const refused = (error: string) => Response.json({ error }, { status: 400 })
    if (c.req.path !== '/identified') {
      c.res = refused('this seller is in a bad mood')
      return
    }
    const given = validatePaymentIdentifierRequirement(payment, true)
    const { validation } = extractAndValidatePaymentIdentifier(payment)
    if (given.valid && validation.valid) return next()
    c.res = refused([...(given.errors ?? []), ...(validation.errors ?? [])].join(' '))
  })
  const server = new x402ResourceServer(createFacilitator(reach, () => undefined)).register(network, new ExactEvmScheme())
  const routes = {
    'GET /identified': { accepts, extensions: identified },
    'GET /refusing': { accepts },
    'GET /taking': { accepts },
  }
  app.use(paymentMiddleware(routes, server))
  app.get('/identified', c => c.json({ weather: 'sunny' }))
  const { http, port } = await listen(app)
  return {
    url: `http://127.0.0.1:${port}`,
    payments,
    /** Sends the transfer of the newest payment. */
    async take() {
      const payment = toPayment(payments.at(-1))
      if (!payment) throw new Error('no payment')
      const call = chain.authorized.transfer(payment.authorization)
      const key = `taken:${payment.authorization.nonce}`
      await reach().store.addIntents([{ key, chainId: 97, sender: chain.treasury, call, after: undefined }])
    },
    stop: () => new Promise<void>(resolve => http.close(() => resolve())),
  }
}
