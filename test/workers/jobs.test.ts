import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { expireJobs } from '../../src/workers/expireJobs.ts'
import { lapseLeases } from '../../src/workers/lapseLeases.ts'
import { refreshWork } from '../../src/workers/refreshWork.ts'
import { countUp, offering } from '../store/rows.ts'
import { openWorld, type World } from '../world.ts'

const start = 100_000_000n

let world: World
let agent: Awaited<ReturnType<World['agent']>>
beforeEach(async () => {
  world = await openWorld()
  agent = await world.agent('scribe', [offering(), offering({ id: 'free', price: '0' })])
  world.fund(world.userWallet, start)
})
afterEach(() => world.close())

const hired = (runId: string, offeringId = 'notes') => world.hired(runId, { agentId: agent.id, offeringId })
const lapse = () => lapseLeases(world).runOnce()
const expire = () => expireJobs(world.deps, 97).runOnce()

test('a job whose agent goes silent is offered again until the attempts are used up, and then its money is returned', async () => {
  const { id } = await hired('run-1')
  await world.pump()
  for (const attempt of countUp(limits.attempts)) {
    const leased = await world.store.leaseJob(agent.id)
    expect(leased).toMatchObject({ id, attempt: attempt + 1 })
    await lapse()
    expect(await world.store.job(id)).toMatchObject({ state: 'leased' })
    world.clock.pass((leased?.leaseUntil ?? 0) + 1 - world.clock.now())
    await lapse()
  }
  await expire()
  expect(await world.store.job(id)).toMatchObject({ state: 'expired', reason: expect.stringContaining('did not deliver') })
  await expire()
  await world.pump()
  expect(await world.store.job(id)).toMatchObject({ state: 'refunded' })
  expect(await world.chain.usdcBalance(world.userWallet)).toBe(start)
})

test('a job is not ended before its promise expires, and delivered work is never ended by it', async () => {
  const [late, done] = [await hired('run-1'), await hired('run-2')]
  await world.pump()
  await world.store.leaseJob(agent.id)
  await world.store.moveJob(late.id, 'lapse')
  const first = await world.store.leaseJob(agent.id)
  await world.store.moveJob(first?.id ?? '', 'submit', { deliverable: 'notes' })
  world.clock.pass(late.deadlines.submitBy - world.clock.now())
  await expire()
  const states = async () => [(await world.store.job(late.id))?.state, (await world.store.job(done.id))?.state].sort()
  expect(await states()).toEqual(['queued', 'submitted'])
  world.clock.pass(1)
  await expire()
  expect(await states()).toEqual(['expired', 'submitted'])
})

test('an agent whose job is funded late has the whole promised time, and its work is paid', async () => {
  const { id, deadlines, terms } = await hired('run-1')
  world.clock.pass(6 * 60_000)
  const submitBy = world.clock.now() + terms.slaMinutes * 60_000
  expect(submitBy).toBeGreaterThan(deadlines.submitBy)
  await world.pump()
  expect((await world.store.job(id))?.deadlines).toMatchObject({ submitBy, expiresAt: deadlines.expiresAt })
  world.clock.pass(deadlines.submitBy + 1 - world.clock.now())
  await expire()
  expect(await world.store.leaseJob(agent.id)).toMatchObject({ id, attempt: 1 })
  await world.store.moveJob(id, 'submit', { deliverable: 'notes' })
  await world.butlerDeps.acceptDeliverable(id)
  await world.pump()
  expect(await world.store.job(id)).toMatchObject({ state: 'settled' })
})

test('a free job ends without a transaction', async () => {
  const { id } = await hired('run-1', 'free')
  expect(await world.store.job(id)).toMatchObject({ state: 'queued', budget: 0n, chainJobId: undefined })
  world.clock.pass(3_600_000)
  await expire()
  expect(await world.store.job(id)).toMatchObject({ state: 'refunded' })
  expect(await world.store.activeSenders(97)).toEqual([])
})

test('a hundred jobs that cannot be ended now do not block the job behind them', async () => {
  for (const at of countUp(101)) await hired(`run-${at}`, 'free')
  const stuck = new Set<string>()
  const atomically: typeof world.store.atomically = work =>
    world.store.atomically(tables =>
      work({
        ...tables,
        moveJob: async (id, ...of) => {
          if (stuck.size < 100) stuck.add(id)
          return stuck.has(id) ? Promise.reject(new Error('no answer')) : tables.moveJob(id, ...of)
        },
      }),
    )
  world.clock.pass(3_600_000)
  await expect(expireJobs({ ...world.deps, store: { ...world.store, atomically } }, 97).runOnce()).rejects.toThrow('no answer')
  expect(await world.store.jobOfRun('run-100')).toMatchObject({ state: 'refunded' })
})

test('work whose notification was lost is found at the next refresh', async () => {
  await hired('run-1', 'free')
  const { work } = world.deps
  expect(work.mayHave(agent.id)).toBe(true)
  work.drop(agent.id)
  expect(work.mayHave(agent.id)).toBe(false)
  await refreshWork({ work }).runOnce()
  expect(work.mayHave(agent.id)).toBe(true)
})
