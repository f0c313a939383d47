import { expect, test } from 'vitest'
import type { Wakeups } from '../../src/ports.ts'
import { createWakeups } from '../../src/process/wakeups.ts'
import { loop, type Worker } from '../../src/workers/loop.ts'

/** Wake-ups without real time: every wait resolves in the next turn of the event loop. */
const hasty = (): Wakeups & { waits: [channel: string, timeoutMs: number][] } => {
  const waits: [string, number][] = []
  return {
    waits,
    notify: () => undefined,
    on: () => () => undefined,
    wait: (channel, timeoutMs) => {
      waits.push([channel, timeoutMs])
      return new Promise(resolve => setImmediate(resolve))
    },
  }
}

const worker = (runOnce: Worker['runOnce'], over: Partial<Worker> = {}): Worker => ({
  name: 'sweep',
  channel: 'dust',
  idleMs: 1000,
  runOnce,
  ...over,
})

test('a step that fails is reported, and the worker continues after a pause', async () => {
  const wakeups = hasty()
  const ending = new AbortController()
  const errors: [string, unknown][] = []
  let steps = 0
  const sweep = worker(async () => {
    steps += 1
    if (steps === 6) ending.abort()
    if (steps % 2) throw new Error(`step ${steps}`)
    return false
  })
  await loop(sweep, { wakeups, onError: (...it) => errors.push(it) }, ending.signal)
  expect(errors).toEqual([1, 3, 5].map(step => ['sweep', new Error(`step ${step}`)]))
  expect(wakeups.waits.filter(([channel]) => channel === '')).toEqual(Array(3).fill(['', 500]))
  expect(wakeups.waits.filter(([channel]) => channel === 'dust')).toEqual(Array(6).fill(['dust', 1000]))
})

test('a loop that always fails does not delay another', async () => {
  const wakeups = hasty()
  const ending = new AbortController()
  let failed = 0
  let done = 0
  const failing = worker(async () => Promise.reject(new Error(`no ${++failed}`)))
  const working = worker(async () => {
    done += 1
    if (done === 20) ending.abort()
    return true
  })
  const onError = () => undefined
  await Promise.all([failing, working].map(it => loop(it, { wakeups, onError }, ending.signal)))
  expect(done).toBe(20)
  expect(failed).toBeGreaterThan(0)
})

test('a notification during the work is not lost', async () => {
  const wakeups = createWakeups()
  const ending = new AbortController()
  let steps = 0
  const sweep = worker(
    async () => {
      steps += 1
      if (steps === 1) wakeups.notify('dust')
      else ending.abort()
      return false
    },
    { idleMs: 3_600_000 },
  )
  await loop(sweep, { wakeups, onError: () => undefined }, ending.signal)
  expect(steps).toBe(2)
})

test('a stopped worker finishes its step and everything it began, and begins nothing new', async () => {
  const ending = new AbortController()
  const step = Promise.withResolvers<boolean>()
  const begun = Promise.withResolvers<void>()
  const order: string[] = []
  const sweep = worker(
    async () => {
      order.push('step')
      return step.promise
    },
    { settle: () => begun.promise.then(() => void order.push('settled')) },
  )
  const running = loop(sweep, { wakeups: createWakeups(), onError: () => undefined }, ending.signal).then(() =>
    order.push('ended'),
  )
  ending.abort()
  step.resolve(true)
  await new Promise(resolve => setImmediate(resolve))
  expect(order).toEqual(['step'])
  begun.resolve()
  await running
  expect(order).toEqual(['step', 'settled', 'ended'])
})

test('a worker that was stopped before its start does nothing', async () => {
  const sweep = worker(() => Promise.reject(new Error('a step')))
  await loop(sweep, { wakeups: createWakeups(), onError: () => Promise.reject(new Error('an error')) }, AbortSignal.abort())
})
