import { afterAll, beforeAll, expect, test } from 'vitest'
import { activityPage } from '../../src/records/market/activity.ts'
import { offers } from '../plans/planWorld.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { ask, balancesOf, eventsOf, paymentsOf, plain, provider, rested, talk } from './market.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

/** Hires an agent at a price by use, and returns the job that it has taken. */
const hire = async (unit: string, { cap, perUnit, user }: { cap: string; perUnit: string; user: string }) => {
  const poet = await provider(market, plain(cap, { usage: { unit, perUnit } }))
  const buyer = await market.user(user)
  const before = await balancesOf(buyer, { agent: poet.wallet })
  const { say } = talk(buyer)
  const asked = await say(`Hire agent ${poet.handle} to write a haiku`)
  await say('yes', 0)
  const { job_id } = await poet.take()
  return { poet, buyer, before, asked, jobId: job_id, runId: asked.run_id }
}

test.each([
  { name: 'a part of the cap', words: 'An old silent pond', used: 0.18, units: undefined },
  { name: 'fewer units than are counted', words: 'An old silent pond', used: 0.05, units: 5 },
  { name: 'at most what is counted', words: 'An old silent pond', used: 0.18, units: 5_000 },
  { name: 'at most the cap', words: 'An old silent pond. '.repeat(10), used: 0.5, units: undefined },
  { name: 'nothing', words: 'An old silent pond', used: 0, units: 0 },
])('a hire at a price by use pays $name, and the rest is back with the payment', async ({ words, used, units, name }) => {
  const { poet, buyer, before, asked, jobId, runId } = await hire('characters', { cap: '0.5', perUnit: '0.01', user: name })
  expect(asked.content).toContain('at most 0.5 USDC in escrow: 0.01 USDC per unit (characters, counted in the deliverable)')
  expect(asked.data.proposal).toMatchObject({ total: '0.5', usage: { unit: 'characters', perUnit: '0.01' } })
  const { status } = await poet.report(jobId, { deliverable: words, ...(units !== undefined && { units }) })
  expect(status).toBe(200)
  const run = await rested(buyer, runId)
  expect(run.job).toMatchObject({
    state: 'settled',
    amount: '0.5',
    used: { unit: 'characters', charged: units === undefined || units > 18 ? words.length : units },
  })

  const after = await balancesOf(buyer, { agent: poet.wallet })
  const near = (it: number) => expect.closeTo(it, 9)
  expect(after).toEqual({ ...before, user: near(before.user - used), agent: near(used), escrow: before.escrow })
  const payments = await paymentsOf(buyer, runId)
  const back = payments.find(it => it.type === 'refund')
  expect(payments.map(it => [it.type, Number(it.amount)])).toEqual([
    ['escrow', 0.5],
    ...(used > 0 ? [['payout', used]] : []),
    ...(used < 0.5 ? [['refund', near(0.5 - used)]] : []),
  ])
  // One transaction pays and returns.
  for (const payout of payments.filter(it => it.type === 'payout'))
    expect(back?.transaction ?? payout.transaction).toBe(payout.transaction)
  const paid = (await eventsOf(buyer, runId)).find(it => it.type === 'payment.settled')
  expect(Number(paid?.data.used)).toBeCloseTo(used, 9)
})

test('the activity of the buyer has the hire and the part that came back, and the agent earned what was used', async () => {
  const { poet, buyer, jobId, runId } = await hire('characters', { cap: '0.5', perUnit: '0.01', user: 'ann' })
  await poet.report(jobId, { deliverable: 'An old silent pond' })
  await rested(buyer, runId)
  const found = await until('both movements', async () => {
    const { activity } = activityPage.parse(await buyer.client.get('/v1/activity'))
    const own = activity.filter(it => it.job_id === jobId)
    return own.length === 2 && own.map(it => [it.kind, it.amount])
  })
  expect(found).toEqual([
    ['refund', '0.32'],
    ['hire', '-0.5'],
  ])
  const path = `/agents/${poet.agentId}/earnings?starts=1970-01-01T00:00:00Z`
  expect((await ask({ url: market.url, token: poet.token }, path)).body).toMatchObject([{ amount: '0.18' }])
  const agent = await ask({ url: market.url }, `/agents/${poet.agentId}`)
  expect(agent.body).toMatchObject({ stats: { total_revenue: 0.18 } })
})

test('units that only the agent knows are told as stated, and a completion without them is refused', async () => {
  const { poet, buyer, asked, jobId, runId } = await hire('pages', { cap: '1', perUnit: '0.25', user: 'pat' })
  expect(asked.content).toContain('(pages, stated by the agent)')
  for (const units of [null, 'three', 2.5, -1])
    expect(await poet.report(jobId, { deliverable: 'Three pages', units })).toMatchObject({
      status: 422,
      body: { pointer: '/units' },
    })
  expect((await poet.report(jobId, { deliverable: 'Three pages', units: 3 })).status).toBe(200)
  const run = await rested(buyer, runId)
  expect(run.job).toMatchObject({ state: 'settled', used: { stated: 3, charged: 3, counting: 'stated by the agent' } })
  expect((await paymentsOf(buyer, runId)).map(it => [it.type, it.amount])).toEqual([
    ['escrow', '1'],
    ['payout', '0.75'],
    ['refund', '0.25'],
  ])
})

