import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { minuteMs } from '../../../src/domain/durations.ts'
import { limits } from '../../../src/domain/limits.ts'
import { paidCallsOf } from '../../../src/features/x402Selling/ports.ts'
import { ask, asksForPoem, plain, provider } from '../../hire/market.ts'
import { createTestClock, startTestService, type TestService } from '../../service.ts'
import { account, addRun, hash, newJob } from '../../store/rows.ts'
import { type Buyer, createBuyer } from './buyer.ts'

const time = createTestClock()
let market: TestService
let buyer: Buyer
beforeAll(async () => {
  market = await startTestService({ clock: time })
  buyer = await createBuyer(market, 'buyer')
  await market.cityClock()
})
afterAll(() => market?.stop())

const localTime = '/x402/agents/city-clock/offerings/local-time'
const held = z.object({ usdc: z.string() })
const balanceOf = async (of: string) => Number(held.parse(await buyer.client.get(`/balances/${of}`)).usdc)

/** Repeats a request like a client that did not receive the answer; with another body if given. */
const again = async (of: Request | undefined, body?: unknown) => {
  if (!of) throw new Error('nothing was sent before')
  const text = body === undefined ? await of.clone().text() : JSON.stringify(body)
  const response = await fetch(of.url, { method: 'POST', headers: of.headers, body: text })
  const answer: unknown = await response.json()
  return { status: response.status, headers: response.headers, body: answer }
}

test('a standard x402 client buys an offering: the agent gets the price, and the run records the payment', async () => {
  const before = await balanceOf(buyer.wallet)
  const bought = await buyer.buy(localTime, { city: 'Tokyo' })
  expect(bought).toMatchObject({
    status: 200,
    body: { state: 'settled', deliverable: { city: 'Tokyo', timezone: 'Asia/Tokyo' }, amount: '0.05', payer: buyer.wallet },
    settled: { success: true, network: 'eip155:97', payer: buyer.wallet },
  })
  const { run_id = '', payee = '', transaction } = bought.record ?? {}
  expect(await balanceOf(buyer.wallet)).toBeCloseTo(before - 0.05)
  expect(await balanceOf(payee)).toBeCloseTo(0.05)
  expect(await buyer.client.get(`/runs/${run_id}/payments`)).toMatchObject([
    { type: 'payment', protocol: 'x402', scheme: 'exact', amount: '0.05', payer: buyer.wallet, payee, transaction },
  ])
})

