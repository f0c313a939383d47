import { gzipSync } from 'node:zlib'
import { type ServerType, serve } from '@hono/node-server'
import type { FacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'
import { type Address, address } from '../../../src/domain/hex.ts'
import { toPayment } from '../../../src/domain/x402/x402.ts'
import type { Outside } from '../../../src/world.ts'
import { type TestService, until } from '../../service.ts'

const network = 'eip155:97' as const

/** The bytes that the seller answers as a picture: the start of a PNG file, which is not UTF-8. */
export const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00)

/** Bytes that are no text, different at each place. */
export const longAnswer = (bytes: number) => Uint8Array.from({ length: bytes }, (_, at) => ((at * 2_654_435_761) >>> 13) & 255)

/** Text without an end, or one that breaks off. */
const endless = (cutAt: number) => {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      if (sent >= cutAt) return controller.error(new Error('cut'))
      controller.enqueue(new TextEncoder().encode('x'.repeat(Math.min(65_536, cutAt - sent))))
      sent += 65_536
    },
  })
}

export type Seller = {
  url: string
  payTo: Address
  /** The number of paid requests that were worked on, and of settlements that were sent. */
  worked: () => number
  settled: () => number
  /** Drops the connection instead of the next `count` paid answers. */
  drop(count: number): void
  /** Refuses the next `count` paid requests with 402, without a look at their payments. */
  refuse(count: number): void
  /** How the connection of `/endless` behaves after its settlement: it sends without an end, or breaks off after these bytes. */
  breakAfter(bytes: number | undefined): void
  /** While failing, the route answers 500 and does not settle. */
  fail(isFailing: boolean): void
  ask(amount: bigint): void
  /** The newest payment header that a buyer sent. */
  payment: () => string | undefined
  stop(): Promise<void>
}

type Reach = () => Pick<Outside, 'store' | 'chain'>

/** The store and the chain of the running service, which may have been restarted. */
export const reachOf = (market: TestService) => () => {
  const { store, chains } = market.service.world.deps
  const chain = chains.get(97)
  if (!chain) throw new Error('no chain')
  return { store, chain }
}

/**
 * Starts a seller: the standard x402 server over plain HTTP. Its facilitator uses the chain of the service.
 * @param reach store and chain of the facilitator, by default those of the service
 */
export const startSeller = async (market: TestService, payTo: Address, reach: Reach = reachOf(market)): Promise<Seller> => {
  const chain = chainOf(reach)
  const seen = {
    worked: 0,
    settled: 0,
    dropping: 0,
    refusing: 0,
    isFailing: false,
    cutAt: Number.POSITIVE_INFINITY,
    amount: 20_000n,
    payment: '',
  }
  const facilitator = createFacilitator(reach, () => {
    seen.settled += 1
  })
  const server = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme())
  const extra = await chain.authorized.domain()
  const price = () => ({ amount: seen.amount.toString(), asset: chain.addresses.usdc, extra })
  const accepts = { scheme: 'exact', network, payTo, price } as const
  const app = new Hono()
  // Breaks the connection after the work and the settlement, so that the buyer gets no answer.
  app.use(async (c, next) => {
    const payment = c.req.header('payment-signature')
    seen.payment = payment ?? seen.payment
    const isPaid = payment !== undefined
    if (isPaid && seen.refusing > 0) {
      seen.refusing -= 1
      c.res = new Response('{}', { status: 402 })
      return
    }
    await next()
    if (isPaid && c.req.path === '/endless' && c.res.status === 200) c.res = new Response(endless(seen.cutAt))
    if (!isPaid || seen.dropping === 0) return
    seen.dropping -= 1
    c.res = new Response(
      new ReadableStream({
        pull: controller => controller.error(new Error('cut')),
      }),
    )
  })
  const priced = {
    'GET /weather': { accepts, description: 'Weather of today' },
    'POST /echo': { accepts },
    'GET /picture': { accepts },
    'GET /long': { accepts },
    'GET /zipped': { accepts },
    'GET /endless': { accepts },
  }
  app.use(paymentMiddleware(priced, server))
  const work = (answer: unknown) => {
    seen.worked += 1
    return seen.isFailing ? new Response('out of order', { status: 500 }) : Response.json(answer)
  }
  app.get('/weather', () => work({ weather: 'sunny' }))
  app.post('/echo', async c => work({ echo: await c.req.json() }))
  app.get('/picture', () => new Response(picture, { headers: { 'content-type': 'image/png; q=1' } }))
  app.get('/long', c => new Response(longAnswer(Number(c.req.query('bytes'))), { headers: { 'content-type': 'audio/wav' } }))
  app.get('/zipped', () => new Response(gzipSync('{"zipped":true}'), { headers: { 'content-encoding': 'gzip' } }))
  app.get('/endless', () => work({}))
  app.get('/free', c => c.json({ free: true }))
  app.get('/moved', c => c.redirect('/weather'))
  const { http, port } = await listen(app)
  return {
    url: `http://127.0.0.1:${port}`,
    payTo,
    worked: () => seen.worked,
    settled: () => seen.settled,
    drop: count => {
      seen.dropping = count
    },
    refuse: count => {
      seen.refusing = count
    },
    breakAfter: bytes => {
      seen.cutAt = bytes ?? Number.POSITIVE_INFINITY
    },
    fail: isFailing => {
      seen.isFailing = isFailing
    },
    ask: amount => {
      seen.amount = amount
    },
    payment: () => seen.payment || undefined,
    stop: () => new Promise(resolve => http.close(() => resolve())),
  }
}

export const listen = (app: Hono): Promise<{ http: ServerType; port: number }> =>
  new Promise(resolve => {
    const http = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => resolve({ http, port }))
  })

export const chainOf = (reach: Reach) => {
  const { chain } = reach()
  if (!chain.authorized) throw new Error('no signed transfers')
  return { ...chain, authorized: chain.authorized }
}

export const createFacilitator = (reach: Reach, settled: () => void): FacilitatorClient => {
  const toTransfer = (payload: unknown) => {
    const payment = toPayment(payload)
    if (!payment) throw new Error('no payment')
    return payment.authorization
  }
  return {
    getSupported: async () => ({ kinds: [{ x402Version: 2, scheme: 'exact', network }], extensions: [], signers: {} }),
    async verify(payload) {
      const transfer = toTransfer(payload)
      const invalidReason = await chainOf(reach).authorized.refusal(transfer)
      return invalidReason ? { isValid: false, invalidReason, payer: transfer.from } : { isValid: true, payer: transfer.from }
    },
    async settle(payload) {
      const transfer = toTransfer(payload)
      const chain = chainOf(reach)
      const call = chain.authorized.transfer(transfer)
      const key = `seller:${transfer.nonce}`
      await reach().store.addIntents([{ key, chainId: 97, sender: chain.treasury, call, after: undefined }])
      const sent = await until('the settlement', async () => {
        const intent = await reach().store.intent(key)
        return intent?.state === 'confirmed' || intent?.state === 'reverted' ? intent : undefined
      })
      settled()
      return { success: sent.state === 'confirmed', transaction: sent.hash ?? '', network, payer: transfer.from }
    },
  }
}

export const lower = (text: string): Address => address.parse(text.toLowerCase())
