import { afterEach, beforeEach, expect, test } from 'vitest'
import { withoutReversed } from '../../src/operations/ledger/bookings.ts'
import { rebuildChain } from '../../src/operations/ledger/rebuildChain.ts'
import type { Call, Chain, Job } from '../../src/ports.ts'
import type { Worker } from '../../src/workers/loop.ts'
import { reconcileChain } from '../../src/workers/reconcileChain.ts'
import { sendTransactions } from '../../src/workers/sendTransactions.ts'
import { watchChain } from '../../src/workers/watchChain.ts'
import { account, countUp, offering } from '../store/rows.ts'
import { openWorld, type World } from '../world.ts'

const start = 100_000_000n

let world: World
let agent: Awaited<ReturnType<World['agent']>>
let watcher: Worker
beforeEach(async () => {
  world = await openWorld({ feeBps: 200 })
  agent = await world.agent('scribe', [offering()])
  world.fund(world.userWallet, start)
  watcher = watchChain(world)
})
afterEach(() => world.close())

const watch = () => watcher.runOnce()
const hired = (runId = 'run-1') => world.hired(runId, { agentId: agent.id, offeringId: 'notes' })
const stateOf = async ({ id }: Job) => (await world.store.job(id))?.state

/** Everything that is derived from the chain for a job. */
const followed = async (job: Job) => ({
  job: await world.store.job(job.id),
  ledger: await world.store.ledger({ jobId: job.id }),
  told: (await world.store.runEvents(job.runId, 0, 100)).map(it => it.summary),
})

test('events read twice are applied once', async () => {
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
    await watchChain(world).runOnce()
  }
  expect(await followed(job)).toEqual(before)
})

