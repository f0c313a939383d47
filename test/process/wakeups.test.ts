import { EventEmitter, getEventListeners } from 'node:events'
import { expect, test, vi } from 'vitest'
import { createWakeups } from '../../src/process/wakeups.ts'

const turn = () => new Promise(resolve => setImmediate(resolve))

/** Whether a promise has resolved by the next turn of the event loop. */
const isDone = async (promise: Promise<unknown>): Promise<boolean> => {
  let done = false
  void promise.then(() => {
    done = true
  })
  await turn()
  return done
}

const long = 3_600_000

test('a notification wakes every waiter of its channel, and no other', async () => {
  const wakeups = createWakeups()
  const ending = new AbortController()
  const wait = (channel: string) => wakeups.wait(channel, long, ending.signal)
  const [one, two, other, longer] = [wait('runs'), wait('runs'), wait('run'), wait('runs:1')]
  wakeups.notify('runs')
  expect(await Promise.all([one, two, other, longer].map(isDone))).toEqual([true, true, false, false])
  ending.abort()
  await Promise.all([other, longer])
})

test('a notification before the wait does not end it, so callers listen first and read afterwards', async () => {
  const wakeups = createWakeups()
  wakeups.notify('runs')
  const ending = new AbortController()
  const woken = wakeups.wait('runs', long, ending.signal)
  expect(await isDone(woken)).toBe(false)
  ending.abort()
  await woken
})

test('a wait ends at its timeout, and at once when it was already aborted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const wakeups = createWakeups()
    const woken = wakeups.wait('runs', 5000)
    vi.advanceTimersByTime(4999)
    expect(await isDone(woken)).toBe(false)
    vi.advanceTimersByTime(1)
    expect(await isDone(woken)).toBe(true)
    expect(await isDone(wakeups.wait('runs', 5000, AbortSignal.abort()))).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('a wait leaves neither a listener nor a timer, however it ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const buses = new Set<EventEmitter>()
  const { on } = EventEmitter.prototype
  const spy = vi.spyOn(EventEmitter.prototype, 'on').mockImplementation(function (this: EventEmitter, ...args) {
    buses.add(this)
    return on.apply(this, args)
  })
  try {
    const wakeups = createWakeups()
    const ending = new AbortController()
    const waits = Array.from({ length: 50 }, (_, at) => wakeups.wait(`channel ${at % 5}`, 1000 + at, ending.signal))
    const [bus] = buses
    expect(bus?.eventNames()).toHaveLength(5)
    wakeups.notify('channel 0')
    wakeups.notify('channel 0')
    vi.advanceTimersByTime(1020)
    ending.abort()
    await Promise.all(waits)
    expect(bus?.eventNames()).toEqual([])
    expect(getEventListeners(ending.signal, 'abort')).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    spy.mockRestore()
    vi.useRealTimers()
  }
})

test('a listener receives every channel until it ends', () => {
  const wakeups = createWakeups()
  const heard: string[] = []
  const end = wakeups.on(channel => heard.push(channel))
  wakeups.notify('a')
  wakeups.notify('jobs:1')
  end()
  wakeups.notify('b')
  expect(heard).toEqual(['a', 'jobs:1'])
})

test('no channel name is special', async () => {
  const wakeups = createWakeups()
  for (const channel of ['error', 'newListener', 'removeListener', '__proto__', 'constructor', '']) {
    wakeups.notify(channel)
    const woken = wakeups.wait(channel, long)
    wakeups.notify(channel)
    await woken
  }
})
