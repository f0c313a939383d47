import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseJson } from '../../../src/domain/json.ts'
import { toPayment } from '../../../src/domain/x402/x402.ts'
import { purchasesOf } from '../../../src/features/x402Buying/ports.ts'
import { purchaseRecord } from '../../../src/records/purchase.ts'
import { start } from '../../cli/program.ts'
import { ask, plain, provider } from '../../hire/market.ts'
import { createTestClock, startTestService, type TestService, type User, until } from '../../service.ts'
import { purchasesFor } from './purchasing.ts'
import { lower, picture, type Seller, startSeller } from './seller.ts'

const time = createTestClock()
let market: TestService
let user: User
let seller: Seller
beforeAll(async () => {
  market = await startTestService({ clock: time })
  user = await market.user('buyer')
  seller = await startSeller(market, lower(`0x${'5e'.repeat(20)}`))
})
afterAll(async () => {
  await seller?.stop()
  await market?.stop()
})

const by = () => ({ url: market.url, token: user.token })
const { confirm, read, ended, ...purchases } = purchasesFor(() => user)
const propose = (path: string, more: Record<string, unknown> = {}, url = seller.url) => purchases.propose(`${url}${path}`, more)
const balanceOf = async (of: string) => market.service.world.deps.chains.get(97)?.usdcBalance(lower(of))

test('a standard x402 seller is paid from the custodial wallet after a yes to exactly these terms, and its answer is delivered', async () => {
  const before = await balanceOf(seller.payTo)
  const proposed = await propose('/echo', { body: { say: 'hi' } })
  expect(proposed).toMatchObject({
    ...{ state: 'proposed', price: '0.02', payee: seller.payTo, payer: user.proxy, network: 'eip155:97', method: 'POST' },
    ...{ digest: expect.stringMatching(/^[0-9a-f]{32}$/), status: null, transaction: null },
  })
  expect(await balanceOf(seller.payTo)).toBe(before)
  const paid = await confirm(proposed)
  expect(paid).toMatchObject({
    ...{ state: 'paid', status: 200, content: '{"echo":{"say":"hi"}}', transaction: expect.stringMatching(/^0x/) },
  })
  expect(await balanceOf(seller.payTo)).toBe((before ?? 0n) + 20_000n)
  expect(await user.client.get(`/runs/${paid.purchase_id}/payments`)).toMatchObject([
    { type: 'payment', protocol: 'x402', amount: '0.02', payer: user.proxy, payee: seller.payTo, transaction: paid.transaction },
  ])
  await until('its run to end', async () => {
    const run = await user.client.get(`/runs/${paid.purchase_id}`)
    return JSON.stringify(run).includes('"completed"')
  })
  // A repeated yes returns the same answer and pays nothing.
  expect(await confirm(proposed)).toEqual(paid)
  expect(await user.client.get('/v1/purchases')).toMatchObject({ purchases: [{ purchase_id: paid.purchase_id, state: 'paid' }] })
  expect(await balanceOf(seller.payTo)).toBe((before ?? 0n) + 20_000n)
})

test('a bought picture arrives whole, as a data URL of its type', async () => {
  const paid = await confirm(await propose('/picture'))
  const content = `data:image/png;base64,${Buffer.from(picture).toString('base64')}`
  expect(paid).toMatchObject({ state: 'paid', status: 200, content_type: 'image/png; q=1', content })
})

test('row 66: a purchase whose answer is lost repeatedly is charged once, because the same authorization is sent again', async () => {
  const [before, settled] = [await balanceOf(seller.payTo), seller.settled()]
  seller.drop(2)
  const proposed = await propose('/weather')
  await confirm(proposed, { wait_ms: 0 })
  const { wallet, nonce } = (await purchasesOf(market.service.world.deps.store).purchase(proposed.purchase_id)) ?? {}
  await until('the payment', async () => (await balanceOf(seller.payTo)) !== before)
  await until('the dropped answers', async () => {
    const it = await purchasesOf(market.service.world.deps.store).purchase(proposed.purchase_id)
    return it?.status !== undefined || (it?.tries ?? 0) > 2
  })
  seller.drop(0)
  const last = await ended(proposed.purchase_id)
  // A standard seller does not remember its answers, so it refuses the used payment the second time.
  expect(last).toMatchObject({ state: 'paid', transaction: expect.stringMatching(/^0x/) })
  expect(await balanceOf(seller.payTo)).toBe((before ?? 0n) + 20_000n)
  expect(seller.settled() - settled).toBe(1)
  const signatures = await market.service.world.deps.store.signatures({ wallet: wallet ?? '0x', limit: 50 })
  const own = signatures.filter(it => it.reference?.runId === proposed.purchase_id)
  expect([new Set(own.map(it => it.digest)).size, nonce]).toEqual([1, expect.stringMatching(/^0x[0-9a-f]{64}$/)])
})

