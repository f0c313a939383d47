import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { isFinal } from '../../src/domain/jobs/job.ts'
import { limits } from '../../src/domain/limits.ts'
import { createRandom } from '../../src/domain/random.ts'
import { closeJob } from '../../src/operations/hires/closeJob.ts'
import { withPlaces } from '../../src/operations/ledger/applyChainEvents.ts'
import { withoutReversed } from '../../src/operations/ledger/bookings.ts'
import { rebuildChain } from '../../src/operations/ledger/rebuildChain.ts'
import type { Job, StoredEvent } from '../../src/ports.ts'
import { claimRefunds } from '../../src/workers/claimRefunds.ts'
import { reconcileChain } from '../../src/workers/reconcileChain.ts'
import { openReorgWorld, type ReorgWorld } from './reorgWorld.ts'

const reorgs = Number(process.env.REORGS ?? 5)
const deepest = 12

/** Random numbers from a seed, so that a failure can be reproduced. */
const createDice = (seed: number) => {
  const random = createRandom(seed)
  return (below: number) => Math.floor(random() * below)
}
type Dice = ReturnType<typeof createDice>

const freshWorld = async () => {
  const world = await openReorgWorld({ users: 3, agents: 3 })
  onTestFinished(() => world.close())
  return world
}

/** Performs a random action of a user, an agent or the butler. */
const act = async (world: ReorgWorld, dice: Dice): Promise<unknown> => {
  const { store, deps } = world
  const job = pick(await world.jobs(), dice)
  const what = dice(10)
  if (!job || what < 3) return world.hire(dice(3), dice(3))
  if (what < 6) return store.leaseJob(world.agents[dice(3)]?.id ?? '')
  if (what === 6) return closeJob(deps, { job, event: dice(2) === 0 ? 'fail' : 'expire', reason: 'It did not work out.' })
  await store.moveJob(job.id, 'submit', { deliverable: `work for ${job.id}` })
  return world.accept(job.id)
}

const pick = <T>(from: T[], dice: Dice): T | undefined => from[dice(Math.max(1, from.length))]

const pool = z.object({ pending: z.string() })

/** Stops mining during a rollback. Anvil would otherwise end with blocks of both histories. */
const miningStopped = async (ask: ReorgWorld['ask']) => {
  for (let look = 0; look < 50; look += 1) {
    await setTimeout(60)
    if (Number(pool.parse(await ask('txpool_status')).pending) === 0) return
  }
}

/**
 * Removes blocks from the chain, and sometimes adds empty ones instead. Our transactions return only when they are sent again.
 */
const reorganise = async ({ ask, chain, floor }: ReorgWorld, dice: Dice) => {
  await miningStopped(ask)
  const { number } = await chain.head()
  const depth = Math.min(1 + dice(deepest), Number(number - floor))
  if (depth < 1) return 0
  if (dice(2) === 0) await ask('anvil_reorg', depth, [])
  else await ask('anvil_rollback', depth)
  return depth
}

/** Some effects are retried only after seconds, so the test waits in ms and not in rounds. */
const restMs = 120_000

/** Steps until every job has ended and no effect is pending. */
const rest = async (world: ReorgWorld) => {
  const { store, chain } = world
  const until = performance.now() + restMs
  for (let round = 0; performance.now() < until; round += 1) {
    if (round > 100) await setTimeout(20)
    await world.step()
    if (round % 10 === 9)
      await reconcileChain({ store, chain, followers: world.followers })
        .runOnce()
        .catch(() => undefined)
    for (const job of await world.jobs()) await finish(world, job)
    const jobs = await world.jobs()
    const { number } = await chain.head()
    const isRead = (await store.cursor(chain.chainId))?.number === number
    if (isRead && jobs.every(it => isFinal(it.state)) && (await store.activeSenders(chain.chainId)).length === 0) return
  }
  const left = (await world.jobs()).filter(it => !isFinal(it.state))
  throw new Error(
    `not at rest: ${left.map(it => `${it.id} ${it.state} ${it.chainJobId}`).join(', ')}; ${await store.activeSenders(97)}`,
  )
}

/** Steps until a condition is true. */
const restUntil = async (world: ReorgWorld, isSo: () => Promise<boolean>) => {
  for (let round = 0; round < 200 && !(await isSo()); round += 1) await world.step()
  expect(await isSo()).toBe(true)
}

const finish = async ({ store, deps, accept }: ReorgWorld, job: Job) => {
  if (job.state === 'queued' && job.attempt >= limits.attempts)
    await closeJob(deps, { job, event: 'expire', reason: 'Too often.' })
  else if (job.state === 'queued') await store.leaseJob(job.agentId)
  if (job.state === 'leased') await store.moveJob(job.id, 'submit', { deliverable: `work for ${job.id}` })
  if (job.state === 'submitted') await accept(job.id)
}

const ended = { settled: ['completed'], refunded: ['rejected', 'expired'] } as const

/** Checks that the stored events are those of the chain, in their present blocks. */
const expectKept = async ({ store, chain }: ReorgWorld) => {
  const events = withPlaces(await chain.events(0n, (await chain.head()).number))
  const kept = await store.chainEvents(chain.chainId, -1n)
  const toKey = ({ txHash, place, name, chainJobId, blockHash }: Omit<StoredEvent, 'seq'>) =>
    `${txHash} ${place} ${name} ${chainJobId} ${blockHash}`
  // JobCreated has no effect before the job is funded.
  const telling = events.filter(it => it.name !== 'JobCreated')
  expect(kept.map(toKey).sort()).toEqual(telling.map(toKey).sort())
  return events
}

