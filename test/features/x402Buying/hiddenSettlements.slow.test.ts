import { x402UptoPermit2ProxyABI, x402UptoPermit2ProxyAddress } from '@x402/evm'
import { Hono } from 'hono'
import { type Address, concat, encodeFunctionData, type Hex, pad, parseAbi, parseEther, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { purchaseRecord } from '../../../src/records/purchase.ts'
import { compileTestContracts } from '../../contracts/solidity.ts'
import { people } from '../../contracts/world.ts'
import { until } from '../../service.ts'
import { type PermitMarket, startPermitMarket } from '../x402Selling/permitMarket.ts'
import { listen, lower } from './seller.ts'

// A seller in the scheme `upto` whose facilitator is a contract that hides the settlement in its input.

const most = parseEther('0.5')
const payTo = lower(`0x${'5e'.repeat(20)}`)
const relayAbi = parseAbi(['function run(address target, bytes masked)'])
const tokenAbi = parseAbi(['function transferFrom(address from, address to, uint256 amount)'])
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

let world: PermitMarket
let seller: Awaited<ReturnType<typeof startHidingSeller>>
beforeAll(async () => {
  world = await startPermitMarket(it => it, true)
  seller = await startHidingSeller()
})
afterAll(async () => {
  seller?.http.close()
  await world?.stop()
})

const startHidingSeller = async () => {
  const code = (await compileTestContracts())('MaskingRelay')
  const receipt = await world.mined(world.client.sendTransaction({ data: code, account: people.deployer }))
  const relay: Address = receipt.contractAddress ?? '0x'
  const settled = new Set<bigint>()
  const seen = { fakes: false }
  const app = new Hono()
  app.get('/weather', async c => {
    const header = c.req.header('payment-signature')
    const extra = { assetTransferMethod: 'permit2', facilitatorAddress: relay }
    const offer = {
      scheme: 'upto',
      network: 'eip155:97',
      amount: `${most}`,
      asset: world.usdc,
      payTo,
      maxTimeoutSeconds: 60,
      extra,
    }
    const required = { x402Version: 2, error: 'pay', resource: { url: c.req.url }, accepts: [offer] }
    if (!header) return c.json(required, 402, { 'payment-required': Buffer.from(JSON.stringify(required)).toString('base64') })
    const { payload } = payment.parse(JSON.parse(Buffer.from(header, 'base64').toString()))
    const { from, permitted, nonce, deadline, witness } = payload.permit2Authorization
    if (settled.has(nonce)) return c.json({ weather: 'sunny' })
    settled.add(nonce)
    const settlement = encodeFunctionData({
      abi: x402UptoPermit2ProxyABI,
      functionName: 'settle',
      args: [{ permitted, nonce, deadline }, most, from, witness, payload.signature],
    })
    const masked = toHex(Buffer.from(settlement.slice(2), 'hex').map(it => it ^ 0xff))
    const data = encodeFunctionData({ abi: relayAbi, args: [x402UptoPermit2ProxyAddress, masked] })
    await world.mined(world.client.sendTransaction({ to: relay, data, account: people.stranger, gas: 1_000_000n }))
    const nothing = concat([encodeFunctionData({ abi: tokenAbi, args: [from, payTo, 0n] }), pad(toHex(nonce), { size: 32 })])
    if (seen.fakes) await world.mined(world.client.sendTransaction({ to: world.usdc, data: nothing, account: people.evaluator }))
    return c.json({ weather: 'sunny' })
  })
  return { ...(await listen(app)), fake: (fakes: boolean) => Object.assign(seen, { fakes }) }
}

test.each([
  ['hidden in another call', false],
  ['hidden in another call, beside a transfer of nothing with its nonce', true],
])('a settlement that is %s counts for what it took, and uses up the mandate', async (_, fakes) => {
  seller.fake(fakes)
  const user = await world.market.user(`hidden-${fakes}`)
  await world.fund(lower(user.proxy), parseEther('1'))
  await user.client.post('/v1/mandates', { max_per_job: '0.5', max_per_period: '0.5', period: 'week' })
  const url = `http://127.0.0.1:${seller.port}/weather`
  const { purchase_id } = purchaseRecord.parse(await user.client.post('/v1/purchases', { url }))
  const ended = await until('the end of the purchase', async () => {
    const it = purchaseRecord.parse(await user.client.get(`/v1/purchases/${purchase_id}`))
    return it.state === 'paying' ? undefined : it
  })
  expect(ended).toMatchObject({ state: 'paid', paid: '0.5', status: 200 })
  expect(await world.balanceOf(lower(user.proxy))).toBe(parseEther('0.5'))
  const { store } = world.market.service.world.deps
  expect((await store.ledger({ runId: purchase_id })).map(it => it.amount)).toEqual([-most, most])
  // A second one needs the user's own yes.
  expect(await user.client.post('/v1/purchases', { url })).toMatchObject({ state: 'proposed' })
})
