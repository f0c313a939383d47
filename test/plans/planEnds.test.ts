import { MemorySaver } from '@langchain/langgraph'
import { afterEach, expect, test } from 'vitest'
import { createButler } from '../../graphs/butler/advance.ts'
import { toInvokeAnswer } from '../../src/operations/messages/invoke.ts'
import { advancePlan } from '../../src/operations/plans/advancePlan.ts'
import { agreePlan } from '../../src/operations/plans/agreePlan.ts'
import { type Market, offers, openPlanWorld } from './planWorld.ts'

let market: Market
afterEach(() => market?.close())

const both = 'Tell me the time in Tokyo and tell me the weather in London'
const open = async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather] })
  return market.ask(both)
}

test('an answer has its plan and its ended job, also where they were read beside the run before they were stored', async () => {
  const { run_id, plan } = await open()
  const run = await market.store.run(run_id)
  const answered = run && (await toInvokeAnswer(run, market.deps, [undefined, undefined]))
  expect(answered?.data.plan?.digest).toBe(plan?.digest)
  const { run_id: hired } = await market.ask('Tell me the time in Tokyo', 'run-2')
  await market.answer('yes', { id: hired })
  const before = await market.store.jobOfRun(hired)
  await market.deliver('clock', { time: '10:00' })
  await market.settle()
  const ended = await market.store.run(hired)
  expect(ended && (await toInvokeAnswer(ended, market.deps, [before, undefined]))).toMatchObject({
    data: { state: 'completed', job: { state: 'settled' } },
  })
})

test('a plan whose yes finds too little money is over, and waits for no other yes', async () => {
  await open()
  market.fund(market.userWallet, -(await market.balance(market.userWallet)))
  const done = await market.answer('yes')
  expect(done).toMatchObject({ state: 'completed', plan: { state: 'declined', paid: '0' } })
  expect(done.content).toContain('Your wallet holds 0 USDC')
  expect(await market.store.jobs({ limit: 10, offset: 0 })).toEqual([])
})

test('a plan is not agreed to with the money that a plan under way may still spend', async () => {
  market = await openPlanWorld({ weather: [offers.weather], summarizer: [offers.summarizer] })
  const chain = '1. Tell me the weather in London\n2. Summarize the result'
  await market.ask(chain)
  await market.answer('yes')
  await market.settle()
  // Of 0.5 USDC 0.2 are in escrow. The second plan needs 0.5 as well, and 0.3 are kept for the first.
  market.fund(market.userWallet, 799_999n - (await market.balance(market.userWallet)))
  await market.ask(chain, 'run-2')
  const second = await market.answer('yes', { id: 'run-2' })
  expect(second).toMatchObject({ state: 'completed', plan: { state: 'declined', paid: '0' } })
  expect(second.content).toContain('0.3 USDC are kept for your plans under way')
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

test('a plan that runs goes on in a process that knows nothing of it, whatever is offered by then', async () => {
  market = await openPlanWorld({ weather: [offers.weather], sum: [offers.summarizer] })
  const asked = await market.ask('Tell me the weather in London. Then summarize the result.')
  const digest = asked.plan?.digest ?? ''
  const { interruptId = '' } = (await market.store.run('run-1')) ?? {}
  await market.store.addRunInput('run-1', interruptId, { kind: 'decision', decision: 'yes', digest, text: 'yes' })
  expect(await agreePlan(market.deps, 'run-1', digest)).toBeUndefined()
  await advancePlan(market.deps, 'run-1')
  // The process dies before it stores the thread, and an offering is gone when the next one starts.
  await market.store.putOfferings(market.agentOf('sum').key, [])
  await market.search.remove(market.agentOf('sum').id)
  const other = createButler(market.butlerDeps, new MemorySaver())
  await market.work(other)
  const going = await market.record()
  expect(going).toMatchObject({ state: 'awaiting-job', plan: { digest, state: 'running' } })
  expect(going.proposal).toBeUndefined()
  await market.pump()
  await market.work(other)
  const job = await market.store.leaseJob(market.agentOf('weather').id)
  await market.store.moveJob(job?.id ?? '', 'submit', { deliverable: '{"forecast":"rain"}' })
  for (let rounds = 0; rounds < 3; rounds += 1) {
    await market.work(other)
    await market.pump()
  }
  await market.work(other)
  expect(await market.record()).toMatchObject({
    state: 'completed',
    plan: { state: 'ended', paid: '0.2', steps: [{ state: 'paid' }, { state: 'failed' }] },
  })
})