/** Checks that rows, ledger and contract agree, and that no event is logged twice. */
const expectOneStory = async (world: ReorgWorld) => {
  const { store, chain } = world
  const events = await expectKept(world)
  const created = new Map(events.flatMap(it => (it.name === 'JobCreated' ? [[it.jobKey, it.chainJobId] as const] : [])))
  for (const job of await world.jobs()) {
    expect(job.chainJobId, job.id).toBe(created.get(job.id))
    if (job.chainJobId === undefined) {
      expect(job.state).toBe('cancelled')
      continue
    }
    const { status } = await chain.job(job.chainJobId)
    expect(Object.entries(ended).find(([, those]) => those.some(it => it === status))?.[0], job.id).toBe(job.state)
    const steps = new Set(withoutReversed(await store.ledger({ jobId: job.id })).map(it => it.key.split(':')[2]))
    expect([...steps]).toEqual(['escrow', job.state === 'settled' ? 'payout' : 'refund'])
  }
  const ledger = await store.ledger({})
  for (const [account, before] of world.initial) {
    const booked = ledger.filter(it => it.account.endsWith(`:${account}`)).reduce((sum, it) => sum + it.amount, 0n)
    expect(await chain.usdcBalance(account), account).toBe(before + booked)
  }
  expect(ledger.filter(it => it.account.startsWith('escrow:')).reduce((sum, it) => sum + it.amount, 0n)).toBe(0n)
}

test(`${reorgs} random reorganisations during hires: rows, ledger and contract agree, and nothing is doubled`, async () => {
  const world = await freshWorld()
  const dice = createDice(Number(process.env.SEED ?? 7))
  for (let count = 0; count < reorgs; ) {
    for (let turn = 0; turn < 4 + dice(5); turn += 1) {
      await act(world, dice)
      for (let steps = dice(3); steps > 0; steps -= 1) await world.step()
    }
    if ((await reorganise(world, dice)) > 0) count += 1
    for (let steps = dice(4); steps > 0; steps -= 1) await world.step()
  }
  await rest(world)
  await expectOneStory(world)
  expect((await world.jobs()).map(it => it.state)).toContain('settled')

  const before = await chainDerived(world)
  await rebuildChain(world)
  expect(await chainDerived(world)).toEqual({ ...before, ledger: before.unreversed })
}, 600_000)

/** Everything derived from the chain: the jobs, and the ledger without reversed postings. */
const chainDerived = async ({ store, jobs }: ReorgWorld) => {
  const shape = (rows: Awaited<ReturnType<typeof store.ledger>>) =>
    rows.map(({ at: _at, key, ...it }) => ({ ...it, step: key.split(':').slice(0, 3).join(':') }))
  const ledger = await store.ledger({})
  const byStep = <T extends { step: string; account: string }>(rows: T[]) =>
    rows.toSorted((a, b) => `${a.step} ${a.account}`.localeCompare(`${b.step} ${b.account}`))
  return {
    jobs: (await jobs()).map(({ updatedAt: _at, ...it }) => it),
    ledger: byStep(shape(ledger)),
    unreversed: byStep(shape(withoutReversed(ledger))),
  }
}

test('a chain that restarts after a kill, with whatever block hashes, leaves every row unchanged', async () => {
  const world = await freshWorld()
  const { store } = world
  for (const who of [0, 1, 2]) await world.hire(who, who)
  await restUntil(world, async () => (await world.jobs()).every(it => it.state === 'queued'))
  const [first] = await world.jobs()
  for (let turn = 0; turn < 3; turn += 1) for (const job of await world.jobs()) if (job.id !== first?.id) await finish(world, job)
  const isDone = async () => (await world.jobs()).filter(it => it.state === 'settled').length === 2
  await restUntil(world, async () => (await isDone()) && (await store.activeSenders(97)).length === 0)

  const tables = ['job', 'posting', 'ledger_entry', 'run_event', 'intent', 'chain_transaction', 'nonce']
  const rows = async () => Promise.all(tables.map(it => store.db.sql(`select * from ${it} order by 1, 2`)))
  const before = await rows()
  const pid = world.embedded.pid()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => world.embedded.pid(), { interval: 5, timeout: 10_000 }).not.toBe(pid)
  await world.embedded.ready()
  for (let round = 0; round < 20; round += 1) await world.step()
  expect(await rows()).toEqual(before)
  await expectKept(world)
})

test('a refund that nobody sends is claimed from the real escrow as soon as anyone may claim it', async () => {
  const world = await freshWorld()
  const { store, chain, ask, deps } = world
  const job = await world.hire(0, 0)
  await restUntil(world, async () => (await store.job(job.id))?.state === 'queued')
  const { chainJobId = 0n } = (await store.job(job.id)) ?? {}
  const refundableAt = (await chain.refundableAt?.(chainJobId)) ?? 0
  expect(refundableAt).toBe(Math.floor(job.deadlines.expiresAt / 1_000) * 1_000)
  await store.moveJob(job.id, 'expire', { reason: 'It took too long.' })

  const now = refundableAt + 60_000
  const later = {
    ...deps,
    clock: { now: () => now },
    store: { ...store, expiredEscrows: store.openJobs },
  }
  await claimRefunds({ ...later, clock: { now: () => refundableAt } }, chain).runOnce()
  expect(await store.intent(`job:${job.id}:claim:0`)).toBeUndefined()
  await ask('evm_setTime', Math.floor(now / 1_000))
  await claimRefunds(later, chain).runOnce()
  await restUntil(world, async () => (await store.job(job.id))?.state === 'refunded')
  expect(await chain.refundableAt?.(chainJobId)).toBeUndefined()
  expect(await chain.usdcBalance(job.userWallet)).toBe(world.initial.get(job.userWallet))
})
