import { afterEach, expect, test } from 'vitest'
import { acceptMessage } from '../../src/operations/hires/acceptMessage.ts'
import { answerProposal } from '../../src/operations/hires/confirmHire.ts'
import { type Market, offers, openPlanWorld, start } from './planWorld.ts'

let market: Market
afterEach(() => market?.close())

const both = 'Tell me the time in Tokyo and tell me the weather in London'

test('the same request and the same yes sent twice are one plan, which hires each step once and accepts the yes again', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather] })
  const request = { scope: `invoke:${market.user}`, key: 'k', hash: 'h' }
  const said = { user: market.user, conversationId: 'c', chainId: 97, text: both, request }
  const { runId } = await acceptMessage(market.deps, said)
  await market.work()
  expect((await acceptMessage(market.deps, said)).runId).toBe(runId)
  const digest = (await market.record(runId)).plan?.digest ?? ''
  const yes = async (to = digest) => {
    const run = await market.store.run(runId)
    if (!run) throw new Error('no run')
    await answerProposal(run, { digest: to, decision: 'yes' }, market.deps)
  }
  await Promise.all([yes(), yes()])
  await market.settle()
  await yes()
  expect((await market.record(runId)).plan).toMatchObject({ digest, state: 'running' })
  await market.deliver('clock', { time: '10:00' })
  await market.deliver('weather', { forecast: 'rain' })
  await yes()
  await expect(yes('f'.repeat(32))).rejects.toThrow('proposal')
  expect((await market.record(runId)).plan).toMatchObject({ state: 'ended', paid: '0.3' })
  expect(await market.store.jobs({ limit: 10, offset: 0 })).toHaveLength(2)
  expect(await market.balance(market.userWallet)).toBe(start - 300_000n)
})
