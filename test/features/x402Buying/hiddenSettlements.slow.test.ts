import { x402UptoPermit2ProxyABI, x402UptoPermit2ProxyAddress } from '@x402/evm'
import { Hono } from 'hono'
import { concat, encodeFunctionData, type Hex, pad, parseAbi, parseEther, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Address } from '../../../src/domain/hex.ts'
import { readPaymentHeader } from '../../../src/domain/x402/x402.ts'
import { purchasesOf } from '../../../src/features/x402Buying/ports.ts'
import { type PurchaseRecord, purchaseRecord } from '../../../src/records/purchase.ts'
import type { Outside } from '../../../src/world.ts'
import { compileTestContracts } from '../../contracts/solidity.ts'
import { people } from '../../contracts/world.ts'
import { type User, until } from '../../service.ts'
import { untilEnded } from '../outside/sellers.ts'
import { type PermitMarket, startPermitMarket } from '../x402Selling/permitMarket.ts'
import { listen, lower } from './seller.ts'

// A seller in the scheme `upto` whose facilitator is a contract that hides the settlement in its input.

const most = parseEther('0.5')
const part = parseEther('0.1')
const payTo = lower(`0x${'5e'.repeat(20)}`)
const relayAbi = parseAbi(['function run(address target, bytes masked)'])
const tokenAbi = parseAbi(['function transferFrom(address from, address to, uint256 amount)'])
const signedAbi = parseAbi(['function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)'])
const number = z.string().transform(BigInt)
const hex = z.string().transform((it): Hex => `0x${it.slice(2)}`)
const payment = z.object({
  payload: z.object({
    signature: hex,
    permit2Authorization: z.object({
      from: hex,
      permitted: z.object({ token: hex, amount: number }),
      nonce: number,
      deadline: number,
      witness: z.object({ to: hex, facilitator: hex, validAfter: number }),
    }),
  }),
})

/** Until so many purchases have read which transfers are in the books, none of them goes on. */
let meeting = { due: 1, arrived: 0, met: Promise.withResolvers<void>() }
const meet = () => {
  meeting.arrived += 1
  if (meeting.arrived >= meeting.due) meeting.met.resolve()
  return meeting.met.promise
}
const wrap = ({ store, chain }: Outside): Outside => ({
  chain,
  store: {
    ...store,
    async ledger(of) {
      const rows = await store.ledger(of)
      if ('account' in of) await meet()
      return rows
    },
  },
})

let world: PermitMarket
let seller: Awaited<ReturnType<typeof startHidingSeller>>
beforeAll(async () => {
  world = await startPermitMarket(wrap, true)
  seller = await startHidingSeller()
})
afterAll(async () => {
  seller?.http.close()
  await world?.stop()
})

const gates = () => ({ charged: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() })
const startHidingSeller = async () => {
  const code = (await compileTestContracts())('MaskingRelay')
  const receipt = await world.mined(world.client.sendTransaction({ data: code, account: people.deployer }))
  const relay = receipt.contractAddress ?? '0x'
  const settled = new Set<bigint>()
  const seen = { fakes: false, payee: payTo, taken: most, sending: Promise.resolve(), ...gates() }
  const app = new Hono()
  app.get('/weather', async c => {
    const header = c.req.header('payment-signature')
    const extra = { assetTransferMethod: 'permit2', facilitatorAddress: relay }
    const offer = {
      scheme: 'upto',
      network: 'eip155:97',
      amount: `${most}`,
      asset: world.usdc,
      payTo: seen.payee,
      maxTimeoutSeconds: 60,
      extra,
    }
    const required = { x402Version: 2, error: 'pay', resource: { url: c.req.url }, accepts: [offer] }
    if (!header) return c.json(required, 402, { 'payment-required': Buffer.from(JSON.stringify(required)).toString('base64') })
    const { payload } = payment.parse(JSON.parse(Buffer.from(header, 'base64').toString()))
    const { from, permitted, nonce, deadline, witness } = payload.permit2Authorization
    if (settled.has(nonce)) return c.json({ weather: 'sunny' })
    settled.add(nonce)
    const before = seen.sending
    const { promise, resolve } = Promise.withResolvers<void>()
    seen.sending = promise
    await before
    const settlement = encodeFunctionData({
      abi: x402UptoPermit2ProxyABI,
      functionName: 'settle',
      args: [{ permitted, nonce, deadline }, seen.taken, from, witness, payload.signature],
    })
    const masked = toHex(Buffer.from(settlement.slice(2), 'hex').map(it => it ^ 0xff))
    const data = encodeFunctionData({ abi: relayAbi, args: [x402UptoPermit2ProxyAddress, masked] })
    await world.mined(world.client.sendTransaction({ to: relay, data, account: people.stranger, gas: 1_000_000n }))
    const nothing = concat([encodeFunctionData({ abi: tokenAbi, args: [from, payTo, 0n] }), pad(toHex(nonce), { size: 32 })])
    if (seen.fakes) await world.mined(world.client.sendTransaction({ to: world.usdc, data: nothing, account: people.evaluator }))
    resolve()
    return c.json({ weather: 'sunny' })
  })
  /** Charges by the authorization of the token, and answers when it is told to. */
  app.get('/slow', async c => {
    const header = c.req.header('payment-signature')
    const offer = { scheme: 'exact', network: 'eip155:97', amount: `${part}`, asset: world.usdc, payTo, maxTimeoutSeconds: 60 }
    const required = { x402Version: 2, error: 'pay', resource: { url: c.req.url }, accepts: [offer] }
    if (!header) return c.json(required, 402)
    const it = readPaymentHeader(header)?.authorization
    if (!it) return c.json({ error: 'no payment' }, 400)
    const args = [it.from, it.to, it.value, it.validAfter, it.validBefore, it.nonce, it.signature] as const
    const call = { address: world.usdc, abi: signedAbi, functionName: 'transferWithAuthorization', args } as const
    await world.mined(world.client.writeContract({ ...call, account: people.stranger }))
    seen.charged.resolve()
    await seen.released.promise
    return c.json({ weather: 'late' })
  })
  return {
    ...(await listen(app)),
    charged: () => seen.charged.promise,
    release: () => seen.released.resolve(),
    fake: (fakes: boolean) => Object.assign(seen, { fakes }),
    pay: (payee: Address, taken: bigint) => Object.assign(seen, { payee, taken }),
  }
}

