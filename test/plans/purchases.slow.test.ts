import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { lower, type Seller, startSeller } from '../features/x402Buying/seller.ts'
import { ask, paymentsOf, readRun, rested, talk } from '../hire/market.ts'
import { startTestService, type TestService, type User, until } from '../service.ts'
import { offers } from './planWorld.ts'

let market: TestService
let user: User
let seller: Seller
beforeAll(async () => {
  market = await startTestService()
  await market.agent({
    ...{ handle: 'sum', offerings: [offers.summarizer] },
    handler: () => ({ summary: 'It is sunny.' }),
  })
  await market.agent({ handle: 'clock', offerings: [offers.clock], handler: () => ({ time: '10:00' }) })
  user = await market.user('buyer')
  seller = await startSeller(market, lower(`0x${'5e'.repeat(20)}`))
})
afterAll(async () => {
  await seller?.stop()
  await market?.stop()
})

const balanceOf = async (of: string) => (await market.service.world.deps.chains.get(97)?.usdcBalance(lower(of))) ?? 0n
const confirm = (of: User, runId: string, digest = '', wait_ms = 20_000) =>
  ask({ url: market.url, token: of.token }, `/v1/hires/${runId}/confirm`, { body: { digest, decision: 'yes', wait_ms } })
const threeFor = () =>
  `1. Pay for ${seller.url}/weather\n2. Summarize the result\n3. Pay for ${seller.url}/echo with {"say":"good morning"}`

test('two purchases and a hire are one plan with one yes, and the answer that was paid flows on', async () => {
  const [mine, theirs] = [await balanceOf(user.proxy), await balanceOf(seller.payTo)]
  const asked = await talk(user).say(threeFor())
  expect(asked.data).toMatchObject({ state: 'awaiting-confirmation' })
  expect(asked.data.plan).toMatchObject({
    ...{ total: '0.34', unplanned: [] },
    steps: [
      { price: '0.02', needs: [], purchase: { url: `${seller.url}/weather`, method: 'GET', payee: seller.payTo } },
      { agent_handle: 'sum', price: '0.3', needs: [1], input: '{"text":{"from":1,"path":""}}' },
      { price: '0.02', purchase: { url: `${seller.url}/echo`, method: 'POST', payee: seller.payTo } },
    ],
  })
  expect(asked.content).toContain(`Payee      ${seller.payTo}, without escrow: an answer that you do not like stays paid`)
  expect(asked.data.plan?.steps[2]?.purchase?.body_hash).toMatch(/^[0-9a-f]{64}$/)
  for (const words of ['a GET request', 'your JSON (SHA-256 ', 'It says    Weather of today', 'a hire that fails comes back'])
    expect(asked.content).toContain(words)
  expect(await balanceOf(seller.payTo)).toBe(theirs)
  await confirm(user, asked.run_id, asked.data.plan?.digest)
  const done = await rested(user, asked.run_id)
  expect(done.plan).toMatchObject({
    ...{ state: 'ended', paid: '0.34', refunded: '0', unspent: '0' },
    steps: [{ state: 'paid' }, { state: 'paid', input: '{"text":"{\\"weather\\":\\"sunny\\"}"}' }, { state: 'paid' }],
  })
  for (const words of ['3 of 3 steps are done', 'weather: sunny', 'good morning']) expect(done.content).toContain(words)
  expect([mine - (await balanceOf(user.proxy)), (await balanceOf(seller.payTo)) - theirs]).toEqual([340_000n, 40_000n])
  const sums = (await paymentsOf(user, asked.run_id)).filter(it => it.payee === seller.payTo).map(it => it.amount)
  expect(sums).toEqual(['0.02', '0.02'])
})

test("what another market's paid call delivered flows on, without the record around it", async () => {
  const address = `${market.url}/x402/agents/clock/offerings/time with {"city":"Oslo"}`
  const asked = await talk(user).say(`1. Pay for ${address}\n2. Summarize the result`)
  expect(asked.data.plan?.steps).toMatchObject([{ purchase: { method: 'POST' } }, { needs: [1] }])
  await confirm(user, asked.run_id, asked.data.plan?.digest)
  const done = await rested(user, asked.run_id)
  expect(done.plan?.steps).toMatchObject([{ state: 'paid' }, { state: 'paid', input: '{"text":"{\\"time\\":\\"10:00\\"}"}' }])
  expect(done.content).not.toContain('payment_id')
})

