import { afterEach, expect, test, vi } from 'vitest'
import { minuteMs } from '../../src/domain/durations.ts'
import { promiseOf } from '../../src/web/hire/promises.ts'

afterEach(() => vi.useRealTimers())

/** The deadlines of a hire that is accepted at an hour of 22 November, in words. */
const promisedAt = (hour: number, minute: number) => {
  const accepted = new Date(2026, 10, 22, hour, minute)
  vi.useFakeTimers({ now: accepted, toFake: ['Date'] })
  const after = (minutes: number) => new Date(accepted.getTime() + minutes * minuteMs).toISOString()
  return promiseOf({ slaMinutes: 2 }, { submit_by: after(2), refunded_by: after(82) }).replaceAll('\u202f', ' ')
}

test.each([
  [9, 5, 'By 9:07 AM, or your money is back by 10:27 AM'],
  [22, 37, 'By 10:39 PM, or your money is back by 11:59 PM'],
  [22, 38, 'By 10:40 PM, or your money is back by Nov 23, 2026, 12:00 AM'],
  [23, 59, 'By Nov 23, 2026, 12:01 AM, or your money is back by Nov 23, 2026, 1:21 AM'],
])('of a hire accepted at %i:%i, a deadline on the next day names its day', (hour, minute, words) => {
  expect(promisedAt(hour, minute)).toBe(words)
})
