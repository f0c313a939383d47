import { extractDiscoveryInfo } from '@x402/extensions/bazaar'
import { extractPaymentIdentifier } from '@x402/extensions/payment-identifier'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { ask, eventsOf, readRun, rested, talk } from '../../hire/market.ts'
import { startTestService, type TestService, type User, until } from '../../service.ts'
import { purchasesFor } from './purchasing.ts'
import { listen, lower } from './seller.ts'
import { startStrictSeller } from './strictSeller.ts'

const payTo = lower(`0x${'5f'.repeat(20)}`)
let market: TestService
let user: User
let seller: Awaited<ReturnType<typeof startStrictSeller>>
beforeAll(async () => {
  market = await startTestService()
  user = await market.user('buyer')
  seller = await startStrictSeller(market, payTo)
})
afterAll(async () => {
  await seller?.stop()
  await market?.stop()
})

const { confirm, read, ...purchases } = purchasesFor(() => user)
const propose = (path: string) => purchases.propose(`${seller.url}${path}`)
const received = async () => market.service.world.deps.chains.get(97)?.usdcBalance(payTo)
const ledgerOf = async (runId: string) => (await market.service.world.deps.store.ledger({ runId })).map(it => it.amount)

test("a stock seller that requires an identifier is paid: it gets the purchase's id, and its own extensions back", async () => {
  const paid = await confirm(await propose('/identified'))
  expect(paid).toMatchObject({ state: 'paid', status: 200, content: '{"weather":"sunny"}' })
  const [payment] = seller.payments.splice(0)
  if (!payment) throw new Error('no payment')
  expect(extractPaymentIdentifier(payment)).toBe(paid.purchase_id)
  expect(payment.extensions).toMatchObject({ 'payment-identifier': { info: { required: true } } })
  expect(extractDiscoveryInfo(payment, payment.accepted)).toMatchObject({ discoveryInfo: { input: { method: 'GET' } } })
})

test('a seller that answers 400 to the payment ends the purchase at once, and nothing is paid when the payment expires unused', async () => {
  const before = await received()
  const refused = await confirm(await propose('/refusing'))
  expect(refused).toMatchObject({
    ...{ state: 'refused', status: 400, content: '{"error":"this seller is in a bad mood"}', transaction: null },
    reason: expect.stringMatching(
      /^The resource answered with status 400\. It has not used .* until 20\d\d-\d\d-\d\d \d\d:\d\d UTC\./,
    ),
  })
  const run = await rested(user, refused.purchase_id)
  expect(run).toMatchObject({ state: 'failed', content: refused.reason })
  // The embedded chain has the time of this machine.
  const { now } = Date
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 13 * 60_000)
  onTestFinished(() => void vi.restoreAllMocks())
  const unpaid = await until('the end of the authorization', async () => {
    const it = await read(refused.purchase_id)
    return it.state === 'unpaid' ? it : undefined
  })
  expect([unpaid.reason, await received(), await ledgerOf(unpaid.purchase_id)]).toEqual([
    'The payment expired unused. Nothing was charged.',
    before,
    [],
  ])
})

test('a payment that a seller uses after its refusal is told and booked as paid, once', async () => {
  const before = (await received()) ?? 0n
  const refused = await confirm(await propose('/taking'))
  expect(refused.state).toBe('refused')
  await seller.take()
  const paid = await until('the payment', async () => {
    const it = await read(refused.purchase_id)
    return it.state === 'paid' ? it : undefined
  })
  expect(paid).toMatchObject({ status: 400, transaction: expect.stringMatching(/^0x/) })
  expect([await received(), await ledgerOf(paid.purchase_id)]).toEqual([before + 20_000n, [-20_000n, 20_000n]])
  expect((await eventsOf(user, paid.purchase_id)).map(it => it.type)).toContain('payment.settled')
  await until('the run to say so', async () => !(await readRun(user, paid.purchase_id)).content.includes('has not used'))
})

test('the butler tells of a refusal at once, with the words of the seller and where the money is', async () => {
  const { say } = talk(user)
  await say(`pay for ${seller.url}/refusing`)
  const { content } = await say('yes')
  expect(content).toContain(
    'refused the request. The resource answered with status 400. It has not used the signed payment so far',
  )
  expect(content).toContain('this seller is in a bad mood')
  expect(content).not.toContain('othing was')
})

/** A seller that answers 402 in its own way. */
const asksFor = async (headers: Record<string, string>, body: unknown = {}) => {
  const app = new Hono()
  app.get('/', c => c.json(Object(body), 402, headers))
  const { http, port } = await listen(app)
  onTestFinished(() => void http.close())
  return ask({ url: market.url, token: user.token }, '/v1/purchases', { body: { url: `http://127.0.0.1:${port}/` } })
}
const usdc = `0x${'8'.repeat(40)}`
const way = (scheme: string, network = 'eip155:97') => ({
  ...{ scheme, network, amount: '1', asset: usdc, payTo, maxTimeoutSeconds: 60, extra: { name: 'USDC', version: '2' } },
})

test.each([
  ['upto', [way('upto')], /^It does not accept a signed transfer .* It asks for upto on eip155:97 in 0x8{40}\.$/],
  [
    'batch-settlement',
    [way('batch-settlement', 'eip155:8453')],
    /^The scheme batch-settlement is .* batch-settlement on eip155:8453/,
  ],
  [
    'exact elsewhere',
    [way('exact', 'eip155:8453'), way('upto')],
    /^It does not accept .* asks for exact on eip155:8453 .*, upto on/,
  ],
  [
    'a text',
    [{ ...way('pay me now!'), network: '<b>' }],
    /^It does not accept a signed transfer of the USDC 0x\w{40} on chain 97\.$/,
  ],
])('the refusal of a seller that takes only %s names it', async (_name, accepts, words) => {
  const answer = await asksFor({}, { x402Version: 2, accepts })
  expect(answer).toMatchObject({ status: 422, code: 'resource-not-payable', body: { detail: expect.stringMatching(words) } })
})

test('the refusal of a seller that takes MPP names it, with its method', async () => {
  const challenge =
    'Payment id="x7Tg2pLq", realm="api.example.com", method="tempo", intent="charge", request="eyJhbW91bnQiOiIxIn0"'
  expect(await asksFor({ 'www-authenticate': challenge })).toMatchObject({
    ...{ status: 422, code: 'resource-not-payable' },
    body: { detail: expect.stringContaining('by MPP (WWW-Authenticate: Payment, method tempo, intent charge)') },
  })
  expect(await asksFor({ 'www-authenticate': 'Basic realm="Payment "' })).toMatchObject({
    body: { detail: expect.stringContaining('does not follow x402') },
  })
})
