import { decodePaymentResponseHeader } from '@x402/fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Authorization } from '../../../src/domain/x402/x402.ts'
import { toPaymentResponse } from '../../../src/features/x402Selling/payForCall.ts'
import { paidCallsOf } from '../../../src/features/x402Selling/ports.ts'
import type { Outside } from '../../../src/world.ts'
import { ask } from '../../hire/market.ts'
import { until } from '../../service.ts'
import { price, type SignedMarket, startSignedMarket } from './signedMarket.ts'

// On a public chain, a settlement that would fail is not sent. Third parties send transactions of their own.

let liesOf: string | undefined
/** A node that reports the settlement of one call as a success, whatever came of it. */
const wrap = ({ store, chain }: Outside): Outside => ({
  store,
  chain: {
    ...chain,
    receipt: async hash => {
      const receipt = await chain.receipt(hash)
      const intent = liesOf && (await store.intentByHash(chain.chainId, hash))
      return receipt && intent && intent.key === liesOf ? { ...receipt, success: true } : receipt
    },
    preflight: async (...of) => (liesOf ? undefined : chain.preflight?.(...of)),
  },
})

let world: SignedMarket
beforeAll(async () => {
  world = await startSignedMarket(wrap)
})
afterAll(() => world?.stop())

const store = () => world.market.service.world.deps.store
const record = z.looseObject({ state: z.string(), transaction: z.string().nullable(), reason: z.string(), content: z.string() })
const read = async (jobId: string) => {
  const call = await paidCallsOf(store()).paidCallOfJob(jobId)
  return record.parse((await ask(world.market, `/x402/payments/${call?.id}`)).body)
}
const booked = async (jobId: string) => {
  const { runId = '' } = (await store().job(jobId)) ?? {}
  const sums = new Map<string, bigint>()
  for (const it of await store().ledger({ runId })) sums.set(it.account, (sums.get(it.account) ?? 0n) + it.amount)
  return sums.get(`wallet:${world.agentWallet}`) ?? 0n
}
/** Pays, and lets `meanwhile` happen while the agent works. */
const buy = async (signed: Authorization, meanwhile: () => Promise<unknown>) => {
  const before = await world.held(world.agentWallet)
  const answer = world.pay(signed)
  const { job_id } = await world.poet.take()
  const sent = await meanwhile()
  await world.poet.deliver(job_id, 'An old silent pond')
  const { status, body } = await answer
  return { status, text: JSON.stringify(body), body, jobId: job_id, sent, gained: (await world.held(world.agentWallet)) - before }
}
const expectUnpaid = async ({ status, text, jobId }: Awaited<ReturnType<typeof buy>>) => {
  expect({ status, hasWork: text.includes('silent pond') }).toEqual({ status: 402, hasWork: false })
  expect(await read(jobId)).toMatchObject({ state: 'failed', transaction: null, content: '' })
  expect(await booked(jobId)).toBe(0n)
}

test('a transfer of another authorization in the same transaction does not pay for a call whose nonce was spent on something else', async () => {
  const cheat = await world.payer()
  const signed = await cheat.sign()
  const twin = await cheat.sign({ to: cheat.wallet, value: 0n, nonce: signed.nonce })
  const gift = await cheat.sign()
  const bought = await buy(signed, () => world.send(twin, gift))
  expect(bought.gained).toBe(price)
  await expectUnpaid(bought)
})

test('two calls are not paid by one transfer, whatever their order in its transaction', async () => {
  const cheat = await world.payer()
  const [paid, unpaid] = [await cheat.sign(), await cheat.sign()]
  const twin = await cheat.sign({ to: cheat.wallet, value: 0n, nonce: unpaid.nonce })
  const [first, second] = [world.pay(paid), await world.poet.take()]
  const other = world.pay(unpaid)
  const third = await world.poet.take()
  const transaction = await world.send(paid, twin)
  for (const { job_id } of [second, third]) await world.poet.deliver(job_id, 'An old silent pond')
  expect([(await first).status, (await other).status]).toEqual([200, 402])
  expect(await read(second.job_id)).toMatchObject({ state: 'settled', transaction })
  expect([await booked(second.job_id), await booked(third.job_id)]).toEqual([price, 0n])
})

test('events of another contract that look like the transfer pay for nothing', async () => {
  const cheat = await world.payer()
  const signed = await cheat.sign()
  const twin = await cheat.sign({ to: cheat.wallet, nonce: signed.nonce })
  const bought = await buy(signed, async () => [await world.pretend(signed), await world.send(twin)])
  expect(bought.gained).toBe(0n)
  await expectUnpaid(bought)
})

test('a payer who withdraws the authorization is told so, and not that money is in the wallet of the agent', async () => {
  const cheat = await world.payer()
  const signed = await cheat.sign()
  const bought = await buy(signed, () => cheat.cancel(signed.nonce))
  expect(bought.text).toContain('took the authorization back')
  expect(bought.text).not.toContain('are in the agent wallet')
  await expectUnpaid(bought)
  expect(await world.held(cheat.wallet)).toBe(2n * price)
})