test('an agent whose paid calls are full is refused with the time of a free place, and others go on selling', async () => {
  const { store } = market.service.world.deps
  const busy = await provider(market, plain('0.1', { slaMinutes: 60 }))
  const poet = await provider(market, plain('0.1'))
  const makeBusy = async (at: number) => {
    const runId = `busy-${at}`
    await addRun(store, runId)
    await store.addJob({ ...newJob(runId, { agentId: busy.agentId }), budget: 0n, fee: 0n })
    await paidCallsOf(store).addPaidCall({
      ...{
        id: `x402-of-${runId}`,
        chainId: 97,
        payer: account(at),
        asset: account(8),
        nonce: hash(at),
        amount: 5n,
        payTo: account(9),
      },
      ...{ requestHash: 'hash', jobId: `job-of-${runId}`, runId, validUntil: Date.now() + 60 * minuteMs, sender: account(1) },
      settlement: { to: account(8), data: '0x01', value: 0n, gas: 70_000n },
    })
  }
  await Promise.all(Array.from({ length: limits.paidCalls / 8 }, (_, at) => makeBusy(at)))
  const refused = await buyer.buy(`/x402/agents/${busy.handle}/offerings/plain`, { message: 'write' })
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate-limited' } })
  expect(refused.body).toMatchObject({
    detail: expect.stringMatching(/^Too many paid calls of this agent .* at 20\d\d-.*Z, or before\.$/),
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
  const bought = buyer.buy(`/x402/agents/${poet.handle}/offerings/plain`, { message: 'write' })
  await poet.deliver((await poet.take()).job_id, 'An old pond')
  expect(await bought).toMatchObject({ status: 200 })
})

test('payments for calls are part of the earnings of an agent', async () => {
  const poet = await provider(market, plain('0.3'))
  const bought = buyer.buy(`/x402/agents/${poet.handle}/offerings/plain`, { message: 'write' })
  await poet.deliver((await poet.take()).job_id, 'An old pond')
  await bought
  const response = await fetch(`${market.url}/agents/${poet.agentId}/earnings?starts=2026-01-01T00:00:00Z`, {
    headers: { authorization: `Bearer ${poet.token}` },
  })
  expect(await response.json()).toMatchObject([{ amount: '0.3', currency: 'USDC' }])
})

test('a repeated request after a lost answer gets the first answer and moves no more money; another body is 409', async () => {
  const bought = await buyer.buy(localTime, { city: 'Oslo' })
  const before = await balanceOf(buyer.wallet)
  const paid = buyer.requests.at(-1)
  const repeated = await again(paid)
  expect([repeated.status, repeated.body]).toEqual([200, bought.body])
  expect(repeated.headers.get('payment-response')).toBeTruthy()
  expect(await again(paid, { city: 'Rome' })).toMatchObject({ status: 409, body: { code: 'payment-reused' } })
  expect(await balanceOf(buyer.wallet)).toBe(before)
})

test('a payment sent many times concurrently is worked on and charged once', async () => {
  const poet = await provider(market, plain('0.1'))
  const path = `/x402/agents/${poet.handle}/offerings/plain`
  const before = await balanceOf(buyer.wallet)
  const bought = buyer.buy(path, { message: 'write' })
  const { job_id, job_input } = await poet.take()
  expect(job_input).toBe('write')
  const rivals = Array.from({ length: 8 }, () => again(buyer.requests.at(-1)))
  expect(await poet.deliver(job_id, 'An old pond')).toMatchObject({ accepted: true })
  expect(await bought).toMatchObject({ status: 200, body: { content: 'An old pond' } })
  for (const it of await Promise.all(rivals)) expect(it).toMatchObject({ status: 200, body: { content: 'An old pond' } })
  expect(await balanceOf(buyer.wallet)).toBeCloseTo(before - 0.1)
  expect(await balanceOf(poet.wallet)).toBeCloseTo(0.1)
})

test('an invalid body is 422 before any payment, and no body is 402 with the price', async () => {
  expect(await ask(market, localTime, { body: { town: 'Tokyo' } })).toMatchObject({ status: 422, code: 'invalid-input' })
  const response = await fetch(`${market.url}${localTime}`, { method: 'POST' })
  const body: unknown = await response.json()
  const header: unknown = JSON.parse(Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString())
  const accepts = [{ scheme: 'exact', network: 'eip155:97', amount: '50000', extra: { name: 'USD Coin', version: '1' } }]
  expect([response.status, response.headers.get('content-type')]).toEqual([402, 'application/problem+json'])
  expect(header).toMatchObject({ x402Version: 2, accepts, resource: { url: expect.stringContaining('/x402/agents/') } })
  expect(body).toMatchObject({ code: 'payment-required', detail: expect.stringContaining('0.05 USDC'), x402Version: 2, accepts })
  expect(await ask(market, `${localTime}?x402Version=1`, { body: {} })).toMatchObject({
    status: 402,
    body: { x402Version: 1, accepts: [{ network: 'bsc-testnet', maxAmountRequired: '50000' }] },
  })
})

test('offerings are listed with price, schema and examples, and with payment methods in the x402 format', async () => {
  await provider(market, plain('0.4', { examples: ['Write a haiku about rain'] }), 'rain-poet')
  const { items } = z
    .object({ items: z.array(z.looseObject({ resource: z.string() })) })
    .parse(await buyer.client.get('/.well-known/x402'))
  const item = items.find(it => it.resource.endsWith('/offerings/local-time'))
  expect(item).toMatchObject({
    type: 'http',
    accepts: [{ scheme: 'exact', network: 'eip155:97', amount: '50000' }],
    extensions: { bazaar: { schema: { properties: { input: { properties: { body: { required: ['city'] } } } } } } },
  })
  expect(JSON.stringify(items)).toContain('Write a haiku about rain')
  expect(await buyer.client.get('/x402/supported')).toMatchObject({
    kinds: [
      { x402Version: 2, scheme: 'exact', network: 'eip155:97' },
      { x402Version: 2, scheme: 'upto', network: 'eip155:97' },
    ],
  })
  const response = await fetch(item?.resource ?? '', { method: 'POST' })
  expect(response.status).toBe(402)
})

test('the facilitator says whether a payment would be accepted, and how it was settled', async () => {
  const { body } = await buyer.buy(localTime, { city: 'Lima' })
  const header = buyer.requests.at(-1)?.headers.get('payment-signature') ?? ''
  const paymentPayload: unknown = JSON.parse(Buffer.from(header, 'base64').toString())
  const { accepted: paymentRequirements } = z.looseObject({ accepted: z.unknown() }).parse(paymentPayload)
  const asked = { x402Version: 2, paymentPayload, paymentRequirements }
  const { transaction } = z.object({ transaction: z.string() }).parse(body)
  expect(await buyer.client.post('/x402/settle', asked)).toMatchObject({ success: true, transaction, network: 'eip155:97' })
  expect(await buyer.client.post('/x402/verify', asked)).toMatchObject({
    isValid: false,
    invalidReason: 'invalid_exact_evm_nonce_already_used',
  })
})

describe('failed work is not charged:', () => {
  test.each([
    ['the agent says that it cannot', plain('0.2'), { status: 'failed', error: 'no ink' }, 'no ink'],
    [
      'the deliverable breaks its schema',
      plain('0.2', { deliverable: asksForPoem }),
      { status: 'completed', result: { response: '{"verse":1}' } },
      'poem',
    ],
  ])('%s', async (_name, offering, said, words) => {
    const poet = await provider(market, offering)
    const before = await balanceOf(buyer.wallet)
    const bought = buyer.buy(`/x402/agents/${poet.handle}/offerings/plain`, { message: 'write' })
    await poet.report((await poet.take()).job_id, said)
    const { status, body } = await bought
    expect([status, body]).toMatchObject([502, { code: 'work-failed', detail: expect.stringContaining(words) }])
    expect(body).toMatchObject({ detail: expect.stringContaining('Nothing was charged.') })
    expect(await again(buyer.requests.at(-1))).toMatchObject({ status: 502, body: { code: 'work-failed' } })
    expect(await balanceOf(buyer.wallet)).toBe(before)
  })

  test('the agent does not deliver while the authorization can still be settled', async () => {
    const poet = await provider(market, plain('0.2', { slaMinutes: 1 }))
    const bought = buyer.buy(`/x402/agents/${poet.handle}/offerings/plain`, { message: 'write' })
    const { job_id } = await poet.take()
    time.advance(120_000, market.service.world.deps.wakeups)
    expect(await bought).toMatchObject({ status: 502, body: { code: 'work-failed' } })
    expect(await poet.deliver(job_id, 'too late')).toMatchObject({ accepted: false })
    expect(await balanceOf(poet.wallet)).toBe(0)
  })
})

test('an offering at a price by use is sold by x402 up to its cap', async () => {
  const poet = await provider(market, plain('0.5', { usage: { unit: 'Character', perUnit: '0.0000005' } }))
  const sold = await ask({ url: market.url }, `/x402/agents/${poet.agentId}/offerings/plain`, { body: {} })
  expect(sold).toMatchObject({ status: 402, body: { accepts: [{ scheme: 'upto', amount: '500000' }] } })
  const listed = await ask({ url: market.url }, '/x402/discovery/resources?limit=100')
  expect(JSON.stringify(listed.body)).toContain(poet.agentId)
})
