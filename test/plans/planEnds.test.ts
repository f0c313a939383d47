import { afterEach, expect, test } from 'vitest'
import { type Market, offers, openPlanWorld } from './planWorld.ts'

let market: Market
afterEach(() => market?.close())

const both = 'Tell me the time in Tokyo and tell me the weather in London'
const open = async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather] })
  return market.ask(both)
}

test('a plan whose yes finds too little money is over, and waits for no other yes', async () => {
  await open()
  market.fund(market.userWallet, -(await market.balance(market.userWallet)))
  const done = await market.answer('yes')
  expect(done).toMatchObject({ state: 'completed', plan: { state: 'declined', paid: '0' } })
  expect(done.content).toContain('Your wallet holds 0 USDC')
  expect(await market.store.jobs({ limit: 10, offset: 0 })).toEqual([])
})

test('a plan of which one task is left is a hire, and no plan waits beside it', async () => {
  const asked = await open()
  const one = await market.answer('skip 2')
  expect(one).toMatchObject({ state: 'awaiting-confirmation', proposal: { agentHandle: 'clock' } })
  expect(one.plan?.state).not.toBe('proposed')
  await market.store.keepRunInput('run-1', 'late', {
    kind: 'decision',
    decision: 'yes',
    digest: asked.plan?.digest ?? '',
    text: 'yes',
  })
  expect(await market.store.agreePlan({ runId: 'run-1', digest: asked.plan?.digest ?? '', mandateId: undefined })).toBe(false)
})
