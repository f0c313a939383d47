import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import {
  declarePaymentIdentifierExtension,
  extractAndValidatePaymentIdentifier,
  validatePaymentIdentifierRequirement,
} from '@x402/extensions/payment-identifier'
import express from 'express'
import type { Address } from '../../../src/domain/hex.ts'
import type { TestService } from '../../service.ts'
import { chainOf, createFacilitator, reachOf } from './seller.ts'

const network = 'eip155:97' as const

/** Starts a seller on Express, by the standard middleware. It requires an identifier of each payment, and keeps those it got. */
export const startExpressSeller = async (market: TestService, payTo: Address) => {
  const reach = reachOf(market)
  const chain = chainOf(reach)
  const extra = await chain.authorized.domain()
  const accepts = {
    ...{ scheme: 'exact', network, payTo },
    price: { amount: '20000', asset: chain.addresses.usdc, extra },
  }
  const server = new x402ResourceServer(createFacilitator(reach, () => undefined)).register(network, new ExactEvmScheme())
  const extensions = { 'payment-identifier': declarePaymentIdentifierExtension(true) }
  const identifiers: string[] = []
  const app = express()
  app.use(express.json())
  app.use((request, response, next) => {
    const header = request.header('payment-signature')
    if (header === undefined) return next()
    const payment = JSON.parse(Buffer.from(header, 'base64').toString())
    const { id, validation } = extractAndValidatePaymentIdentifier(payment)
    if (!validatePaymentIdentifierRequirement(payment, true).valid || !validation.valid || !id)
      return void response.status(400).json({ error: 'no identifier' })
    identifiers.push(id)
    next()
  })
  app.use(paymentMiddleware({ 'GET /weather': { accepts, extensions }, 'POST /echo': { accepts, extensions } }, server))
  app.get('/weather', (_request, response) => void response.json({ weather: 'sunny' }))
  app.post('/echo', (request, response) => void response.json({ echo: request.body }))
  const http = app.listen(0, '127.0.0.1')
  await new Promise(resolve => http.once('listening', resolve))
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    identifiers,
    stop: () => new Promise<void>(resolve => http.close(() => resolve())),
  }
}