test('a rejected hire at a price by use returns the whole cap', async () => {
  const { poet, buyer, before, jobId, runId } = await hire('characters', { cap: '0.5', perUnit: '0.01', user: 'rex' })
  await poet.report(jobId, { status: 'failed', error: 'no ink' })
  expect((await rested(buyer, runId)).job?.state).toBe('refunded')
  expect(await balancesOf(buyer)).toMatchObject({ user: before.user, escrow: before.escrow })
})

test.each([
  ['a unit that is no name', { unit: '1', per_unit: '0.1', up_to: 1 }, '/unit'],
  ['no price of a unit', { unit: 'pages', up_to: 1 }, '/per_unit'],
  ['a cap below one unit', { unit: 'pages', per_unit: '2', up_to: 1 }, '/up_to'],
  ['items without a list', { unit: 'items', per_unit: '0.1', up_to: 1 }, '/unit'],
])('a price by use with %s is refused', async (_name, price, pointer) => {
  const owner = await market.user('owner')
  const price_v2 = { type: 'usage', currency: 'USDC', ...price }
  const { price: _price, ...offering } = plain('0')
  const body = { handle: 'usage-refused', chain_id: 97, via_gateway: true, job_offerings: [{ ...offering, price_v2 }] }
  const answer = await ask({ url: market.url, token: owner.token }, '/agents/register', { body })
  expect(answer).toMatchObject({ status: 422, code: 'invalid-price', body: { pointer: `/job_offerings/0/price_v2${pointer}` } })
})

test('an offering at a price by use shows its cap, its unit and how it is counted, and is not sold by x402', async () => {
  const poet = await provider(market, plain('0.5', { usage: { unit: 'Character', perUnit: '0.0000005' } }))
  const { body } = await ask({ url: market.url }, `/agents/${poet.agentId}`)
  const price_v2 = { type: 'usage', amount: 0.5, up_to: 0.5, unit: 'characters', per_unit: '0.0000005', currency: 'USDC' }
  expect(body).toMatchObject({
    job_offerings: [{ price: 0.5, price_v2: { ...price_v2, counting: 'counted in the deliverable' } }],
  })
  const sold = await ask({ url: market.url }, `/x402/agents/${poet.agentId}/offerings/plain`, { body: {} })
  expect(sold).toMatchObject({ status: 404, code: 'offering-not-found' })
  const listed = await ask({ url: market.url }, '/x402/discovery/resources?limit=100')
  expect(JSON.stringify(listed.body)).not.toContain(encodeURIComponent(poet.agentId))
})

test('an agent of the kit states its units, and reads what one costs', async () => {
  const usage = { unit: 'pages', perUnit: '0.25' }
  await market.agent({
    ...{ handle: 'pager', offerings: [plain('1', { usage })] },
    handler: ({ job, used }) => {
      used(1)
      used(2)
      return `At ${job?.usage?.perUnit} USDC for each of the ${job?.usage?.unit}`
    },
  })
  const buyer = await market.user('kit')
  const { say } = talk(buyer)
  const { run_id } = await say('Hire agent pager to write a haiku')
  const { data } = await say('yes')
  expect(data.job).toMatchObject({ state: 'settled', deliverable: 'At 0.25 USDC for each of the pages', used: { charged: 2 } })
  expect((await paymentsOf(buyer, run_id)).map(it => it.amount)).toEqual(['1', '0.5', '0.5'])
  expect((await say('what did I spend?')).content).toContain('0.5 USDC')
})

test('a step of a plan at a price by use is billed by what was used', async () => {
  const clock = { ...offers.clock, usage: { unit: 'characters', perUnit: '0.01' } }
  await market.agent({ handle: 'clock', offerings: [clock], handler: () => ({ time: '10:00' }) })
  await market.agent({ handle: 'weather', offerings: [offers.weather], handler: () => ({ forecast: 'rain' }) })
  const { say } = talk(await market.user('planner'))
  await say('Tell me the time in Tokyo and tell me the weather in London')
  const { data } = await say('yes')
  expect(data.plan).toMatchObject({ state: 'ended', total: '0.3', paid: '0.25', refunded: '0.05', unspent: '0.05' })
})

test('a mandate counts the most that a price by use can cost, and its receipt says what was used', async () => {
  const { buyer, jobId, runId, poet } = await hire('characters', { cap: '0.5', perUnit: '0.01', user: 'max' })
  await poet.report(jobId, { deliverable: 'An old silent pond' })
  await rested(buyer, runId)
  const { body } = await ask({ url: market.url, token: buyer.token }, `/runs/${runId}/receipt`)
  const [, payload = ''] = JSON.stringify(body).split('.')
  const receipt = JSON.parse(Buffer.from(payload, 'base64url').toString())
  expect(JSON.stringify(receipt)).toContain('"used":{"charged":18,"counted":18}')

  const terms = { max_per_job: '0.6', max_per_period: '0.6', period: 'day' }
  await buyer.client.post('/v1/mandates', { ...terms, ask_above: '0.6' })
  const { say } = talk(buyer)
  const hired = await say(`Hire agent ${poet.handle} to write a haiku`, 0)
  await poet.report((await poet.take()).job_id, { deliverable: 'An old silent pond' })
  await rested(buyer, hired.run_id)
  const next = await talk(buyer).say(`Hire agent ${poet.handle} to write a haiku`)
  expect(next.data).toMatchObject({ state: 'awaiting-confirmation', proposal: { mandate: { left: '0.1', covers: false } } })
})