const propose = async (user: User, path = '/weather') =>
  purchaseRecord.parse(await user.client.post('/v1/purchases', { url: `http://127.0.0.1:${seller.port}${path}` }))
const confirm = (user: User, { purchase_id, digest }: PurchaseRecord) =>
  user.client.post(`/v1/purchases/${purchase_id}/confirm`, { digest, decision: 'yes', wait_ms: 0 })
const read = async (user: User, id: string) => purchaseRecord.parse(await user.client.get(`/v1/purchases/${id}`))

test.each([
  ['hidden in another call', false],
  ['hidden in another call, beside a transfer of nothing with its nonce', true],
])('a settlement that is %s counts for what it took, and uses up the mandate', async (_, fakes) => {
  seller.fake(fakes)
  const user = await world.market.user(`hidden-${fakes}`)
  await world.fund(lower(user.proxy), parseEther('1'))
  await user.client.post('/v1/mandates', { max_per_job: '0.5', max_per_period: '0.5', period: 'week' })
  const { purchase_id } = await propose(user)
  const ended = await untilEnded(() => read(user, purchase_id))
  expect(ended).toMatchObject({ state: 'paid', paid: '0.5', status: 200 })
  expect(await world.balanceOf(lower(user.proxy))).toBe(parseEther('0.5'))
  const { store } = world.market.service.world.deps
  expect((await store.ledger({ runId: purchase_id })).map(it => it.amount)).toEqual([-most, most])
  // A second one needs the user's own yes.
  expect(await propose(user)).toMatchObject({ state: 'proposed' })
})

test('two purchases that look for their hidden transfers at once do not take the same one', async () => {
  const user = await world.market.user('hidden-twins')
  await world.fund(lower(user.proxy), parseEther('1'))
  const twins = [await propose(user), await propose(user)]
  meeting = { due: 2, arrived: 0, met: Promise.withResolvers() }
  await Promise.all(twins.map(it => confirm(user, it)))
  const ended = await Promise.all(twins.map(it => untilEnded(() => read(user, it.purchase_id))))
  expect(ended.map(it => [it.state, it.paid])).toEqual([
    ['paid', '0.5'],
    ['paid', '0.5'],
  ])
  expect(new Set(ended.map(it => it.transaction)).size).toBe(2)
  expect(await world.balanceOf(lower(user.proxy))).toBe(0n)
})

/** Waits until a purchase was looked up twice more, and returns it. */
const lookedUp = async (user: User, id: string) => {
  const { store } = world.market.service.world.deps
  const triesOf = async () => (await purchasesOf(store).purchase(id))?.tries ?? 0
  const before = await triesOf()
  await until('two more looks', async () => (await triesOf()) > before + 1)
  return [await read(user, id), await store.ledger({ runId: id })]
}
const open = [expect.objectContaining({ state: 'paying', paid: null }), []]

test('a withdrawal of the buyer is not taken for the hidden settlement of a seller that names the buyer as payee', async () => {
  const user = await world.market.user('withdrawer')
  await world.fund(lower(user.proxy), parseEther('1'))
  const { store } = world.market.service.world.deps
  const { user: owner = payTo } = (await purchasesOf(store).purchase((await propose(user)).purchase_id)) ?? {}
  seller.pay(owner, 0n)
  const proposed = await propose(user)
  expect(proposed.payee).toBe(owner)
  await confirm(user, proposed)
  await until('the settlement', async () => (await read(user, proposed.purchase_id)).status === 200)
  await user.client.post('/v1/withdrawals', { amount: '0.1' })
  await until('the withdrawal', async () => (await world.balanceOf(owner)) > 0n)
  expect(await lookedUp(user, proposed.purchase_id)).toEqual(open)
})

test('a transfer that pays one purchase is not taken for the hidden settlement of another one, which took nothing', async () => {
  const user = await world.market.user('two-ways')
  await world.fund(lower(user.proxy), parseEther('1'))
  seller.pay(payTo, 0n)
  const [hidden, slow] = [await propose(user), await propose(user, '/slow')]
  expect([hidden.scheme, slow.scheme]).toEqual(['upto', 'exact'])
  await confirm(user, slow)
  await seller.charged()
  // The transfer is on the chain, and not in the books yet.
  await confirm(user, hidden)
  await until('the settlement', async () => (await read(user, hidden.purchase_id)).status === 200)
  expect(await lookedUp(user, hidden.purchase_id)).toEqual(open)
  seller.release()
  expect(await untilEnded(() => read(user, slow.purchase_id))).toMatchObject({ state: 'paid', paid: '0.1' })
  expect(await world.balanceOf(lower(user.proxy))).toBe(parseEther('0.9'))
}, 60_000)
