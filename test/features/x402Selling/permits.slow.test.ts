import { PERMIT2_ADDRESS } from '@x402/evm'
import { parseEther, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { address } from '../../../src/domain/hex.ts'
import { jsonObject } from '../../../src/domain/json.ts'
import { paidCallsOf } from '../../../src/features/x402Selling/ports.ts'
import type { Outside } from '../../../src/world.ts'
import { burning, newFuse } from '../../fuse.ts'
import { ask, plain, provider } from '../../hire/market.ts'
import { until } from '../../service.ts'
import { toPaymentHeader } from './buyer.ts'
import { type Payer, type PermitMarket, type SignedPermit, startPermitMarket, toPermitHeader } from './permitMarket.ts'

let fuse = newFuse()
let isMute = false
const wrap = ({ store, chain }: Outside): Outside => {
  fuse = newFuse()
  const broadcast: typeof chain.broadcast = async raw => {
    if (isMute) throw new Error('the process is dead')
    return chain.broadcast(raw)
  }
  return { store: burning(store, fuse), chain: burning({ ...chain, broadcast }, fuse) }
}

let world: PermitMarket
let payer: Payer
let poet: Awaited<ReturnType<typeof provider>>
beforeAll(async () => {
  world = await startPermitMarket(wrap)
  poet = await provider(world.market, plain('0.5'))
  payer = await world.payer(2n ** 256n - 1n)
})
afterAll(() => world?.stop())

const price = parseEther('0.5')
const body = { message: 'write' }
const path = () => `/x402/agents/${poet.handle}/offerings/plain`
const agentWallet = () => address.parse(poet.wallet.toLowerCase())
const witness = () => ({ to: agentWallet(), validAfter: 0n })
const pay = (it: SignedPermit) => ask(world.market, path(), { headers: { 'payment-signature': toPermitHeader(it) }, body })
const errorOf = (answer: { body: unknown }) => jsonObject.parse(answer.body).error
const deliver = async () => {
  const { job_id } = await poet.take()
  await poet.deliver(job_id, 'An old pond')
  return job_id
}
const balances = async () => [await world.balanceOf(payer.account.address), await world.balanceOf(agentWallet())] as const
/** What the payer lost and the agent gained since `before`. */
const moved = async (before: readonly [bigint, bigint]) => {
  const [held, earned] = await balances()
  return [before[0] - held, earned - before[1]]
}

test('a standard x402 client pays with a token without EIP-3009: the agent gets the price through Permit2, and a repeat none', async () => {
  const before = await balances()
  const bought = payer.buy(path(), body)
  const jobId = await deliver()
  const { status, body: answer, settled } = await bought
  expect(status).toBe(200)
  expect(answer).toMatchObject({ state: 'settled', content: 'An old pond', amount: '0.5' })
  expect(settled).toMatchObject({ success: true, network: 'eip155:97' })
  expect(await moved(before)).toEqual([price, price])

  const paid = payer.requests.find(it => it.headers.has('payment-signature'))
  const repeated = paid && (await fetch(paid.clone()))
  expect([repeated?.status, await repeated?.json()]).toEqual([200, answer])
  expect(await moved(before)).toEqual([price, price])

  const { store } = world.market.service.world.deps
  const call = await paidCallsOf(store).paidCallOfJob(jobId)
  const intent = await store.intent(`x402:${call?.id}`)
  const [sent] = (await store.journal(97)).filter(it => it.hash === intent?.hash)
  if (!sent) throw new Error('no settlement')
  const { gasUsed } = await world.client.getTransactionReceipt({ hash: sent.hash })
  // A settlement must not run out of gas, and its limit must not be far above what it uses.
  const limit = parseTransaction(sent.raw).gas ?? 0n
  expect(limit > gasUsed && limit < gasUsed * 3n, `gas ${gasUsed} of ${limit}`).toBe(true)
})

test('an offering in such a token is sold by Permit2, and an authorization for the token is refused', async () => {
  const required = await ask(world.market, path(), { body })
  expect(required).toMatchObject({
    status: 402,
    body: { accepts: [{ scheme: 'exact', asset: world.usdc, payTo: agentWallet(), extra: { assetTransferMethod: 'permit2' } }] },
  })
  expect((await ask(world.market, '/x402/supported', { method: 'GET' })).body).toMatchObject({
    kinds: [
      { scheme: 'exact', network: 'eip155:97' },
      { scheme: 'upto', network: 'eip155:97' },
    ],
  })
  const transfer = { from: agentWallet(), to: agentWallet(), value: price, validAfter: 0n, validBefore: 2n ** 40n }
  const header = toPaymentHeader({ ...transfer, nonce: `0x${'1'.repeat(64)}`, signature: '0x11' })
  const refused = await ask(world.market, path(), { headers: { 'payment-signature': header }, body })
  expect([refused.status, errorOf(refused)]).toEqual([402, 'unsupported_payload_type'])
})

test.each<[string, string, () => Promise<SignedPermit>]>([
  [
    'to another payee',
    'invalid_permit2_recipient_mismatch',
    () => payer.sign({ witness: { ...witness(), to: payer.account.address } }),
  ],
  ['for another spender', 'invalid_permit2_spender', () => payer.sign({ witness: witness(), spender: agentWallet() })],
  [
    'of less than the price',
    'permit2_amount_mismatch',
    () => payer.sign({ witness: witness(), permitted: { token: world.usdc, amount: price - 1n } }),
  ],
  [
    'of more than the price',
    'permit2_amount_mismatch',
    () => payer.sign({ witness: witness(), permitted: { token: world.usdc, amount: price + 1n } }),
  ],
  [
    'in another token',
    'permit2_token_mismatch',
    () => payer.sign({ witness: witness(), permitted: { token: agentWallet(), amount: price } }),
  ],
  [
    'that ends before the work can',
    'permit2_deadline_expired',
    () => payer.sign({ witness: witness(), deadline: BigInt(Math.floor(Date.now() / 1_000) + 10) }),
  ],
  [
    'that is not valid yet',
    'permit2_not_yet_valid',
    () => payer.sign({ witness: { ...witness(), validAfter: BigInt(Math.floor(Date.now() / 1_000) + 60) } }),
  ],
  [
    'with a payee other than the signed one',
    'invalid_permit2_signature',
    async () => {
      const it = await payer.sign({ witness: { ...witness(), to: payer.account.address } })
      return { ...it, permit: { ...it.permit, witness: witness() } }
    },
  ],
  [
    'signed by another key',
    'invalid_permit2_signature',
    async () => {
      const thief = privateKeyToAccount(generatePrivateKey())
      return { ...(await payer.sign({ witness: witness() })), signature: await thief.signMessage({ message: 'mine' }) }
    },
  ],
  [
    'whose nonce was used',
    'permit2_invalid_nonce',
    async () => {
      const it = await payer.sign({ witness: witness() })
      await world.send(it)
      return it
    },
  ],
])('a Permit2 payment %s is refused before any work', async (_name, error, signed) => {
  const answer = await pay(await signed())
  expect([answer.status, answer.code, errorOf(answer)]).toEqual([402, 'payment-required', error])
  expect(await world.market.service.world.deps.store.jobs({ state: 'queued', limit: 1, offset: 0 })).toEqual([])
})

test('a payer who did not approve Permit2 is told to, and can pay after that', async () => {
  const newcomer = await world.payer(0n)
  const refused = await newcomer.buy(path(), body)
  expect([refused.status, errorOf(refused)]).toEqual([402, 'permit2_allowance_required'])
  const { detail } = z.object({ detail: z.string() }).parse(refused.body)
  expect(detail).toContain(
    `send approve(${PERMIT2_ADDRESS.toLowerCase()}, ${price}) or a higher amount to the token ${world.usdc}`,
  )
  await newcomer.approve(price)
  const bought = newcomer.buy(path(), body)
  // The approval covers one call. While that is under way, another one would not be paid.
  const { job_id } = await poet.take()
  expect(errorOf(await pay(await newcomer.sign({ witness: witness() })))).toBe('permit2_allowance_required')
  await poet.deliver(job_id, 'An old pond')
  expect(await bought).toMatchObject({ status: 200, body: { state: 'settled' } })
})

test('of concurrent requests with one Permit2 nonce, one is worked on and charged; another body is 409', async () => {
  const before = await balances()
  const signed = await payer.sign({ witness: witness() })
  const rivals = Array.from({ length: 6 }, () => pay(signed))
  await deliver()
  for (const it of await Promise.all(rivals)) expect(it).toMatchObject({ status: 200, body: { state: 'settled' } })
  const headers = { 'payment-signature': toPermitHeader(signed) }
  expect(await ask(world.market, path(), { headers, body: { message: 'sing' } })).toMatchObject({ code: 'payment-reused' })
  // The same nonce with another signature is the same payment to Permit2.
  const again = await payer.sign({ witness: witness(), nonce: signed.permit.nonce, deadline: signed.permit.deadline + 60n })
  expect(await pay(again)).toMatchObject({ code: 'payment-reused' })
  expect(await moved(before)).toEqual([price, price])
})

test('a Permit2 payment that a third party sends first counts: the agent is paid once, and the buyer reads the work', async () => {
  const before = await balances()
  const signed = await payer.sign({ witness: witness() })
  const answer = pay(signed)
  const { job_id } = await poet.take()
  const transaction = await world.send(signed)
  await poet.deliver(job_id, 'An old pond')
  expect(await answer).toMatchObject({ status: 200, body: { state: 'settled', content: 'An old pond' } })
  expect(await moved(before)).toEqual([price, price])
  const { run_id } = z.object({ run_id: z.string() }).parse((await answer).body)
  const booked = await world.market.service.world.deps.store.ledger({ runId: run_id })
  expect(booked.map(it => [it.txHash, it.amount])).toEqual([
    [transaction, -price],
    [transaction, price],
  ])
})

test('a third party’s transfer during work that fails is reported as charged, with its transaction', async () => {
  const signed = await payer.sign({ witness: witness() })
  const answer = pay(signed)
  const { job_id } = await poet.take()
  const transaction = await world.send(signed)
  await poet.report(job_id, { status: 'failed', error: 'No pond today' })
  const failed = await answer
  expect(failed).toMatchObject({ status: 502, code: 'work-failed' })
  expect(JSON.stringify(failed.body)).toContain('Somebody else sent the signed payment: 0.5 USDC')
  const call = await paidCallsOf(world.market.service.world.deps.store).paidCallOfJob(job_id)
  expect((await ask(world.market, `/x402/payments/${call?.id}`, { method: 'GET' })).body).toMatchObject({
    state: 'failed',
    transaction,
  })
})

test('an equal transfer does not pay for a call whose nonce the payer withdrew: no deliverable, and the answer says so', async () => {
  const [withdrawn, other] = [await payer.sign({ witness: witness() }), await payer.sign({ witness: witness() })]
  const answer = pay(withdrawn)
  const { job_id } = await poet.take()
  await world.invalidate(payer.account, withdrawn.permit.nonce)
  await world.send(other)
  await poet.deliver(job_id, 'An old silent pond')
  const refused = await answer
  expect(refused).toMatchObject({ status: 402, code: 'payment-required' })
  const text = JSON.stringify(refused.body)
  expect(text).toContain('the payer withdrew it, or somebody else sent 0.5 USDC')
  expect(text).not.toContain('silent pond')
})

test('a payer who moves the money during the work is told so, and never reads the deliverable', async () => {
  const runner = await world.payer(2n ** 256n - 1n)
  const answer = pay(await runner.sign({ witness: witness() }))
  const { job_id } = await poet.take()
  await runner.move(payer.account.address, parseEther('10'))
  await poet.deliver(job_id, 'An old silent pond')
  const refused = await answer
  expect(refused).toMatchObject({ status: 402, code: 'payment-required' })
  expect(JSON.stringify(refused.body)).not.toContain('silent pond')
})

test('a Permit2 settlement that was recorded before a crash, and not sent, is sent after it, once', async () => {
  const before = await balances()
  const signed = await payer.sign({ witness: witness() })
  isMute = true
  const answer = pay(signed).catch(() => undefined)
  const jobId = await deliver()
  const { store } = world.market.service.world.deps
  const call = await paidCallsOf(store).paidCallOfJob(jobId)
  await until('the record', async () => (await store.intent(`x402:${call?.id}`))?.state === 'sent')
  expect(await moved(before)).toEqual([0n, 0n])
  fuse.left = 0
  isMute = false
  await world.market.restart()
  await answer
  await until('the settlement', async () => (await pay(signed)).status === 200)
  expect(await moved(before)).toEqual([price, price])
})

test('a Permit2 payment without an end is settled like any other', async () => {
  const answer = pay(await payer.sign({ witness: witness(), deadline: 2n ** 256n - 1n }))
  await deliver()
  expect(await answer).toMatchObject({ status: 200, body: { state: 'settled' } })
})

const deaths = [2, 14, 26, 38, 50, 62, 74]

test.each(deaths)('a service that crashes at call %i of a Permit2 payment settles it once', async calls => {
  const before = await balances()
  const signed = await payer.sign({ witness: witness() })
  const ending = new AbortController()
  const work = async () => {
    while (!ending.signal.aborted) {
      const job = await ask(world.market, `/gateway/jobs/poll?agent=${poet.agentId}&timeout=1`).catch(() => undefined)
      const { data } = z.object({ job_id: z.string() }).safeParse(job?.body)
      if (data) await poet.deliver(data.job_id, 'An old pond').catch(() => undefined)
    }
  }
  const working = work()
  fuse.left = calls
  const answer = pay(signed).catch(() => undefined)
  await Promise.race([answer, fuse.burnt])
  fuse.left = 0
  await world.market.restart()
  await answer
  const settled = await until('the settlement', async () => {
    const again = await pay(signed)
    return again.status === 200 && again
  })
  ending.abort()
  await working
  expect(settled).toMatchObject({ body: { state: 'settled' } })
  expect(await moved(before)).toEqual([price, price])
})

test('where the proxy of x402 is not deployed, nothing is sold by the scheme exact', async () => {
  await world.removeProxy()
  await world.market.restart()
  expect((await ask(world.market, '/x402/supported', { method: 'GET' })).body).toMatchObject({ kinds: [{ scheme: 'upto' }] })
  expect(await ask(world.market, path(), { body })).toMatchObject({ status: 404, code: 'offering-not-found' })
  await world.placeProxy()
  await world.market.restart()
  expect(await ask(world.market, path(), { body })).toMatchObject({ status: 402 })
})
