import { afterEach, beforeEach, expect, test } from 'vitest'
import { rejectDeliverable } from '../../src/operations/hires/judgeDeliverable.ts'
import { describeEnd } from '../../src/operations/runs/readPayments.ts'
import { claimRefunds } from '../../src/workers/claimRefunds.ts'
import { endJobs } from '../../src/workers/endJobs.ts'
import { reconcileChain } from '../../src/workers/reconcileChain.ts'
import { sendTransactions } from '../../src/workers/sendTransactions.ts'
import { offering } from '../store/rows.ts'
import { openWorld, type World } from '../world.ts'

const start = 100_000_000n
const graceMs = 65 * 60_000

let world: World
let agent: Awaited<ReturnType<World['agent']>>
beforeEach(async () => {
  world = await openWorld()
  const deliverable = { type: 'object', required: ['notes'] }
  agent = await world.agent('scribe', [offering({ deliverable })])
  world.fund(world.userWallet, start)
})
afterEach(() => world.close())

const hired = () => world.hired('run-1', { agentId: agent.id, offeringId: 'notes' })
const end = () => endJobs(world.deps, 97).runOnce()
const claim = () => claimRefunds(world.deps, world.chain).runOnce()
const until = (at: number) => world.clock.pass(at - world.clock.now() + 1)
const balance = () => world.chain.usdcBalance(world.userWallet)
const words = async (id: string) => {
  const job = await world.store.job(id)
  return job && describeEnd(world.deps, job)
}

test.each([
  ['{"notes":"all"}', 'settled', start - 1_500_000n],
  ['{}', 'refunded', start],
])('a deliverable %s that nobody judged in time gets the verdict of its schema: %s', async (deliverable, state, left) => {
  const job = await hired()
  await world.pump()
  await world.store.leaseJob(agent.id)
  await world.store.moveJob(job.id, 'submit', { deliverable })
  until(job.deadlines.evaluateBy - 2)
  await end()
  expect(await world.store.job(job.id)).toMatchObject({ state: 'submitted' })
  until(job.deadlines.evaluateBy)
  await end()
  await end()
  await world.pump()
  expect(await world.store.job(job.id)).toMatchObject({ state })
  expect(await balance()).toBe(left)
  expect((await world.store.runEvents('run-1', 0, 100)).filter(it => it.kind === 'evaluated')).toHaveLength(1)
})

test('a hire that never reaches the chain is given up only when it can no longer be mined', async () => {
  const job = await hired()
  until(job.deadlines.expiresAt - 2)
  await end()
  expect(await world.store.job(job.id)).toMatchObject({ state: 'open' })
  until(job.deadlines.expiresAt)
  await end()
  expect(await world.store.job(job.id)).toMatchObject({ state: 'cancelled' })
  expect(await words(job.id)).toBe('The hire did not reach the chain before its authorization expired. Nothing was paid.')
})

test('a funding that arrives for a job that was given up is returned at once', async () => {
  const job = await hired()
  until(job.deadlines.expiresAt)
  await end()
  await world.pump()
  expect(await world.store.job(job.id)).toMatchObject({ state: 'refunded' })
  expect(await balance()).toBe(start)
  expect(await words(job.id)).toMatch(/authorization expired\. The 1\.5 USDC are back in your wallet\.$/)
  const ledger = await world.store.ledger({ jobId: job.id })
  expect(ledger.map(it => it.amount)).toEqual([-1_500_000n, 1_500_000n, -1_500_000n, 1_500_000n])
})

test('money still in escrow when anyone may return it is claimed, once', async () => {
  const job = await hired()
  await world.pump()
  await world.store.leaseJob(agent.id)
  await world.store.moveJob(job.id, 'submit', { deliverable: '{}' })
  // The evaluator's reject always fails.
  world.chain.refused.add('reject')
  await rejectDeliverable(world.deps, job.id, { pass: false, errors: ['no'] })
  await world.pump()
  expect(await world.store.job(job.id)).toMatchObject({ state: 'rejected' })
  until(job.deadlines.expiresAt)
  await claim()
  expect(await world.store.activeSenders(97)).toEqual([])
  until(job.deadlines.expiresAt + graceMs + 30_000)
  expect(await balance()).toBe(start - 1_500_000n)
  for (const _ of [1, 2]) await claim()
  await world.pump()
  await claim()
  expect(await world.store.activeSenders(97)).toEqual([])
  expect(await world.store.job(job.id)).toMatchObject({ state: 'refunded' })
  expect(await balance()).toBe(start)
})

test('a pending payment is not overtaken at once by the refund that anyone may claim', async () => {
  const job = await hired()
  await world.pump()
  await world.store.leaseJob(agent.id)
  await world.store.moveJob(job.id, 'submit', { deliverable: '{"notes":"all"}' })
  await world.butlerDeps.acceptDeliverable(job.id)
  until(job.deadlines.expiresAt + graceMs + 30_000)
  await claim()
  await sendTransactions(world).runOnce()
  await world.pump()
  expect(await world.store.job(job.id)).toMatchObject({ state: 'settled' })
})

/** A job whose deliverable was accepted, so that its payout is to be sent. */
const accepted = async () => {
  const job = await hired()
  await world.pump()
  await world.store.leaseJob(agent.id)
  await world.store.moveJob(job.id, 'submit', { deliverable: '{"notes":"all"}' })
  await world.butlerDeps.acceptDeliverable(job.id)
  return job
}

/** Sends while the node refuses every call of the agent's wallet, at as many heads as it takes to abandon it. */
const refusePayout = async () => {
  const preflight = async (sender: string) => (sender === agent.wallet ? 'WrongStatus(1, 3)' : undefined)
  const sending = sendTransactions({ ...world, chain: { ...world.chain, preflight } })
  for (let head = 0; head < 4; head += 1) {
    await sending.runOnce()
    world.chain.mine()
  }
}

const reconcile = () => reconcileChain(world).runOnce()

test('accepted work is paid after a node refused its payout for some blocks', async () => {
  const job = await accepted()
  await refusePayout()
  expect(await world.store.intent(`job:${job.id}:submit`)).toMatchObject({ state: 'reverted' })
  await reconcile()
  await world.pump()
  expect(await world.store.job(job.id)).toMatchObject({ state: 'settled' })
  expect(await world.chain.usdcBalance(agent.wallet)).toBe(1_500_000n)
})

test('accepted work that can never be paid is refunded after three attempts', async () => {
  const job = await accepted()
  for (let round = 1; round <= 3; round += 1) {
    expect(await world.store.job(job.id)).toMatchObject({ state: 'settling' })
    await refusePayout()
    await reconcile()
  }
  await world.pump()
  expect(await world.store.job(job.id)).toMatchObject({ state: 'refunded' })
  expect(await balance()).toBe(start)
})
