import { Receipt } from 'mppx'
import { evm, Mppx } from 'mppx/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, plain, provider } from '../../hire/market.ts'
import { createTestClock, startTestService, type TestService } from '../../service.ts'
import { type Buyer, createBuyer } from './buyer.ts'

// Paid calls by MPP, bought by its standard client (mppx 0.11.0).

const time = createTestClock()
let market: TestService
let poet: Awaited<ReturnType<typeof provider>>
let buyer: Buyer
let usdc: `0x${string}`
beforeAll(async () => {
  market = await startTestService({ clock: time })
  poet = await provider(market, plain('0.5'))
  buyer = await createBuyer(market, 'buyer')
  usdc = market.service.world.deps.chains.get(97)?.addresses.usdc ?? '0x'
})
afterAll(() => market?.stop())

const path = () => `/x402/agents/${poet.handle}/offerings/plain`
const body = { message: 'write' }
const request = () => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const held = () => market.service.world.deps.chains.get(97)?.usdcBalance(buyer.account.address.toLowerCase() as `0x${string}`)

/** The standard client. `sent` are the credentials that it sent. */
const createPayer = () => {
  const sent: string[] = []
  const recorded: typeof fetch = (input, init) => {
    const credential = new Request(input, init).headers.get('authorization')
    if (credential) sent.push(credential)
    return fetch(input, init)
  }
  const charge = evm.charge({
    account: buyer.account,
    networks: [97],
    currencies: [usdc],
    authorization: { name: 'USD Coin', version: '1' },
    maxAtomicAmount: '500000',
  })
  const payer = Mppx.create({ methods: [charge], polyfill: false, fetch: recorded })
  const pay = () => payer.fetch(`${market.url}${path()}`, request())
  /** Signs for a challenge, and sends nothing. */
  const sign = async () => payer.createCredential(await fetch(`${market.url}${path()}`, request()))
  return { sent, pay, sign }
}

const credential = z.looseObject({
  challenge: z.looseObject({ id: z.string(), request: z.string(), expires: z.string() }),
  payload: z.looseObject({ nonce: z.string() }),
})
const read = (header: string) =>
  credential.parse(JSON.parse(Buffer.from(header.replace(/^Payment /, ''), 'base64url').toString()))
const toHeader = (of: z.infer<typeof credential>) => `Payment ${Buffer.from(JSON.stringify(of)).toString('base64url')}`
const send = (header: string) => ask(market, path(), { headers: { authorization: header }, body })

test('the standard client of MPP answers the challenge beside the offer of x402, and is charged once', async () => {
  const before = (await held()) ?? 0n
  const { sent, pay } = createPayer()
  const bought = pay()
  const { job_id } = await poet.take()
  await poet.deliver(job_id, 'An old silent pond')
  const response = await bought
  const answer = z.looseObject({ state: z.string(), transaction: z.string() }).parse(await response.json())
  expect([response.status, answer]).toMatchObject([200, { state: 'settled', content: 'An old silent pond', amount: '0.5' }])
  expect(Receipt.deserialize(response.headers.get('payment-receipt') ?? '')).toMatchObject({
    ...{ method: 'evm', status: 'success', reference: answer.transaction },
  })
  expect(sent).toEqual([expect.stringMatching(/^Payment /)])
  expect(before - ((await held()) ?? 0n)).toBe(500_000n)
  // Seconds later, it is the same receipt.
  time.advance(5_000, market.service.world.deps.wakeups)
  const headers = { ...request().headers, authorization: sent[0] ?? '' }
  const repeated = await fetch(`${market.url}${path()}`, { ...request(), headers })
  expect([repeated.status, await repeated.json()]).toEqual([200, answer])
  for (const name of ['payment-receipt', 'payment-response']) expect(repeated.headers.get(name)).toBe(response.headers.get(name))
  expect(before - ((await held()) ?? 0n)).toBe(500_000n)
})

test('a credential for a challenge that this service did not issue for this price is refused before any work', async () => {
  const other = await provider(market, plain('0.4'))
  const challengeOf = async (at: string) => (await fetch(`${market.url}${at}`, request())).headers.get('www-authenticate') ?? ''
  const good = read(await createPayer().sign())
  const [, foreign = ''] = /request="([^"]+)"/.exec(await challengeOf(`/x402/agents/${other.handle}/offerings/plain`)) ?? []
  const { challenge, payload } = good
  const later = new Date(Date.parse(challenge.expires) + 60_000).toISOString()
  const forged = [
    { ...good, challenge: { ...challenge, id: `${challenge.id.slice(0, -4)}AAAA` } },
    { ...good, challenge: { ...challenge, request: foreign } },
    { ...good, challenge: { ...challenge, expires: later } },
    { ...good, challenge: { ...challenge, realm: 'elsewhere.example' } },
    { ...good, payload: { ...payload, nonce: `0x${'1'.repeat(64)}` } },
  ]
  for (const it of forged)
    expect(await send(toHeader(it))).toMatchObject({
      status: 402,
      body: { error: 'invalid-challenge', code: 'payment-required' },
    })
  expect(await send('Payment nonsense')).toMatchObject({ code: 'invalid-payment' })
  expect(await market.service.world.deps.store.jobs({ state: 'queued', limit: 1, offset: 0 })).toEqual([])
})

test('what is charged by use has no challenge of MPP', async () => {
  const byUse = await provider(market, plain('0.5', { usage: { unit: 'pages', perUnit: '0.01' } }))
  const required = await fetch(`${market.url}/x402/agents/${byUse.handle}/offerings/plain`, request())
  expect([required.status, required.headers.get('www-authenticate')]).toEqual([402, null])
  expect(required.headers.get('payment-required')).not.toBeNull()
})