test('work that fails is not charged, and the same payment is used when the seller works again', async () => {
  const before = await balanceOf(seller.payTo)
  seller.fail(true)
  const proposed = await propose('/weather')
  expect(await confirm(proposed, { wait_ms: 500 })).toMatchObject({
    state: 'paying',
    reason: expect.stringContaining('The same payment is sent again'),
  })
  expect(await balanceOf(seller.payTo)).toBe(before)
  seller.fail(false)
  expect(await ended(proposed.purchase_id)).toMatchObject({ state: 'paid', content: '{"weather":"sunny"}' })
  expect(await balanceOf(seller.payTo)).toBe((before ?? 0n) + 20_000n)
})

test('a seller that refuses an unused payment for a moment gets the same one again', async () => {
  const before = await balanceOf(seller.payTo)
  seller.refuse(2)
  expect(await confirm(await propose('/weather'))).toMatchObject({ state: 'paid', status: 200 })
  expect(await balanceOf(seller.payTo)).toBe((before ?? 0n) + 20_000n)
})

test('row 76: a purchase whose transfer a third party sends is paid once, and its run fails without saying that nothing was paid', async () => {
  const before = await balanceOf(seller.payTo)
  seller.refuse(Number.POSITIVE_INFINITY)
  const sent = seller.payment()
  const proposed = await propose('/weather')
  await confirm(proposed, { wait_ms: 0 })
  const header = await until('the payment', async () => (seller.payment() === sent ? undefined : seller.payment()))
  const payment = toPayment(parseJson(Buffer.from(header, 'base64').toString()))
  const chain = market.service.world.deps.chains.get(97)
  if (!payment || !chain?.authorized) throw new Error('no payment')
  const call = chain.authorized.transfer(payment.authorization)
  const intent = { key: `thief:${proposed.purchase_id}`, chainId: 97, sender: chain.treasury, call, after: undefined }
  await market.service.world.deps.store.addIntents([intent])
  const last = await ended(proposed.purchase_id)
  seller.refuse(0)
  const { hash } = (await market.service.world.deps.store.intent(intent.key)) ?? {}
  expect(last).toMatchObject({ state: 'paid', status: 402, transaction: hash })
  expect(await balanceOf(seller.payTo)).toBe((before ?? 0n) + 20_000n)
  expect(await user.client.get(`/runs/${last.purchase_id}/payments`)).toMatchObject([{ amount: '0.02', transaction: hash }])
  const run = await until('its run to end', async () => {
    const text = JSON.stringify(await user.client.get(`/runs/${last.purchase_id}`))
    return text.includes('"failed"') ? text : undefined
  })
  expect(run).not.toContain('othing was')
})

test('a service that stops between the yes and the answer continues from its stored rows, and pays once', async () => {
  const before = await balanceOf(seller.payTo)
  seller.drop(1)
  const proposed = await propose('/weather')
  await confirm(proposed, { wait_ms: 0 })
  await market.restart()
  expect(await ended(proposed.purchase_id)).toMatchObject({ state: 'paid' })
  seller.drop(0)
  expect(await balanceOf(seller.payTo)).toBe((before ?? 0n) + 20_000n)
})

test('an agent of this market is bought like any other resource, and its payment is shown once', async () => {
  const poet = await provider(market, plain('0.3'))
  const proposed = await propose(`/x402/agents/${poet.handle}/offerings/plain`, { body: { message: 'write' } }, market.url)
  const buying = confirm(proposed)
  await poet.deliver((await poet.take()).job_id, 'An old pond')
  const paid = await buying
  expect(paid).toMatchObject({ state: 'paid', status: 200, price: '0.3', payee: poet.wallet.toLowerCase() })
  expect(JSON.parse(paid.content)).toMatchObject({ content: 'An old pond', payer: user.proxy })
  expect(await user.client.get(`/runs/${paid.purchase_id}/payments`)).toMatchObject([{ amount: '0.3', protocol: 'x402' }])
})

test('a paid call whose agent fails ends at once with the reason of the agent, and nothing is charged', async () => {
  const poet = await provider(market, plain('0.3'))
  const before = await balanceOf(user.proxy)
  const proposed = await propose(`/x402/agents/${poet.handle}/offerings/plain`, { body: { message: 'write' } }, market.url)
  const buying = confirm(proposed)
  await poet.report((await poet.take()).job_id, { status: 'failed', error: 'No ink is left' })
  const refused = await buying
  expect(refused).toMatchObject({ state: 'refused', status: 502, paid: null, content: expect.stringContaining('No ink is left') })
  expect(await balanceOf(user.proxy)).toBe(before)
  const { tries } = (await purchasesOf(market.service.world.deps.store).purchase(proposed.purchase_id)) ?? {}
  expect(tries).toBeLessThan(3)
})

