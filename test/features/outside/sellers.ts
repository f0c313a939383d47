import { Hono } from 'hono'
import type { Address } from '../../../src/domain/hex.ts'
import { parseJson } from '../../../src/domain/json.ts'
import { type TestService, until } from '../../service.ts'
import { createFacilitator, listen, reachOf } from '../x402Buying/seller.ts'

/** What a seller asks for, or the status that it answers without asking. */
type Asked = { amount: bigint; payTo: Address } | { status: number }

/** One resource of a test's sellers. `asks` is called for each request without a payment. */
export type Stall = {
  id: string
  description: string
  listed: { amount: bigint; payTo: Address }
  asks(): Asked
  /** Members of the accepted payment that differ from what this market speaks. */
  accepts?: Record<string, unknown>
  /** The same of a request without a payment, where it differs from the listing. */
  asked?: Record<string, unknown>
  method?: 'GET' | 'POST'
  example?: unknown
  /** Answers a paid request instead of settling it. */
  paid?(header: string): Response
}

/**
 * Starts sellers with these resources and the catalogue that lists them. `market` is the service whose chain they settle on, `hosts`
 * the number of ports that share the resources.
 */
export const startStalls = async (stalls: Stall[], market: Promise<TestService>, hosts = 1) => {
  const byId = new Map(stalls.map(it => [it.id, it]))
  const seen = {
    requests: [] as { id: string; isPaid: boolean; query: string; body: string; host: string; at: number }[],
    pages: 0,
    unchanged: 0,
  }
  const settled: bigint[] = []
  const network = 'eip155:97'
  const toAccepts = async ({ amount, payTo }: Stall['listed'], more: Record<string, unknown> = {}) => {
    const asset = (await market).service.world.deps.chains.get(97)?.addresses.usdc
    const extra = { name: 'USD Coin', version: '1' }
    return [{ scheme: 'exact', network, amount: `${amount}`, asset, payTo, maxTimeoutSeconds: 60, extra, ...more }]
  }
  const app = new Hono()
  app.get('/discovery/resources', async c => {
    seen.pages += 1
    const [limit, offset] = [Number(c.req.query('limit')), Number(c.req.query('offset'))]
    const etag = `"${offset}"`
    if (c.req.header('if-none-match') === etag) {
      seen.unchanged += 1
      return c.body(null, 304)
    }
    const items = stalls.slice(offset, offset + limit).map(async (it, at) => ({
      ...{ resource: `${origins[(offset + at) % hosts]}/r/${it.id}`, type: 'http', x402Version: 2, description: it.description },
      accepts: await toAccepts(it.listed, it.accepts),
      ...(it.method && {
        extensions: {
          bazaar: { info: { input: { type: 'http', method: it.method, body: it.example, queryParams: it.example } } },
        },
      }),
    }))
    return c.json({ x402Version: 2, items: await Promise.all(items), pagination: { limit, offset, total: stalls.length } }, 200, {
      etag,
    })
  })
  app.all('/r/:id', async c => {
    const stall = byId.get(c.req.param('id'))
    const payment = c.req.header('payment-signature')
    seen.requests.push({
      ...{ id: c.req.param('id'), isPaid: payment !== undefined, query: new URL(c.req.url).search },
      ...{ body: await c.req.text(), host: new URL(c.req.url).host, at: performance.now() },
    })
    if (!stall) return c.text('gone', 404)
    if (payment !== undefined) return stall.paid?.(payment) ?? settle(payment)
    const asked = stall.asks()
    if ('status' in asked) return c.text('no', asked.status as 404)
    return c.json(
      { x402Version: 2, resource: { url: c.req.url }, accepts: await toAccepts(asked, stall.asked ?? stall.accepts) },
      402,
    )
  })
  const settle = async (header: string) => {
    const payload = parseJson(Buffer.from(header, 'base64').toString())
    const facilitator = createFacilitator(reachOf(await market), () => undefined)
    const settling = facilitator.settle as unknown as (it: unknown) => Promise<{ success: boolean }>
    const { success } = await settling(payload)
    if (success) settled.push(1n)
    return Response.json({ done: true })
  }
  const listening = await Promise.all(Array.from({ length: hosts }, () => listen(app)))
  const origins = listening.map(it => `http://127.0.0.1:${it.port}`)
  const [url = ''] = origins
  return {
    url,
    seen,
    settled: () => settled.length,
    stop: () => Promise.all(listening.map(({ http }) => new Promise<void>(resolve => http.close(() => resolve())))),
  }
}

/** Waits until a purchase is over. */
export const untilEnded = <T extends { state: string }>(read: () => Promise<T>) =>
  until('the end of the purchase', async () => {
    const it = await read()
    return ['paid', 'unpaid', 'refused'].includes(it.state) && it
  })
