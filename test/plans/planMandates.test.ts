import { afterEach, expect, test } from 'vitest'
import { acceptMessage } from '../../src/operations/hires/acceptMessage.ts'
import { type Market, offers, openPlanWorld, start } from './planWorld.ts'

let market: Market
afterEach(() => market?.close())

const both = 'Tell me the time in Tokyo and tell me the weather in London'
const terms = { decimals: 6, period: 'day' as const, categories: [], payees: [], expiresAt: Number.MAX_SAFE_INTEGER }

/** Asks for two things under a mandate with this limit in atomic USDC, and returns the run. */
const askUnder = async (most: bigint, over: { askAbove?: bigint; categories?: string[] } = {}, text = both) => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather], sum: [offers.summarizer] })
  const limits = { maxPerJob: most, maxPerPeriod: most, askAbove: most }
  await market.store.addMandate({ id: 'm', user: market.user, chainId: 97, ...limits, ...terms, ...over })
  const said = { user: market.user, conversationId: 'c', chainId: 97, text }
  const { runId } = await acceptMessage(market.deps, said)
  await market.work()
  return runId
}
const usedOf = async () => (await market.store.mandates({ user: market.user, limit: 1 }))[0]?.used

test('a mandate that covers each step and the total runs the plan without a question, and gets back what was not spent', async () => {
  const id = await askUnder(1_000_000n)
  expect(await market.record(id)).toMatchObject({ state: 'awaiting-job', plan: { state: 'running', mandate: { covers: true } } })
  expect(await usedOf()).toBe(300_000n)
  await market.deliver('clock', { time: '10:00' })
  await market.fail('weather')
  await market.settle()
  expect(await market.record(id)).toMatchObject({ state: 'completed', plan: { state: 'ended', paid: '0.1', refunded: '0.2' } })
  expect(await usedOf()).toBe(100_000n)
  expect(await market.balance(market.userWallet)).toBe(start - 100_000n)
})

test.each([
  ['has less left than the total', 250_000n, {}],
  ['asks above the total', 1_000_000n, { askAbove: 250_000n }],
  ['is for agents of another kind', 1_000_000n, { categories: ['law'] }],
])('a mandate that %s leaves the plan to its user', async (_, most, over) => {
  const id = await askUnder(most, over)
  expect(await market.record(id)).toMatchObject({
    state: 'awaiting-confirmation',
    plan: { state: 'proposed', mandate: { covers: false } },
  })
  expect(await usedOf()).toBe(0n)
})

test.each([
  `${both}, at most 0.25 USDC in total`,
  `${both}. I pay no more than 0.25 USDC altogether.`,
  `${both}.\nBudget: 0.25 USDC`,
  `${both}. My budget is 0.25 USDC.`,
  `${both} for at most 0.25 USDC`,
  `${both} for at most 0.25, please`,
])('a limit for all tasks that their total exceeds is told, and no mandate says yes: %s', async text => {
  const id = await askUnder(1_000_000n, {}, text)
  expect(await market.record(id)).toMatchObject({
    state: 'awaiting-confirmation',
    content: expect.stringContaining('You said at most 0.25 USDC. All steps together cost 0.3 USDC.'),
    plan: { state: 'proposed', total: '0.3' },
  })
  expect(await usedOf()).toBe(0n)
})

test('a limit that is said once of two places holds for both together', async () => {
  const id = await askUnder(1_000_000n, {}, 'Tell me the weather in London and Paris for at most 0.25 USDC')
  expect(await market.record(id)).toMatchObject({
    state: 'awaiting-confirmation',
    content: expect.stringContaining('You said at most 0.25 USDC. All steps together cost 0.4 USDC.'),
  })
  expect(await usedOf()).toBe(0n)
})

test.each([
  `${both}, at most 0.3 USDC in total`,
  'Tell me the time in Tokyo for at most 0.2 USDC, and tell me the weather in London for at most 0.25 USDC',
])('a limit that the plan keeps says nothing: %s', async text => {
  const id = await askUnder(1_000_000n, {}, text)
  expect(await market.record(id)).toMatchObject({ state: 'awaiting-job', plan: { state: 'running', total: '0.3' } })
})

test('a mandate that is revoked opens no further step of its plan', async () => {
  const id = await askUnder(1_000_000n, {}, 'Tell me the weather in London. Then summarize the result.')
  expect((await market.record(id)).plan).toMatchObject({ state: 'running', steps: [{}, { needs: [1] }] })
  await market.settle()
  await market.store.revokeMandate('m', market.user)
  await market.deliver('weather', { forecast: 'rain' })
  await market.settle()
  expect(await market.record(id)).toMatchObject({
    plan: {
      state: 'ended',
      paid: '0.2',
      steps: [{ state: 'paid' }, { state: 'failed', reason: expect.stringContaining('mandate') }],
    },
  })
  expect(await market.store.jobs({ limit: 10, offset: 0 })).toHaveLength(1)
})
