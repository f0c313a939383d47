import { afterEach, expect, test } from 'vitest'
import { workKilledAt } from './killedAt.ts'
import { type Market, offers, openPlanWorld, start } from './planWorld.ts'

let market: Market
afterEach(() => market?.close())

const chain = 'Tell me the weather in London. Then summarize the result.'

test('a plan whose process is killed at any call goes on in the next one, and its bill is the same', {
  timeout: 120_000,
}, async () => {
  let isAlive = false
  for (let most = 1; !isAlive; most += 3) {
    market = await openPlanWorld({ weather: [offers.weather], sum: [offers.summarizer] })
    const { work, isDead } = workKilledAt(market, most)
    await market.run('run-1', chain)
    await work()
    const { interruptId = '', proposal } = (await market.store.run('run-1')) ?? {}
    const yes = { kind: 'decision' as const, decision: 'yes' as const, digest: proposal?.digest ?? '', text: 'yes' }
    await market.store.addRunInput('run-1', interruptId, yes)
    for (const [name, deliverable] of [
      ['weather', '{"forecast":"rain"}'],
      ['sum', '{"summary":"wet"}'],
    ] as const) {
      for (let rounds = 0; rounds < 4; rounds += 1) {
        await work()
        await market.pump()
      }
      const job = await market.store.leaseJob(market.agentOf(name).id)
      expect([most, name, job?.state]).toEqual([most, name, 'leased'])
      await market.store.moveJob(job?.id ?? '', 'submit', { deliverable })
      for (let rounds = 0; rounds < 4; rounds += 1) {
        await work()
        await market.pump()
      }
    }
    for (let rounds = 0; rounds < 4; rounds += 1) await work()
    const done = await market.record()
    expect([most, done.state, done.plan?.paid, done.plan?.state]).toEqual([most, 'completed', '0.5', 'ended'])
    expect(await market.store.jobs({ limit: 10, offset: 0 })).toHaveLength(2)
    expect(await market.balance(market.userWallet)).toBe(start - 500_000n)
    isAlive = !isDead()
    await market.close()
  }
  market = await openPlanWorld()
})
