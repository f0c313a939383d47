import { afterEach, expect, test } from 'vitest'
import { type Market, offers, openPlanWorld, start } from './planWorld.ts'

let market: Market
afterEach(() => market?.close())

test('two independent tasks are one plan with one total, and one yes pays both', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather] })
  const asked = await market.ask('Tell me the time in Tokyo and tell me the weather in London')
  expect(asked).toMatchObject({ state: 'awaiting-confirmation' })
  expect(asked.proposal).toBeUndefined()
  expect(asked.plan).toMatchObject({
    ...{ state: 'proposed', total: '0.3', paid: '0', unplanned: [] },
    steps: [
      { number: 1, agent_handle: 'clock', price: '0.1', state: 'waiting', input: '{"city":"Tokyo"}', needs: [] },
      { number: 2, agent_handle: 'weather', price: '0.2', state: 'waiting', input: '{"city":"London"}', needs: [] },
    ],
  })
  expect(await market.store.jobs({ limit: 10, offset: 0 })).toEqual([])
  expect(await market.answer('yes')).toMatchObject({ state: 'awaiting-job', plan: { state: 'running' } })
  await market.deliver('clock', { time: '10:00' })
  await market.deliver('weather', { forecast: 'rain' })
  const done = await market.record()
  expect(done).toMatchObject({ state: 'completed', plan: { state: 'ended', paid: '0.3', refunded: '0', unspent: '0' } })
  expect(done.plan?.steps).toMatchObject([{ state: 'paid' }, { state: 'paid' }])
  expect(done.content).toContain('2 of 2 steps are done. Of 0.3 USDC: 0.3 paid, 0 refunded, 0 never spent.')
  expect(await market.balance(market.userWallet)).toBe(start - 300_000n)
})
