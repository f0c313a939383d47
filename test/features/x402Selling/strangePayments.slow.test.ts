import { type ServerType, serve } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Json, json } from '../../../src/domain/json.ts'
import { readPaymentHeader } from '../../../src/domain/x402/x402.ts'
import { ask, plain, provider } from '../../hire/market.ts'
import { startTestService, type TestService } from '../../service.ts'
import { type Buyer, createBuyer, toPaymentHeader } from './buyer.ts'

let market: TestService
let buyer: Buyer
let poet: Awaited<ReturnType<typeof provider>>
let seller: ServerType
/** What the shop answers with status 402, by the number in the path: the value of its header, and its body. */
const demands: { header: string; body: string }[] = []
let shop = ''
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent', RATE_LIMIT: '0', ALLOW_PRIVATE_ENDPOINTS: 'true' } })
  buyer = await createBuyer(market, 'buyer')
  poet = await provider(market, plain('0.5'))
  const app = new Hono().all('/:nth', c => {
    const { header = '', body = '' } = demands[Number(c.req.param('nth'))] ?? {}
    c.header('payment-required', header)
    return c.text(body, 402)
  })
  await new Promise<void>(resolve => {
    seller = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
      shop = `http://127.0.0.1:${port}/`
      resolve()
    })
  })
})
afterAll(async () => {
  seller?.close()
  await market?.stop()
})

/** Values that programs often handle wrongly, at the edges of the words of a contract and of an address. */
const odd: Json[] = [
  ...[null, true, -1, 0.5, 1e308, [], {}, ['0x'], '', '-1', '0x', '1e3', '\u0000', '\ud800', 'x'.repeat(5_000)],
  ...[`${2n ** 256n}`, `${2n ** 256n - 1n}`, '9'.repeat(78), '9'.repeat(400), `0x${'f'.repeat(64)}`, `0x${'f'.repeat(63)}`],
  ...['http://[', 'https://x:99999/', '/x402/agents/%E0%A4%A', '/x402/agents/a/offerings/%', 'eip155:', 'eip155:1e9'],
]

type Place = string[]
const placesIn = (value: Json): Place[] =>
  typeof value === 'object' && value !== null
    ? [[], ...Object.entries(value).flatMap(([name, it]) => placesIn(it).map(rest => [name, ...rest]))]
    : [[]]
const replaced = (value: Json, [name, ...rest]: Place, by: Json): Json => {
  if (name === undefined || typeof value !== 'object' || value === null) return by
  if (Array.isArray(value)) return value.map((it, at) => (String(at) === name ? replaced(it, rest, by) : it))
  return { ...value, [name]: replaced(value[name] ?? null, rest, by) }
}
/** The value with each of its members, at any depth, replaced by each odd value. */
const spoiled = (value: Json): Json[] => placesIn(value).flatMap(place => odd.map(by => replaced(value, place, by)))

const toHeader = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64')
const fromHeader = (header: string): Json => json.parse(JSON.parse(Buffer.from(header, 'base64').toString()))
const check = (answer: { status: number; body: unknown }, asked: unknown) =>
  expect(answer.status, `${JSON.stringify(asked).slice(0, 600)} ${JSON.stringify(answer.body).slice(0, 300)}`).toBeLessThan(500)

const atOnce = 16
/** Sends all values, several at once. */
const sendAll = async (values: Json[], send: (value: Json) => Promise<void>) => {
  const left = values.values()
  const work = async () => {
    for (const value of left) await send(value)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** A user is quoted up to 200 purchases a day. */
const users = 8
const path = () => `/x402/agents/${poet.handle}/offerings/plain`
/** A payment that the token refuses, because another key signed it: no work starts, whatever is changed in it. */
const forged = async (): Promise<Json> => {
  const terms = { to: z.custom<`0x${string}`>().parse(poet.wallet.toLowerCase()), value: 500_000n }
  const { signature } = await buyer.sign({ ...terms, value: 1n })
  const header = toPaymentHeader({ ...(await buyer.sign(terms)), signature })
  expect(readPaymentHeader(header)).toBeDefined()
  return fromHeader(header)
}

test('a payment of any shape in a header is refused, and is never an error of the service', async () => {
  const payment = z.record(z.string(), json).parse(await forged())
  const { accepted: _accepted, ...rest } = payment
  const send = (name: string) => async (value: Json) =>
    check(await ask(market, path(), { headers: { [name]: toHeader(value) }, body: { message: 'write' } }), value)
  await sendAll(spoiled(payment), send('payment-signature'))
  await sendAll(spoiled({ ...rest, x402Version: 1, scheme: 'exact', network: 'bsc-testnet' }), send('x-payment'))
})

test('a facilitator asked to verify or settle a payment of any shape answers without an error of the service', async () => {
  const { accepts } = z.object({ accepts: z.array(json) }).parse((await ask(market, path(), { body: {} })).body)
  const [paymentRequirements = null] = accepts
  const resource = { url: `${market.url}${path()}`, description: '', mimeType: '' }
  const paymentPayload = { ...z.record(z.string(), json).parse(await forged()), resource }
  await sendAll(spoiled({ x402Version: 2, paymentPayload, paymentRequirements }), async body => {
    for (const name of ['verify', 'settle']) check(await ask(market, `/x402/${name}`, { body }), body)
  })
})

test('a resource whose 402 has any shape is quoted or refused, without an error of the service', async () => {
  const response = await fetch(`${market.url}${path()}`, { method: 'POST' })
  const { extensions: _extensions, ...required } = z
    .record(z.string(), json)
    .parse(fromHeader(response.headers.get('payment-required') ?? ''))
  const price = async (demand: (typeof demands)[number], more: Record<string, Json> = {}) => {
    const nth = demands.push(demand) - 1
    const body = { url: `${shop}${nth}`, ...more }
    const { token } = await market.user(`user ${nth % users}`)
    const answer = await ask({ url: market.url, token }, '/v1/purchases', { body })
    check(answer, [body, demand])
    expect(answer.code).not.toBe('too-many-purchases')
  }
  await sendAll(spoiled(required), value => price({ header: toHeader(value), body: '' }))
  await sendAll(odd, async value => {
    await price({ header: '', body: JSON.stringify(value) })
    await price(
      { header: toHeader(required), body: '' },
      { ...(typeof value === 'string' && { url: value }), max: value, body: value },
    )
  })
})