describe('nothing is signed', () => {
  test('row 68: for a resource that is free, above the limit, redirected or not payable', async () => {
    expect(await propose('/free')).toMatchObject({ state: 'free', price: '0', content: '{"free":true}' })
    const dear = { url: `${seller.url}/weather`, max: '0.01' }
    expect(await ask(by(), '/v1/purchases', { body: dear })).toMatchObject({ status: 422, code: 'resource-not-payable' })
    for (const path of ['/moved', '/nowhere'])
      expect(await ask(by(), '/v1/purchases', { body: { url: `${seller.url}${path}` } })).toMatchObject({
        status: 422,
        code: 'resource-not-payable',
      })
  })

  test('row 67: without a yes, after a no, for another digest, by another user, or too late', async () => {
    const settled = seller.settled()
    const refused = await propose('/weather')
    const path = `/v1/purchases/${refused.purchase_id}/confirm`
    expect(await ask(by(), path, { body: { digest: '00000000', decision: 'yes' } })).toMatchObject({ code: 'proposal-changed' })
    const other = await market.user('other')
    const stolen = { body: { digest: refused.digest, decision: 'yes' } }
    expect(await ask({ url: market.url, token: other.token }, path, stolen)).toMatchObject({ code: 'purchase-not-found' })
    expect(await confirm(refused, { decision: 'no' })).toMatchObject({ state: 'declined' })
    expect(await ask(by(), path, stolen)).toMatchObject({ status: 409, code: 'nothing-proposed' })
    const late = await propose('/weather')
    time.advance(16 * 60_000, market.service.world.deps.wakeups)
    const asked = { body: { digest: late.digest, decision: 'yes' } }
    expect(await ask(by(), `/v1/purchases/${late.purchase_id}/confirm`, asked)).toMatchObject({ code: 'proposal-expired' })
    expect(seller.settled()).toBe(settled)
  })

  test('for more than the wallet holds', async () => {
    seller.ask(9_000_000_000n)
    const proposed = await propose('/weather')
    const body = { digest: proposed.digest, decision: 'yes' }
    expect(await ask(by(), `/v1/purchases/${proposed.purchase_id}/confirm`, { body })).toMatchObject({ status: 402 })
    seller.ask(20_000n)
  })
})

test('of many concurrent yes answers, one pays', async () => {
  const before = await balanceOf(seller.payTo)
  const proposed = await propose('/weather')
  const answers = await Promise.all(Array.from({ length: 6 }, () => confirm(proposed)))
  for (const it of answers) expect(it).toMatchObject({ state: 'paid', purchase_id: proposed.purchase_id })
  expect(await balanceOf(seller.payTo)).toBe((before ?? 0n) + 20_000n)
})

test('the same idempotency key returns the same purchase, also after it was paid', async () => {
  const body = { url: `${seller.url}/weather` }
  const headers = { 'idempotency-key': 'job-7' }
  const first = purchaseRecord.parse((await ask(by(), '/v1/purchases', { body, headers })).body)
  const paid = await confirm(first)
  expect(await ask(by(), '/v1/purchases', { body, headers })).toMatchObject({ body: paid })
  const other = { url: `${seller.url}/echo`, body: {} }
  expect(await ask(by(), '/v1/purchases', { body: other, headers })).toMatchObject({ code: 'idempotency-conflict' })
})

test('a mandate covers a purchase without asking, up to its limits', async () => {
  const rich = await market.user('rich')
  const mandate = { max_per_job: '0.03', max_per_period: '0.03', period: 'day' }
  await rich.client.post('/v1/mandates', mandate)
  const buy = async () => purchaseRecord.parse(await rich.client.post('/v1/purchases', { url: `${seller.url}/weather` }))
  const covered = await buy()
  expect(covered).toMatchObject({ state: 'paying', mandate_id: expect.stringContaining('mandate') })
  await until('the payment', async () => {
    const it = purchaseRecord.parse(await rich.client.get(`/v1/purchases/${covered.purchase_id}`))
    return it.state === 'paid'
  })
  expect(await rich.client.get('/v1/mandates')).toMatchObject({ mandates: [{ used: '0.02', left: '0.01' }] })
  expect(await buy()).toMatchObject({ state: 'proposed', mandate_id: null })
})

test('market pay shows the terms, pays up to --max with --yes, and ends with one object', async () => {
  const env = { SERVICE_ENDPOINT: market.url, XDG_CONFIG_HOME: market.dir, SERVICE_PROXY_AUTH: user.token, AGENT_ID: '' }
  const pay = async (...more: string[]) => {
    const { code, out, err } = await start(['pay', `${seller.url}/weather`, '--json', ...more], { env }).ended
    return { code, err, object: parseJson(out.trimEnd().split('\n').at(-1) ?? '') }
  }
  const settled = seller.settled()
  expect(await pay('--yes')).toMatchObject({ code: 1, object: { error: expect.stringContaining('--max') } })
  expect(await pay('--yes', '--max', '0.01')).toMatchObject({ code: 1, object: { code: 'resource-not-payable' } })
  const asked = await pay()
  expect(asked).toMatchObject({ code: 1, object: { error: expect.stringContaining('Nothing was paid') } })
  expect([asked.err.includes('0.02 USDC on eip155:97'), asked.err.includes(seller.payTo)]).toEqual([true, true])
  expect(seller.settled()).toBe(settled)
  expect(await pay('--yes', '--max', '0.02')).toMatchObject({ code: 0, object: { status: 200, content: '{"weather":"sunny"}' } })
  expect(seller.settled()).toBe(settled + 1)
}, 60_000)
