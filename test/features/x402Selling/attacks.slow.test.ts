import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { address } from '../../../src/domain/hex.ts'
import { type JsonObject, jsonObject } from '../../../src/domain/json.ts'
import { limits } from '../../../src/domain/limits.ts'
import type { Authorization } from '../../../src/domain/x402/x402.ts'
import { paidCallsOf } from '../../../src/features/x402Selling/ports.ts'
import { ask, plain, provider } from '../../hire/market.ts'
import { startTestService, type TestService, until } from '../../service.ts'
import { type Buyer, createBuyer, toPaymentHeader } from './buyer.ts'

let market: TestService
let buyer: Buyer
let poet: Awaited<ReturnType<typeof provider>>
beforeAll(async () => {
  market = await startTestService()
  buyer = await createBuyer(market, 'buyer')
  poet = await provider(market, plain('0.5'))
})
afterAll(() => market?.stop())

const price = 500_000n
const body = { message: 'write' }
const path = () => `/x402/agents/${poet.handle}/offerings/plain`
const terms = () => ({ to: address.parse(poet.wallet.toLowerCase()), value: price })
const pay = (header: string, of: JsonObject = body, name = 'payment-signature') =>
  ask(market, path(), { headers: { [name]: header }, body: of })
const errorOf = (answer: { body: unknown }) => jsonObject.parse(answer.body).error

const held = z.object({ usdc: z.string() })
const balanceOf = async (of: string) => Number(held.parse(await buyer.client.get(`/balances/${of}`)).usdc)

/** Sends a signed transfer as a third party; resolves when it is mined. */
const send = async (transfer: Authorization) => {
  const { store, chains } = market.service.world.deps
  const chain = chains.get(97)
  if (!chain?.authorized) throw new Error('no chain')
  const key = `test:${transfer.nonce}`
  const call = chain.authorized.transfer(transfer)
  await store.addIntents([{ key, chainId: 97, sender: chain.treasury, call, after: undefined }])
  return until('the transfer', async () => {
    const intent = await store.intent(key)
    return intent?.state === 'confirmed' ? intent.hash : undefined
  })
}

const second = () => BigInt(Math.floor(Date.now() / 1_000))

describe('row 62: a payment that the token would refuse, or that has other terms, is refused before any work:', () => {
  test.each<[string, string, () => Promise<Authorization>]>([
    [
      'signed by another key',
      'invalid_exact_evm_signature',
      async () => {
        const thief = privateKeyToAccount(generatePrivateKey())
        return { ...(await buyer.sign(terms())), signature: await thief.signMessage({ message: 'mine' }) }
      },
    ],
    [
      'for another amount than it says',
      'invalid_exact_evm_signature',
      async () => ({ ...(await buyer.sign({ ...terms(), value: 1n })), value: price }),
    ],
    [
      'of less than the price',
      'invalid_exact_evm_payload_authorization_value_mismatch',
      () => buyer.sign({ ...terms(), value: price - 1n }),
    ],
    [
      'of more than the price',
      'invalid_exact_evm_payload_authorization_value_mismatch',
      () => buyer.sign({ ...terms(), value: price + 1n }),
    ],
    [
      'to another wallet',
      'invalid_exact_evm_recipient_mismatch',
      () => buyer.sign({ ...terms(), to: address.parse(buyer.proxy.toLowerCase()) }),
    ],
    [
      'that is over',
      'invalid_exact_evm_payload_authorization_valid_before',
      () => buyer.sign({ ...terms(), validBefore: second() - 1n }),
    ],
    [
      'that ends before the work can',
      'invalid_exact_evm_payload_authorization_valid_before',
      () => buyer.sign({ ...terms(), validBefore: second() + 10n }),
    ],
    [
      'that is not valid yet',
      'invalid_exact_evm_payload_authorization_valid_after',
      () => buyer.sign({ ...terms(), validAfter: second() + 60n }),
    ],
  ])('%s', async (_name, error, signed) => {
    const answer = await pay(toPaymentHeader(await signed()))
    expect([answer.status, answer.code, errorOf(answer)]).toEqual([402, 'payment-required', error])
    expect(await ask(market, `/gateway/jobs/poll?agent=${poet.agentId}`)).toMatchObject({ body: {} })
  })

  test('for another chain', async () => {
    const header = toPaymentHeader(await buyer.sign(terms()), { accepted: { scheme: 'exact', network: 'eip155:56' } })
    const answer = await pay(header)
    expect([answer.status, errorOf(answer)]).toEqual([402, 'invalid_exact_evm_network_mismatch'])
  })

  test('with an authorization that was used before', async () => {
    const transfer = await buyer.sign({ ...terms(), value: price })
    await send(transfer)
    const answer = await pay(toPaymentHeader(transfer))
    expect([answer.status, errorOf(answer)]).toEqual([402, 'invalid_exact_evm_nonce_already_used'])
  })

  test.each([
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('{').toString('base64')],
    ['no payment', Buffer.from('{"x402Version":2}').toString('base64')],
    [
      'another scheme',
      toPaymentHeader(
        { from: '0x', to: '0x', value: 1n, validAfter: 0n, validBefore: 1n, nonce: '0x', signature: '0x' },
        { accepted: { scheme: 'upto', network: 'eip155:97' } },
      ),
    ],
    ['too long', Buffer.from(`{"x402Version":2,"pad":"${'a'.repeat(7_000)}"}`).toString('base64')],
  ])('%s is 400', async (_name, header) => {
    expect(await pay(header)).toMatchObject({ status: 400, code: 'invalid-payment' })
  })
})