test('what needs the answer of a seller that refuses is left out, nothing is paid for it, and the others go on', async () => {
  const theirs = await balanceOf(seller.payTo)
  const asked = await talk(user).say(`1. Pay for ${seller.url}/weather\n2. Summarize the result\n3. Tell me the time in Oslo`)
  expect(asked.data.plan?.steps).toHaveLength(3)
  seller.refuse(100)
  await confirm(user, asked.run_id, asked.data.plan?.digest, 0)
  const stateOf = async (at: number) => (await readRun(user, asked.run_id)).plan?.steps[at]?.state
  await until('the other step to be paid', async () => (await stateOf(2)) === 'paid')
  await until('the needy step to be left out', async () => (await stateOf(1)) === 'skipped')
  seller.refuse(0)
  // Until its authorization lapses, the seller could still use it, so its price is not told as unspent.
  expect((await readRun(user, asked.run_id)).plan).toMatchObject({ state: 'running', paid: '0.1', unspent: '0.3' })
  expect(await balanceOf(seller.payTo)).toBe(theirs)
})

test('a service that stops while a plan pays goes on with it, pays each seller once, and its bill is the chain', async () => {
  const [theirs, mine] = [await balanceOf(seller.payTo), await balanceOf(user.proxy)]
  const asked = await talk(user).say(threeFor())
  seller.drop(1)
  await confirm(user, asked.run_id, asked.data.plan?.digest, 0)
  await market.restart()
  const done = await rested(user, asked.run_id)
  seller.drop(0)
  expect(done.plan).toMatchObject({ state: 'ended', refunded: '0' })
  // An answer that is lost with the process is not given again: then the hire that needs it is left out.
  const { paid, unspent } = done.plan ?? {}
  expect([
    ['0.34', '0'],
    ['0.04', '0.3'],
  ]).toContainEqual([paid, unspent])
  expect(mine - (await balanceOf(user.proxy))).toBe(paid === '0.34' ? 340_000n : 40_000n)
  // The seller counts no settlement whose answer the stop cut off, so its balance tells.
  expect((await balanceOf(seller.payTo)) - theirs).toBe(40_000n)
})

test('a step of a plan is not paid for alone, neither before the yes nor without it', async () => {
  const asked = await talk(user).say(threeFor())
  const shown = z.object({ purchases: z.array(z.object({ purchase_id: z.string(), state: z.string(), digest: z.string() })) })
  const [open] = shown.parse(await user.client.get('/v1/purchases')).purchases.filter(it => it.state === 'proposed')
  const body = { digest: open?.digest, decision: 'yes' }
  const settled = seller.settled()
  const at = { url: market.url, token: user.token }
  expect((await ask(at, `/v1/purchases/${open?.purchase_id}/confirm`, { body })).status).toBeGreaterThanOrEqual(400)
  expect(seller.settled()).toBe(settled)
  expect((await readRun(user, asked.run_id)).plan).toMatchObject({ state: 'proposed', paid: '0' })
})

test('a seller that is not there is no step, and its reason is said', async () => {
  const asked = await talk(user).say(
    `1. Pay for ${seller.url}/nothing\n2. Tell me the time in Oslo\n3. Pay for ${seller.url}/weather`,
  )
  expect(asked.data.plan).toMatchObject({ steps: [{ agent_handle: 'clock' }, { purchase: { method: 'GET' } }] })
  expect(asked.data.plan?.unplanned.join()).toContain('/nothing')
  expect(asked.content).toContain('I did not pay for')
})

test('a resource that answers for nothing is no step, and its answer is said once', async () => {
  const asked = await talk(user).say(
    `1. Pay for ${seller.url}/free\n2. Tell me the time in Oslo\n3. Pay for ${seller.url}/weather`,
  )
  expect(asked.data.plan).toMatchObject({ unplanned: [], steps: [{ agent_handle: 'clock' }, { purchase: { method: 'GET' } }] })
  expect(asked.content.split(`${seller.url}/free`)).toHaveLength(2)
  expect(asked.content).toContain('answered without a payment')
})
