import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Job } from '../../src/ports.ts'
import { watchChain } from '../../src/workers/watchChain.ts'
import { account, countUp, offering } from '../store/rows.ts'
import { openWorld, type World } from '../world.ts'

const start = 100_000_000n

let world: World
let agent: Awaited<ReturnType<World['agent']>>
beforeEach(async () => {
  world = await openWorld({ feeBps: 200 })
  agent = await world.agent('scribe', [offering()])
  world.fund(world.userWallet, start)
})
afterEach(() => world.close())

const watch = () => watchChain(world).runOnce()
const hired = (runId = 'run-1') => world.hired(runId, { agentId: agent.id, offeringId: 'notes' })
const stateOf = async ({ id }: Job) => (await world.store.job(id))?.state

/** Everything that follows from the chain. */
const followed = async (job: Job) => ({
  job: await world.store.job(job.id),
  ledger: await world.store.ledger({ jobId: job.id }),
  told: (await world.store.runEvents(job.runId, 0, 100)).map(it => it.summary),
})

test('the same events read twice are taken once', async () => {
  const job = await hired()
  await world.pump()
  await world.store.leaseJob(agent.id)
  await world.store.moveJob(job.id, 'submit', { deliverable: 'notes' })
  await world.butlerDeps.acceptDeliverable(job.id)
  await world.pump()
  const before = await followed(job)
  expect(before.job?.state).toBe('settled')
  expect(before.ledger.map(it => it.amount)).toEqual([-1_500_000n, 1_500_000n, -1_500_000n, 1_470_000n, 30_000n])
  for (const _ of countUp(2)) {
    await world.store.setCursor(97, { number: 0n, hash: (await world.chain.blockHash(0n)) ?? '0x' })
    await watch()
  }
  expect(await followed(job)).toEqual(before)
})

test('a cursor whose block is gone steps back, and what comes again is taken once', async () => {
  const job = await hired()
  await world.pump()
  const before = await followed(job)
  expect(before.job?.state).toBe('queued')
  for (const _ of countUp(80)) world.chain.mine()
  await watch()
  const { number = 0n } = (await world.store.cursor(97)) ?? {}
  world.chain.orphan(3)
  for (const _ of countUp(5)) world.chain.mine()
  expect(await watch()).toBe(true)
  expect((await world.store.cursor(97))?.number).toBe(number - 64n)
  expect(await watch()).toBe(false)
  expect(await world.store.cursor(97)).toEqual({ number: number + 2n, hash: (await world.chain.head()).hash })
  expect(await followed(job)).toEqual(before)
})

test('a hire whose block was orphaned after it was read stays one hire', async () => {
  const job = await hired()
  await world.pump()
  world.chain.orphan(2)
  for (const _ of countUp(3)) world.chain.mine()
  await watch()
  await watch()
  expect(await stateOf(job)).toBe('queued')
  expect(await world.store.ledger({ jobId: job.id })).toHaveLength(2)
  expect(await world.chain.usdcBalance(world.userWallet)).toBe(start - 1_500_000n)
})

test('a chain that is shorter than what was read is read again from a block that it has', async () => {
  for (const _ of countUp(10)) world.chain.mine()
  await watch()
  world.chain.orphan(8)
  const { number, hash } = await world.chain.head()
  expect(await watch()).toBe(true)
  expect((await world.store.cursor(97))?.number).toBe(0n)
  expect(await watch()).toBe(false)
  expect(await world.store.cursor(97)).toEqual({ number, hash })
})

test('a long way is read in ranges, and nothing new costs no write', async () => {
  const job = await hired()
  await world.pump()
  for (const _ of countUp(2_100)) world.chain.mine()
  await world.store.setCursor(97, { number: 0n, hash: (await world.chain.blockHash(0n)) ?? '0x' })
  expect(await watch()).toBe(true)
  expect((await world.store.cursor(97))?.number).toBe(2_001n)
  expect(await watch()).toBe(false)
  expect(await watch()).toBe(false)
  expect((await world.store.cursor(97))?.number).toBe((await world.chain.head()).number)
  expect(await stateOf(job)).toBe('queued')
})

test.each([
  ['another payer', { client: account(0xbad) }],
  ['another payee', { provider: account(0xbad) }],
  ['less money', { budget: 1n }],
  ['more money', { budget: 9_000_000n }],
])('an escrow with %s is not the one that was agreed: the job is not offered', async (_what, over) => {
  const job = await hired()
  const as = {
    jobId: job.id,
    client: job.userWallet,
    provider: job.agentWallet,
    budget: job.budget,
    expiresAt: job.deadlines.expiresAt,
  }
  const client = 'client' in over ? over.client : job.userWallet
  if (client !== job.userWallet) world.fund(client, start)
  world.chain.intrude(client, { name: 'hire', ...as, ...over })
  world.chain.mine()
  await watch()
  expect(await stateOf(job)).toBe('open')
  expect(await world.store.ledger({ jobId: job.id })).toEqual([])
})

test('an escrow for a job that nobody has is passed over', async () => {
  world.fund(account(7), start)
  world.chain.intrude(account(7), {
    name: 'hire',
    jobId: 'job_x',
    client: account(7),
    provider: agent.wallet,
    budget: 5n,
    expiresAt: 0,
  })
  world.chain.intrude(account(7), { name: 'claimRefund', chainJobId: 1n, text: '' })
  world.chain.mine()
  expect(await watch()).toBe(false)
  expect((await world.store.cursor(97))?.number).toBe((await world.chain.head()).number)
})

test.each(['queued', 'leased', 'submitted'] as const)('a refund by a stranger after expiry is followed from %s', async at => {
  const job = await hired()
  await world.pump()
  if (at !== 'queued') await world.store.leaseJob(agent.id)
  if (at === 'submitted') await world.store.moveJob(job.id, 'submit', { deliverable: 'notes' })
  expect(await stateOf(job)).toBe(at)
  world.chain.intrude(account(7), { name: 'claimRefund', chainJobId: 1n, text: '' })
  world.chain.mine()
  await watch()
  expect(await stateOf(job)).toBe('refunded')
  const ledger = await world.store.ledger({ jobId: job.id })
  expect(ledger.filter(it => it.account === `escrow:${job.id}`).reduce((sum, it) => sum + it.amount, 0n)).toBe(0n)
  expect(await world.chain.usdcBalance(world.userWallet)).toBe(start)
  expect(await world.store.moveJob(job.id, 'submit', { deliverable: 'late' })).toBeUndefined()
  await world.butlerDeps.acceptDeliverable(job.id)
  expect(await world.store.intent(`job:${job.id}:complete`)).toBeUndefined()
})

test('a chain that does not answer leaves the cursor where it was', async () => {
  await hired()
  const job = () => Promise.reject(new Error('no answer'))
  await world.pump()
  await world.store.setCursor(97, { number: 0n, hash: (await world.chain.blockHash(0n)) ?? '0x' })
  await expect(watchChain({ store: world.store, chain: { ...world.chain, job } }).runOnce()).rejects.toThrow('no answer')
  expect((await world.store.cursor(97))?.number).toBe(0n)
})