test('row 63: one balance cannot pay two agents, because running calls count against it', async () => {
  const poor = await createBuyer(market, 'poor')
  await send(await poor.sign({ ...terms(), value: 4_500_000n })) // half a USDC is left
  const [one, two] = [await poor.sign(terms()), await poor.sign(terms())]
  const first = pay(toPaymentHeader(one))
  const { job_id } = await poet.take()
  const second = await pay(toPaymentHeader(two))
  expect([second.status, errorOf(second)]).toEqual([402, 'invalid_exact_evm_insufficient_balance'])
  await poet.deliver(job_id, 'An old pond')
  expect(await first).toMatchObject({ status: 200, body: { state: 'settled' } })
})

test('row 64: a payer who moves the money during the work is told so, and never reads the deliverable', async () => {
  const runner = await createBuyer(market, 'runner')
  const answer = pay(toPaymentHeader(await runner.sign(terms())))
  const { job_id } = await poet.take()
  await send(await runner.sign({ to: address.parse(runner.proxy.toLowerCase()), value: 5_000_000n }))
  await poet.deliver(job_id, 'An old silent pond')
  expect(await answer).toMatchObject({
    status: 402,
    code: 'payment-required',
    body: { detail: expect.stringContaining('payer') },
  })
  const { runs } = z
    .object({ runs: z.array(z.object({ run_id: z.string() })) })
    .parse(await runner.client.get(`/users/${runner.wallet}/runs`))
  const runId = runs[0]?.run_id ?? ''
  const seen = await Promise.all(
    [`/runs/${runId}`, `/runs/${runId}/events`, `/v1/jobs/${job_id}`, '/my-jobs', '/tasks', '/conversations'].map(it =>
      runner.client.get(it),
    ),
  )
  expect(JSON.stringify(seen)).toContain(runId)
  expect(JSON.stringify(seen)).not.toContain('silent pond')
})

test('row 65: a transfer sent first by a third party counts as the payment: the agent is paid once, and the buyer reads the work', async () => {
  const before = await balanceOf(poet.wallet)
  const transfer = await buyer.sign(terms())
  const answer = pay(toPaymentHeader(transfer))
  const { job_id } = await poet.take()
  const transaction = await send(transfer)
  await poet.deliver(job_id, 'An old pond')
  expect(await answer).toMatchObject({ status: 200, body: { state: 'settled', content: 'An old pond' } })
  const { run_id } = z.object({ run_id: z.string() }).parse((await answer).body)
  expect(await buyer.client.get(`/runs/${run_id}/payments`)).toMatchObject([{ protocol: 'x402', amount: '0.5', transaction }])
  expect(await balanceOf(poet.wallet)).toBeCloseTo(before + 0.5)
})