test('a cursor on an orphaned block returns to the newest common block, and events that are still there stay', async () => {
  const job = await hired()
  await world.pump()
  const before = await followed(job)
  expect(before.job?.state).toBe('queued')
  for (const _ of countUp(80)) world.chain.mine()
  await watch()
  const { number = 0n } = (await world.store.cursor(97)) ?? {}
  world.chain.orphan(3)
  for (const _ of countUp(5)) world.chain.mine()
  const known = (await world.store.visitedBlocks(97)).find(it => it.number <= number - 3n)
  expect(await watch()).toBe(true)
  expect(await world.store.cursor(97)).toEqual(known)
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

test('a mined hire that is orphaned before the cursor reaches its block is sent again', async () => {
  const sender = sendTransactions(world)
  world.chain.mine()
  await watch()
  const job = await hired()
  await sender.runOnce()
  world.chain.mine()
  await sender.runOnce()
  expect((await world.store.intent(`job:${job.id}:hire`))?.state).toBe('confirmed')
  world.chain.steal(1)
  world.chain.mine()
  await watch()
  await world.pump()
  expect(await stateOf(job)).toBe('queued')
})

test('a chain shorter than the cursor is read again from a block that it has', async () => {
  for (const _ of countUp(10)) world.chain.mine()
  await watch()
  world.chain.orphan(8)
  const { number, hash } = await world.chain.head()
  // A lagging node also has a head below the cursor, so several reads are needed.
  for (const _ of countUp(7)) expect(await watch()).toBe(false)
  expect((await world.store.cursor(97))?.number).toBe(number + 8n)
  expect(await watch()).toBe(true)
  expect(await watch()).toBe(false)
  expect(await world.store.cursor(97)).toEqual({ number, hash })
})

test('a long distance is read in ranges, and without new blocks nothing is written', async () => {
  const job = await hired()
  await world.pump()
  for (const _ of countUp(2_100)) world.chain.mine()
  await world.store.setCursor(97, { number: 0n, hash: (await world.chain.blockHash(0n)) ?? '0x' })
  expect(await watch()).toBe(true)
  expect((await world.store.cursor(97))?.number).toBe(2_000n)
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
])('an escrow with %s differs from the agreement, and its job is not offered', async (_what, over) => {
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

test('an escrow for an unknown job is ignored', async () => {
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

test.each(['queued', 'leased', 'submitted'] as const)('a refund by a stranger after expiry is applied from %s', async at => {
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

test('a chain that does not answer leaves the cursor unchanged', async () => {
  await hired()
  const job = () => Promise.reject(new Error('no answer'))
  await world.pump()
  await world.store.setCursor(97, { number: 0n, hash: (await world.chain.blockHash(0n)) ?? '0x' })
  await expect(watchChain({ store: world.store, chain: { ...world.chain, job } }).runOnce()).rejects.toThrow('no answer')
  expect((await world.store.cursor(97))?.number).toBe(0n)
})

/** Records the requested ranges, and refuses those that a test names. */
const refusing = (isRefused: (from: bigint, to: bigint) => boolean) => {
  const asked: number[] = []
  const events: Chain['events'] = async (from, to) => {
    asked.push(Number(to - from + 1n))
    if (isRefused(from, to)) throw new Error('query returned more than 10000 results')
    return world.chain.events(from, to)
  }
  return { asked, worker: watchChain({ store: world.store, chain: { ...world.chain, events } }) }
}

const fromStart = async () => world.store.setCursor(97, { number: 0n, hash: (await world.chain.blockHash(0n)) ?? '0x' })

test('a range that a node refuses is halved until it is answered, and grows again', async () => {
  const job = await hired()
  await world.pump()
  for (const _ of countUp(300)) world.chain.mine()
  await fromStart()
  const { asked, worker } = refusing((from, to) => from < 250n && to - from >= 50n)
  for (const _ of countUp(20)) await worker.runOnce().catch(() => undefined)
  const { number } = await world.chain.head()
  expect((await world.store.cursor(97))?.number).toBe(number)
  expect(asked.slice(0, 4)).toEqual([0, 1, 2, 3].map(at => Math.floor(Number(number) / 2 ** at)))
  expect(Math.max(...asked.slice(4))).toBeGreaterThan(50)
  expect(await stateOf(job)).toBe('queued')
})

test('a block that a node never answers for blocks nothing, and the reconciler finds its events', async () => {
  const job = await hired()
  await sendTransactions(world).runOnce()
  world.chain.mine()
  const { number } = await world.chain.head()
  world.chain.mine()
  const { worker } = refusing((from, to) => from <= number && number <= to)
  for (const _ of countUp(20)) await worker.runOnce().catch(() => undefined)
  expect((await world.store.cursor(97))?.number).toBe(number + 1n)
  expect(await stateOf(job)).toBe('open')
  await reconcileChain(world).runOnce()
  expect(await stateOf(job)).toBe('queued')
})

test('a log that a node omitted is found within a minute, however old it is', async () => {
  const job = await hired()
  const mute = { ...world.chain, events: async () => [] }
  const send = sendTransactions(world)
  await send.runOnce()
  world.chain.mine()
  await send.runOnce()
  for (const _ of countUp(100)) world.chain.mine()
  await watchChain({ store: world.store, chain: mute }).runOnce()
  expect(await stateOf(job)).toBe('open')
  const reconciler = reconcileChain(world)
  for (const _ of countUp(2)) {
    await reconciler.runOnce()
    const { job: healed, ledger } = await followed(job)
    expect([healed?.state, ledger.length]).toEqual(['queued', 2])
  }
})

test('a reconciler whose node is behind undoes no event, because nobody would read it again', async () => {
  const job = await hired()
  await world.pump()
  const before = await followed(job)
  expect(before.job?.state).toBe('queued')
  const behind: Chain = {
    ...world.chain,
    blockHash: async () => undefined,
    receipt: async () => undefined,
    events: async () => [],
  }
  await reconcileChain({ ...world, chain: behind }).runOnce()
  for (const _ of countUp(60)) world.chain.mine()
  await watch()
  await reconcileChain(world).runOnce()
  expect(await followed(job)).toEqual(before)
})

test('a log that a node repeats in another answer is applied once', async () => {
  const job = await hired()
  await world.pump()
  const before = await followed(job)
  expect([before.job?.state, before.ledger.length]).toEqual(['queued', 2])
  for (const _ of countUp(2)) {
    await fromStart()
    await watch()
    await reconcileChain(world).runOnce()
  }
  expect(await followed(job)).toEqual(before)
})

const settle = async (job: Job) => {
  await world.store.leaseJob(agent.id)
  await world.store.moveJob(job.id, 'submit', { deliverable: 'notes' })
  await world.butlerDeps.acceptDeliverable(job.id)
  await world.pump()
}

test('orphaned events are undone, reported and reversed in the ledger, and applied once when they are mined again', async () => {
  const job = await hired()
  await world.pump()
  await settle(job)
  expect(await stateOf(job)).toBe('settled')

  // Removes everything since the hire and mines empty blocks instead.
  const { number } = await world.chain.head()
  const stolen = world.chain.steal(Number(number) - 1)
  for (const _ of countUp(Number(number) + 2)) world.chain.mine()
  await watch()
  expect(await world.store.job(job.id)).toMatchObject({ state: 'settling', chainJobId: undefined })
  const sums = new Map<string, bigint>()
  for (const it of await world.store.ledger({ jobId: job.id })) sums.set(it.account, (sums.get(it.account) ?? 0n) + it.amount)
  expect([...sums.values()]).toEqual([0n, 0n, 0n, 0n])
  const kinds = (await world.store.runEvents(job.runId, 0, 100)).map(it => it.kind)
  expect(kinds.filter(it => it === 'job.retracted')).toHaveLength(2)
  expect(await world.store.intent(`job:${job.id}:hire`)).toMatchObject({ state: 'sent' })

  await world.pump()
  await world.pump()
  expect(await world.store.job(job.id)).toMatchObject({ state: 'settled', chainJobId: 1n })
  // All of the same transactions, and no others.
  expect(new Set(world.chain.broadcasts)).toEqual(new Set(stolen.map(it => it.raw)))
  const amounts = withoutReversed(await world.store.ledger({ jobId: job.id })).map(it => it.amount)
  expect(amounts).toEqual([-1_500_000n, 1_500_000n, -1_500_000n, 1_470_000n, 30_000n])
})

test('a hire that fails after its funding was orphaned leaves no intent waiting in the wallet that claimed its refund', async () => {
  const { chain, store } = world
  const job = await hired()
  await world.pump()
  expect(await stateOf(job)).toBe('queued')
  const claim = `job:${job.id}:claim:0`
  const decide = (key: string, call: Call) =>
    store.addIntents([{ key, chainId: 97, sender: chain.treasury, call, after: undefined }])
  await decide(claim, chain.claimRefund(1n))
  await sendTransactions(world).runOnce()
  expect(await store.intent(claim)).toMatchObject({ state: 'sent' })

  const { number } = await chain.head()
  chain.steal(Number(number) - 1)
  for (const _ of countUp(Number(number) + 2)) chain.mine()
  await watch()
  expect(await stateOf(job)).toBe('open')
  chain.refused.add('hire')
  await decide('behind', chain.topUp(account(1)))
  for (const _ of countUp(3)) await world.pump()
  expect(await stateOf(job)).toBe('cancelled')
  expect(await store.intent(claim)).toMatchObject({ state: 'reverted' })
  expect(await store.intent('behind')).toMatchObject({ state: 'confirmed' })
})

test('a call that reaches another job, which got the number on a new fork, ends only that one', async () => {
  world.fund(account(7), start)
  const job = await hired()
  await world.pump()
  await world.store.moveJob(job.id, 'expire', { reason: 'It took too long.' })
  world.chain.intrude(account(8), { name: 'claimRefund', chainJobId: 1n, text: '' })
  world.chain.mine()
  await watch()
  expect(await stateOf(job)).toBe('refunded')

  // The same transaction again, after the hire of another user.
  const { number } = await world.chain.head()
  const [hire, claim] = world.chain.steal(Number(number) - 2)
  const other = { jobId: 'job_x', client: account(7), provider: agent.wallet, budget: 5n, expiresAt: 0 }
  world.chain.intrude(account(7), { name: 'hire', ...other })
  world.chain.mine()
  for (const again of [hire, claim]) {
    await world.chain.broadcast(again?.raw ?? '0x')
    world.chain.mine()
  }
  await watch()
  await watch()
  expect(await world.store.job(job.id)).toMatchObject({ state: 'expired', chainJobId: 2n })
  const escrow = withoutReversed(await world.store.ledger({ jobId: job.id })).filter(it => it.account.startsWith('escrow:'))
  expect(escrow.map(it => it.amount)).toEqual([1_500_000n])
})

/** Removes the newest block, which contains the hire, and continues with empty blocks. */
const loseHire = async () => {
  world.chain.steal(1)
  for (const _ of countUp(2)) world.chain.mine()
  await watch()
}

test('an agent with a leased job continues when the funding is orphaned, and is paid only once it is mined again', async () => {
  const job = await hired()
  await world.pump()
  const leased = await world.store.leaseJob(agent.id)
  await loseHire()
  expect(await world.store.job(job.id)).toMatchObject({
    state: 'leased',
    leaseUntil: leased?.leaseUntil,
    chainJobId: undefined,
  })
  await world.store.moveJob(job.id, 'submit', { deliverable: 'notes' })
  await world.butlerDeps.acceptDeliverable(job.id)
  expect(await stateOf(job)).toBe('settling')
  expect(await world.store.intent(`job:${job.id}:submit`)).toBeUndefined()
  await world.pump()
  expect(await stateOf(job)).toBe('settled')
})

test('a job without its funding is offered to nobody until it is funded again', async () => {
  const job = await hired()
  await world.pump()
  await world.store.leaseJob(agent.id)
  await loseHire()
  await world.store.moveJob(job.id, 'lapse')
  expect(await world.store.leaseJob(agent.id)).toBeUndefined()
  await world.pump()
  expect(await world.store.leaseJob(agent.id)).toMatchObject({ id: job.id, attempt: 2 })
})

test('an unconfirmed event is reported, and has no other effect', async () => {
  const job = await hired()
  await sendTransactions(world).runOnce()
  world.chain.mine()
  const { number, hash, timeMs } = await world.chain.head()
  world.chain.mine()
  const young: Chain = {
    ...world.chain,
    head: async () => ({ number, hash, timeMs }),
    events: async () => [],
    unconfirmedEvents: () => world.chain.events(number, number),
  }
  await watchChain({ store: world.store, chain: young }).runOnce()
  expect(await stateOf(job)).toBe('open')
  const [last] = (await world.store.runEvents(job.runId, 0, 100)).slice(-1)
  expect(last).toMatchObject({ kind: 'transaction', data: { seen: true }, summary: expect.stringContaining('was seen in block') })
})

test('a chain read again from its start gives the same jobs and the same ledger, and reports nothing twice', async () => {
  const [paid, returned, open] = [await hired('run-1'), await hired('run-2'), await hired('run-3')]
  await world.pump()
  for (const _ of countUp(2)) {
    const leased = await world.store.leaseJob(agent.id)
    await world.store.moveJob(leased?.id ?? '', 'submit', { deliverable: 'notes' })
  }
  await world.butlerDeps.acceptDeliverable(paid.id)
  await world.butlerDeps.rejectDeliverable(returned.id, { pass: false, errors: ['no'] })
  await world.pump()
  const look = () => Promise.all([paid, returned, open].map(followed))
  const plain = (all: Awaited<ReturnType<typeof look>>) =>
    all.map(({ job, ledger, told }) => ({ job: { ...job, updatedAt: 0 }, ledger: ledger.map(it => ({ ...it, at: 0 })), told }))
  const before = await look()
  expect(before.map(it => it.job?.state)).toEqual(['settled', 'refunded', 'queued'])
  await rebuildChain(world)
  expect(plain(await look())).toEqual(plain(before))
  expect(await watch()).toBe(false)
  expect(plain(await look())).toEqual(plain(before))
})