test.each([
  ['withdrew the payment', (cheat: Awaited<ReturnType<SignedMarket['payer']>>, it: Authorization) => cheat.cancel(it.nonce)],
  [
    'used its nonce elsewhere',
    async (cheat: Awaited<ReturnType<SignedMarket['payer']>>, { nonce }: Authorization) =>
      world.send(await cheat.sign({ to: cheat.wallet, nonce })),
  ],
])('when the work fails, a payer who %s is told that nothing was charged', async (_name, act) => {
  const cheat = await world.payer()
  const signed = await cheat.sign()
  const answer = world.pay(signed)
  const { job_id } = await world.poet.take()
  await act(cheat, signed)
  await world.poet.report(job_id, { status: 'failed', error: 'No pond today' })
  const { status, body } = await answer
  expect([status, JSON.stringify(body)]).toEqual([502, expect.stringContaining('Nothing was charged.')])
  expect(JSON.stringify(body)).not.toContain('Somebody else sent')
  expect(await read(job_id)).toMatchObject({ state: 'failed', transaction: null })
  const { runId = '' } = (await store().job(job_id)) ?? {}
  const run = await until('the end of the run', async () => {
    const it = await store().run(runId)
    return it?.state === 'failed' && it
  })
  expect(run.answer).toContain('Nothing was charged.')
})

test('a transfer that a third party sends is the payment, and the receipt names its transaction', async () => {
  const honest = await world.payer()
  const signed = await honest.sign()
  const { status, body, gained, sent, jobId } = await buy(signed, () => world.send(signed))
  expect({ status, gained, body }).toMatchObject({
    status: 200,
    gained: price,
    body: { content: 'An old silent pond', transaction: sent },
  })
  const { 'payment-response': header = '' } = toPaymentResponse(body)
  const { transaction } = decodePaymentResponseHeader(header)
  const receipt = await world.client.getTransactionReceipt({ hash: z.custom<`0x${string}`>().parse(transaction) })
  expect([transaction, receipt.status]).toEqual([sent, 'success'])
  expect(await booked(jobId)).toBe(price)
})

test('a payer who moves the money away and later sends the signed transfer gets the work, once it is on chain', async () => {
  const late = await world.payer(price)
  const signed = await late.sign()
  const bought = await buy(signed, async () =>
    world.send(await late.sign({ to: world.market.service.world.deps.chains.get(97)?.treasury ?? '0x' })),
  )
  await expectUnpaid(bought)
  await world.mint(late.wallet, price)
  const transaction = await world.send(signed)
  world.market.service.world.deps.wakeups.notify('reconcile')
  const settled = await until('the settlement', async () => {
    const it = await read(bought.jobId)
    return it.state === 'settled' && it
  })
  expect(settled).toMatchObject({ transaction, content: 'An old silent pond' })
  expect(await world.pay(signed)).toMatchObject({ status: 200, body: { content: 'An old silent pond', transaction } })
  expect(await booked(bought.jobId)).toBe(price)
})

test('a node that reports a failed settlement as a success does not hand out the work', async () => {
  const cheat = await world.payer()
  const signed = await cheat.sign()
  const answer = world.pay(signed)
  const { job_id } = await world.poet.take()
  const call = await paidCallsOf(store()).paidCallOfJob(job_id)
  await world.send(await cheat.sign({ to: cheat.wallet, nonce: signed.nonce }))
  liesOf = `x402:${call?.id}`
  await world.poet.deliver(job_id, 'An old silent pond')
  await until('the settlement to be sent', async () => (await store().intent(`x402:${call?.id}`))?.state === 'sent')
  expect(await read(job_id)).toMatchObject({ state: 'settling', content: '' })
  liesOf = undefined
  expect((await answer).status).toBe(402)
  expect(await read(job_id)).toMatchObject({ state: 'failed', content: '' })
})

test('a second reading of the chain takes back what was booked without a transfer, and books what was paid', async () => {
  const [cheat, late] = [await world.payer(), await world.payer(price)]
  const [signed, slow] = [await cheat.sign(), await late.sign()]
  const away = await late.sign({ to: cheat.wallet })
  const unpaid = await buy(slow, () => world.send(away))
  const cheated = await buy(signed, async () => world.send(await cheat.sign({ to: cheat.wallet, nonce: signed.nonce })))
  // As an earlier release recorded it: settled by the transaction that used the nonce.
  await store().atomically(async tables => {
    const call = await paidCallsOf(tables).paidCallOfJob(cheated.jobId)
    if (!call) throw new Error('no call')
    await tables.moveJob(cheated.jobId, 'unrefund')
    await tables.moveJob(cheated.jobId, 'confirm')
    const entries = [
      { account: `wallet:${call.payer}`, amount: -price },
      { account: `wallet:${call.payTo}`, amount: price },
    ]
    const { chainId, jobId, runId } = call
    const txHash = z.custom<`0x${string}`>().parse(cheated.sent)
    await tables.post({ key: `x402:${call.id}:payout`, chainId, jobId, runId, txHash, entries })
  })
  expect(await read(cheated.jobId)).toMatchObject({ state: 'settled', content: 'An old silent pond' })
  await world.mint(late.wallet, price)
  const transaction = await world.send(slow)
  await world.market.restart({ rebuild: true })
  expect(await read(cheated.jobId)).toMatchObject({ state: 'failed', content: '', transaction: null })
  expect(await booked(cheated.jobId)).toBe(0n)
  expect(await read(unpaid.jobId)).toMatchObject({ state: 'settled', content: 'An old silent pond', transaction })
  expect(await booked(unpaid.jobId)).toBe(price)
})

test('a withdrawal that the token refused without a revert is shown as failed', async () => {
  const user = await world.market.user('saver')
  await world.mint(z.custom<`0x${string}`>().parse(user.proxy.toLowerCase()), price)
  await world.refuse(true)
  await user.client.post('/v1/withdrawals', { amount: '0.1' })
  const list = z.object({ withdrawals: z.array(z.looseObject({ status: z.string() })) })
  const ended = await until('the end of the withdrawal', async () => {
    const [it] = list.parse(await user.client.get('/v1/withdrawals')).withdrawals
    return it && it.status !== 'pending' && it
  })
  await world.refuse(false)
  expect(ended.status).toBe('failed')
})