test('row 74: a transfer that a third party sends during work that fails is reported as charged, with its transaction', async () => {
  const before = await balanceOf(poet.wallet)
  const transfer = await buyer.sign(terms())
  const answer = pay(toPaymentHeader(transfer))
  const { job_id } = await poet.take()
  const transaction = await send(transfer)
  await poet.report(job_id, { status: 'failed', error: 'No pond today' })
  const failed = await answer
  expect(failed).toMatchObject({ status: 502, code: 'work-failed' })
  expect(JSON.stringify(failed.body)).toContain('Somebody else sent the signed payment: 0.5 USDC')
  expect(JSON.stringify(failed.body)).not.toContain('othing was charged')
  expect(await balanceOf(poet.wallet)).toBeCloseTo(before + 0.5)
  const { store } = market.service.world.deps
  const call = await paidCallsOf(store).paidCallOfJob(job_id)
  expect(await buyer.client.get(`/x402/payments/${call?.id}`)).toMatchObject({ state: 'failed', transaction, content: '' })
  const run = await until('the end of the run', async () => {
    const text = JSON.stringify(await buyer.client.get(`/runs/${call?.runId}`))
    return text.includes('"failed"') ? text : undefined
  })
  expect(run).toContain('Somebody else sent the signed payment')
  // The same request gets the same answer and charges nothing more.
  expect(await pay(toPaymentHeader(transfer))).toMatchObject({ status: 502, code: 'work-failed' })
  expect(await balanceOf(poet.wallet)).toBeCloseTo(before + 0.5)
})

test('row 75: a payment whose transfer a third party sent before the request starts no work', async () => {
  const transfer = await buyer.sign(terms())
  await send(transfer)
  const refused = await pay(toPaymentHeader(transfer))
  expect([refused.status, errorOf(refused)]).toEqual([402, expect.stringMatching(/^invalid_/)])
  expect(await market.service.world.deps.store.jobs({ state: 'queued', limit: 1, offset: 0 })).toEqual([])
})

test('version 1 of x402 is accepted: the header X-PAYMENT with its own name for the chain', async () => {
  const { accepted: _accepted, ...rest } = jsonObject.parse(
    JSON.parse(Buffer.from(toPaymentHeader(await buyer.sign(terms())), 'base64').toString()),
  )
  const header = Buffer.from(JSON.stringify({ ...rest, x402Version: 1, scheme: 'exact', network: 'bsc-testnet' })).toString(
    'base64',
  )
  const answer = pay(header, body, 'x-payment')
  await poet.deliver((await poet.take()).job_id, 'An old pond')
  expect(await answer).toMatchObject({ status: 200, body: { state: 'settled' } })
})

test('an agent is called at its call price, and a free agent is not sold', async () => {
  const base = `/x402/agents/${poet.handle}`
  expect(await ask(market, base, { body })).toMatchObject({ status: 404, code: 'offering-not-found' })
  const owner = await market.user(`owner-${poet.handle}`)
  const pricing = `/users/user:${owner.wallet}/agents/${poet.handle}/pricing`
  await ask({ url: market.url, token: owner.token }, pricing, { method: 'PUT', body: { amount: '0.25' } })
  const bought = buyer.buy(base, body)
  await poet.deliver((await poet.take()).job_id, 'An old pond')
  expect(await bought).toMatchObject({ status: 200, body: { amount: '0.25', content: 'An old pond' } })
})

test('a message to an agent with a payment is a paid call, and one without is answered as before', async () => {
  const to = `/invoke/${poet.handle}`
  const header = toPaymentHeader(await buyer.sign({ ...terms(), value: 250_000n }))
  const answer = ask(market, to, { headers: { 'payment-signature': header }, body })
  await poet.deliver((await poet.take()).job_id, 'An old pond')
  expect(await answer).toMatchObject({
    status: 200,
    body: { success: true, content: 'An old pond', payments: [{ state: 'settled', amount: '0.25' }] },
  })
  expect(await ask(market, to, { body })).toMatchObject({ status: 200, body: { payments: [] } })
})

test('agents stop working for a payer whose payments fail each time after the work', async () => {
  const [cheat, friend] = [await createBuyer(market, 'cheat'), await createBuyer(market, 'friend')]
  const all = 5_000_000n
  const move = async (from: Buyer, to: Buyer) => send(await from.sign({ to: address.parse(to.wallet.toLowerCase()), value: all }))
  for (let at = 0; at < limits.unpaidCallsADay; at += 1) {
    const answer = pay(toPaymentHeader(await cheat.sign(terms())))
    const { job_id } = await poet.take()
    await move(cheat, friend)
    await poet.deliver(job_id, 'An old silent pond')
    expect((await answer).status).toBe(402)
    await move(friend, cheat)
  }
  const refused = await pay(toPaymentHeader(await cheat.sign(terms())))
  expect(refused).toMatchObject({ status: 429, code: 'rate-limited' })
  expect(jsonObject.parse(refused.body).detail).toMatch(/5 payments of this wallet failed .* at 20\d\d-/)
})
