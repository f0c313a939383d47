import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { purchaseRecord } from '../../../src/records/purchase.ts'
import type { Outside } from '../../../src/world.ts'
import { start } from '../../cli/program.ts'
import { burning, newFuse } from '../../fuse.ts'
import { ask, talk } from '../../hire/market.ts'
import { type User, until } from '../../service.ts'
import { type PermitMarket, startPermitMarket } from '../x402Selling/permitMarket.ts'
import { startUptoSeller, type UptoSeller } from './permitSellers.ts'
import { purchasesFor } from './purchasing.ts'
import { lower } from './seller.ts'

// Purchases in the scheme `upto` from the standard server and facilitator (@x402/hono, @x402/core, @x402/evm 2.27.0).

let fuse = newFuse()
const wrap = ({ store, chain }: Outside): Outside => {
  fuse = newFuse()
  return { store: burning(store, fuse), chain: burning(chain, fuse) }
}

const [most, part] = [parseEther('0.5'), parseEther('0.2')]
const payTo = lower(`0x${'5e'.repeat(20)}`)
let world: PermitMarket
let seller: UptoSeller
let user: User
beforeAll(async () => {
  world = await startPermitMarket(wrap, true)
  seller = await startUptoSeller(world, payTo, most)
  user = await world.market.user('buyer')
  await world.fund(lower(user.proxy), parseEther('100'))
})
afterAll(async () => {
  await seller?.stop()
  await world?.stop()
})

const by = () => ({ url: world.market.url, token: user.token })
const { confirm, confirmTwice, read, ended, ...purchases } = purchasesFor(() => user)
const propose = (more = {}) => purchases.propose(seller.url, more)
const money = async () => [await world.balanceOf(lower(user.proxy)), await world.balanceOf(payTo)] as const
/** What the wallet lost and the seller gained since `before`. */
const moved = async (before: readonly [bigint, bigint]) => {
  const [held, earned] = await money()
  return [before[0] - held, earned - before[1]]
}

test('a standard seller takes a part of the most that the yes named, and the books have what the chain shows', async () => {
  seller.take(part)
  const before = await money()
  const proposed = await propose()
  expect(proposed).toMatchObject({ state: 'proposed', scheme: 'upto', price: '0.5', paid: null, transfer_method: 'permit2' })
  await confirm(proposed)
  const paid = await ended(proposed.purchase_id)
  expect(paid).toMatchObject({ state: 'paid', status: 200, price: '0.5', paid: '0.2', content: '{"weather":"sunny"}' })
  expect(await moved(before)).toEqual([part, part])
  const { store } = world.market.service.world.deps
  expect((await store.ledger({ runId: proposed.purchase_id })).map(it => [it.txHash, it.amount])).toEqual([
    [paid.transaction, -part],
    [paid.transaction, part],
  ])
  expect(await user.client.get(`/runs/${proposed.purchase_id}/payments`)).toMatchObject([
    { type: 'payment', scheme: 'upto', amount: '0.2' },
  ])
  await confirm(proposed)
  expect(await moved(before)).toEqual([part, part])
})

test('a seller that takes nothing is told as that, and keeps no later purchase waiting', async () => {
  const before = await money()
  seller.take(0n)
  const none = await propose()
  await confirm(none, { wait_ms: 0 })
  const answered = await until('the answer', async () => {
    const it = await read(none.purchase_id)
    return it?.status === 200 && it
  })
  expect(answered).toMatchObject({ state: 'paying', paid: null, content: '{"weather":"sunny"}' })
  // Its payment may still be used, so the approval is for both.
  seller.take(most)
  const whole = await propose()
  await confirm(whole)
  expect(await ended(whole.purchase_id)).toMatchObject({ state: 'paid', paid: '0.5' })
  expect([await moved(before), await world.allowance(lower(user.proxy))]).toEqual([[most, most], most])
})

test('of many purchases at once, a mandate pays as many as its limit covers with their most, whatever their seller takes', async () => {
  seller.take(part)
  const rich = await world.market.user('mandated')
  await world.fund(lower(rich.proxy), parseEther('10'))
  await rich.client.post('/v1/mandates', { max_per_job: '0.5', max_per_period: '1', period: 'day' })
  const buy = async () => purchaseRecord.parse(await rich.client.post('/v1/purchases', { url: seller.url }))
  const bought = await Promise.all(Array.from({ length: 6 }, buy))
  const covered = bought.filter(it => it.mandate_id !== null)
  expect([covered.length, bought.filter(it => it.state === 'proposed').length]).toEqual([2, 4])
  for (const { purchase_id } of covered)
    await until('the payment', async () => {
      const it = purchaseRecord.parse(await rich.client.get(`/v1/purchases/${purchase_id}`))
      return it.state === 'paid'
    })
  expect(await world.balanceOf(lower(rich.proxy))).toBe(parseEther('10') - 2n * part)
  expect(await buy()).toMatchObject({ state: 'proposed' })
})

test('a maximum below the most of the seller refuses it, and a failed request takes nothing', async () => {
  const before = await money()
  expect(await ask(by(), '/v1/purchases', { body: { url: seller.url, max: '0.4' } })).toMatchObject({
    status: 422,
    code: 'resource-not-payable',
  })
  seller.fail(true)
  const failing = await propose()
  await confirm(failing, { wait_ms: 0 })
  const why = 'The resource answered with status 500. It said: “no weather today” The same payment is sent again.'
  await until('a try', async () => (await read(failing.purchase_id))?.reason === why)
  const events = await user.client.get(`/runs/${failing.purchase_id}/events`)
  expect(events).toContainEqual(expect.objectContaining({ type: 'progress', summary_text: why }))
  expect(await moved(before)).toEqual([0n, 0n])
  seller.fail(false)
  seller.take(part)
  expect(await ended(failing.purchase_id)).toMatchObject({ state: 'paid', paid: '0.2' })
  expect(await moved(before)).toEqual([part, part])
})

test('the butler and market pay say “up to”, pay after the yes, and say what was taken', async () => {
  seller.take(part)
  const before = await money()
  const { say } = talk(user)
  expect((await say(`pay for ${seller.url}, at most 0.5`)).content).toContain('You pay    up to 0.5 USDC from your wallet')
  const answer = (await say('yes')).content
  expect(answer).toContain('weather: sunny')
  expect(answer).toContain('0.2 of at most 0.5 USDC went to')
  const env = { SERVICE_ENDPOINT: by().url, XDG_CONFIG_HOME: world.market.dir, SERVICE_PROXY_AUTH: user.token, AGENT_ID: '' }
  const { code, err, out } = await start(['pay', seller.url, '--json', '--yes', '--max', '0.5'], { env }).ended
  expect([code, err]).toEqual([0, expect.stringContaining('price            up to 0.5 USDC')])
  expect(out).toContain('{\\"weather\\":\\"sunny\\"}')
  expect(await moved(before)).toEqual([2n * part, 2n * part])
}, 60_000)

test.each([9, 19, 32, 52])('a service that dies at call %i of such a purchase pays once, what was taken', async calls => {
  seller.take(part)
  const before = await money()
  const proposed = await propose()
  await confirmTwice(proposed, { fuse, calls, restart: world.market.restart })
  expect(await ended(proposed.purchase_id)).toMatchObject({ state: 'paid', paid: '0.2' })
  expect(await moved(before)).toEqual([part, part])
})
