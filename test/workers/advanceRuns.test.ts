import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Butler, Run, Store, Wakeups } from '../../src/ports.ts'
import { advanceRuns } from '../../src/workers/advanceRuns.ts'
import { openWorld, type World } from '../world.ts'

let world: World
let errors: unknown[]
beforeEach(async () => {
  world = await openWorld()
  errors = []
})
afterEach(() => world.close())

const onError = (_worker: string, error: unknown) => void errors.push(error)
const rest = {
  state: 'awaiting-job',
  interruptId: undefined,
  answer: 'resting',
  questions: undefined,
  proposal: undefined,
  jobId: undefined,
} as const

const workerFor = (advance: Butler['advance'], over: { store?: Store; wakeups?: Wakeups } = {}) =>
  advanceRuns({ store: world.store, wakeups: world.wakeups, butler: { advance }, onError, ...over })

const addRuns = async (count: number) => {
  const ids = Array.from({ length: count }, (_, at) => `run-${at}`)
  for (const id of ids) await world.run(id, 'task')
  return ids
}

test('a run is advanced by one worker at a time, however often it is woken, and no wake is lost', async () => {
  const ids = await addRuns(12)
  const inside = new Set<string>()
  const wakes = new Map(ids.map(id => [id, 1]))
  const seen = new Map<string, number>()
  const advance = async (run: Run) => {
    expect(inside.has(run.id), `${run.id} is advanced twice at once`).toBe(false)
    inside.add(run.id)
    seen.set(run.id, wakes.get(run.id) ?? 0)
    for (let at = 0; at < 3; at += 1) await world.store.run(run.id)
    inside.delete(run.id)
    return rest
  }
  const workers = [workerFor(advance), workerFor(advance)]
  const wake = async (id: string) => {
    wakes.set(id, (wakes.get(id) ?? 0) + 1)
    await world.store.wakeRun(id)
  }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...ids), { maxLength: 8 }), async woken => {
      await Promise.all([...workers.map(it => it.runOnce()), ...woken.map(wake)])
    }),
    { numRuns: 25 },
  )
  while ((await world.store.db.sql('select id from run where wake_at is not null')).length > 0) {
    await Promise.all(workers.map(it => it.runOnce()))
    await Promise.all(workers.map(it => it.settle?.()))
  }
  expect(errors).toEqual([])
  expect(seen).toEqual(wakes)
  expect(await world.store.claimRuns(1000, 99)).toEqual([])
})

test('a run that fails is reported, stays held, and is retried when its hold expires', async () => {
  await addRuns(1)
  let tries = 0
  const worker = workerFor(async () => {
    tries += 1
    if (tries === 1) throw new Error('no disk')
    return rest
  })
  await worker.runOnce()
  await worker.settle?.()
  expect(errors).toEqual([new Error('no disk')])
  await worker.runOnce()
  await worker.settle?.()
  expect(tries).toBe(1)
  world.clock.pass(15_001)
  await worker.runOnce()
  await worker.settle?.()
  expect(tries).toBe(2)
  expect(await world.store.run('run-0')).toMatchObject({ state: 'awaiting-job', answer: 'resting' })
})

test('runs over the concurrency limit are taken as soon as another one ends', async () => {
  await addRuns(20)
  const ends: (() => void)[] = []
  const worker = workerFor(() => new Promise(resolve => ends.push(() => resolve(rest))))
  await worker.runOnce()
  await worker.runOnce()
  expect(ends).toHaveLength(16)
  const hinted = world.wakeups.wait('runs', 60_000)
  for (const end of ends.slice(0, 4)) end()
  await hinted
  while (ends.length < 20) await worker.runOnce()
  for (const end of ends) end()
  await worker.settle?.()
  expect(
    (await world.store.runs({ user: (await world.store.run('run-0'))?.user ?? '0x', limit: 99, offset: 0 })).map(it => it.state),
  ).toEqual(Array(20).fill('awaiting-job'))
})

test('runs that wait for a language model give their places to others, up to a bound', async () => {
  await addRuns(40)
  const ends: (() => void)[] = []
  const advance = () => new Promise<typeof rest>(resolve => ends.push(() => resolve(rest)))
  let waiting = 0
  const worker = advanceRuns({ store: world.store, wakeups: world.wakeups, butler: { advance }, waiting: () => waiting, onError })
  await worker.runOnce()
  expect(ends).toHaveLength(16)
  waiting = 16
  await worker.runOnce()
  expect(ends).toHaveLength(32)
  waiting = 20
  await worker.runOnce()
  expect(ends).toHaveLength(36)
  for (const end of ends.splice(0)) end()
  waiting = 0
  await worker.settle?.()
  await worker.runOnce()
  for (const end of ends) end()
  await worker.settle?.()
  expect(errors).toEqual([])
})

test('a hold that cannot be renewed is reported and retried, while the run continues', async () => {
  await addRuns(1)
  let waits = 0
  const twice = Promise.withResolvers<void>()
  const wakeups: Wakeups = {
    ...world.wakeups,
    wait: async (channel, _timeoutMs, signal) => {
      waits += 1
      if (waits === 3) twice.resolve()
      if (waits >= 3) await world.wakeups.wait(channel, 60_000, signal)
    },
  }
  const store: Store = { ...world.store, renewRunLease: () => Promise.reject(new Error('no disk')) }
  const worker = workerFor(() => twice.promise.then(() => rest), { store, wakeups })
  await worker.runOnce()
  await worker.settle?.()
  expect(errors).toEqual([new Error('no disk'), new Error('no disk')])
  expect(await world.store.run('run-0')).toMatchObject({ answer: 'resting' })
})

test('a holder that lost its hold does not overwrite what the next one wrote', async () => {
  await addRuns(1)
  const slow = Promise.withResolvers<typeof rest>()
  const first = workerFor(() => slow.promise)
  await first.runOnce()
  world.clock.pass(15_001)
  const second = workerFor(async () => ({ ...rest, answer: 'second' }))
  await second.runOnce()
  await second.settle?.()
  slow.resolve(rest)
  await first.settle?.()
  expect((await world.store.run('run-0'))?.answer).toBe('second')
})
