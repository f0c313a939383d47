import { x402Facilitator } from '@x402/core/facilitator'
import { UptoEvmScheme as FacilitatorScheme } from '@x402/evm/upto/facilitator'
import { UptoEvmScheme } from '@x402/evm/upto/server'
import { paymentMiddleware, setSettlementOverrides, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'
import type { Address } from '../../../src/domain/hex.ts'
import type { PermitMarket } from '../x402Selling/permitMarket.ts'
import { createStockSigner } from './permitSeller.ts'
import { listen } from './seller.ts'

const network = 'eip155:97' as const

export type UptoSeller = Awaited<ReturnType<typeof startUptoSeller>>

/** Starts the standard x402 server with the standard facilitator. It sells by use: it takes at most `most` after its work. */
export const startUptoSeller = async ({ client, usdc }: PermitMarket, payTo: Address, most: bigint) => {
  const seen = { taken: most, settled: 0, isDropping: false, isFailing: false, router: undefined as Address | undefined }
  const facilitator = new x402Facilitator().register(network, new FacilitatorScheme(createStockSigner(client, seen)))
  facilitator.onAfterSettle(async () => {
    seen.settled += 1
  })
  const server = new x402ResourceServer({
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
    getSupported: async () => {
      const { extra } = facilitator.getSupported().kinds[0] ?? {}
      return { kinds: [{ x402Version: 2, scheme: 'upto', network, extra: extra ?? {} }], extensions: [], signers: {} }
    },
  }).register(network, new UptoEvmScheme())
  const price = { amount: most.toString(), asset: usdc, extra: { assetTransferMethod: 'permit2' } }
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    if (!seen.isDropping || c.req.header('payment-signature') === undefined) return
    seen.isDropping = false
    c.res = new Response(new ReadableStream({ pull: controller => controller.error(new Error('cut')) }))
  })
  app.use(paymentMiddleware({ 'GET /weather': { accepts: { scheme: 'upto', network, payTo, price } } }, server))
  app.get('/weather', c => {
    if (seen.isFailing) return c.json({ error: 'no weather today' }, 500)
    setSettlementOverrides(c, { amount: seen.taken.toString() })
    return c.json({ weather: 'sunny' })
  })
  const { http, port } = await listen(app)
  return {
    url: `http://127.0.0.1:${port}/weather`,
    payTo,
    settled: () => seen.settled,
    /** What it takes of the next payments. */
    take: (amount: bigint) => {
      seen.taken = amount
    },
    fail: (isFailing: boolean) => {
      seen.isFailing = isFailing
    },
    drop: () => {
      seen.isDropping = true
    },
    stop: () => new Promise<void>(resolve => http.close(() => resolve())),
  }
}
