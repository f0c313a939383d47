import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callDeadlines, deadlines, postpone, toRefundedBy } from '../../src/domain/jobs/deadlines.ts'
import { limits } from '../../src/domain/limits.ts'

const minute = 60_000
const slas = fc.integer({ min: 1, max: limits.slaMinutes })
const moments = fc.integer({ min: 0, max: 8_000_000_000_000 })

test('for any promise the deadlines are in order, and the escrow expires more than five minutes after creation', () => {
  fc.assert(
    fc.property(slas, moments, (sla, now) => {
      const { pickupBy, leaseMs, submitBy, evaluateBy, expiresAt } = deadlines(sla, now)
      const order = [now, pickupBy, submitBy, evaluateBy, expiresAt]
      expect(order).toEqual(order.toSorted((a, b) => a - b))
      expect(new Set(order).size).toBe(order.length)
      expect(expiresAt - now).toBeGreaterThan(5 * minute)
      expect(submitBy - now).toBeGreaterThanOrEqual(sla * minute)
      expect(leaseMs).toBeGreaterThanOrEqual(minute)
      expect(leaseMs).toBeLessThanOrEqual(submitBy - now)
      expect(order.every(Number.isSafeInteger) && Number.isSafeInteger(leaseMs)).toBe(true)
    }),
  )
})

test('a late escrow postpones the deadlines by five minutes at most, in order, and never changes the expiry', () => {
  const delays = fc.integer({ min: 0, max: 60 * minute })
  fc.assert(
    fc.property(slas, moments, delays, (sla, now, delayMs) => {
      const [agreed, fundedAt] = [deadlines(sla, now), now + delayMs]
      const { pickupBy, leaseMs, submitBy, evaluateBy, expiresAt } = postpone(agreed, sla, fundedAt)
      expect({ leaseMs, expiresAt }).toEqual({ leaseMs: agreed.leaseMs, expiresAt: agreed.expiresAt })
      for (const later of [pickupBy - agreed.pickupBy, submitBy - agreed.submitBy, evaluateBy - agreed.evaluateBy])
        expect(later).toBe(Math.min(Math.max(delayMs - minute, 0), 5 * minute))
      expect(expiresAt - evaluateBy).toBeGreaterThanOrEqual(5 * minute)
      if (delayMs <= 6 * minute) expect(submitBy - fundedAt).toBeGreaterThanOrEqual(sla * minute)
    }),
  )
})

test('the deadlines of a promise of one, four and sixty minutes are these', () => {
  const minutesOf = (sla: number) => {
    const of = deadlines(sla, 0)
    const { pickupBy, leaseMs, submitBy, evaluateBy, expiresAt } = of
    return [pickupBy, leaseMs, submitBy, evaluateBy, expiresAt, toRefundedBy(of)].map(ms => ms / minute)
  }
  expect(minutesOf(1)).toEqual([1.5, 1, 2, 7, 17, 82])
  expect(minutesOf(4)).toEqual([2, 2, 5, 10, 20, 85])
  expect(minutesOf(60)).toEqual([2, 30, 61, 66, 76, 141])
})

test('a paid call is worked on until the promised moment, taken within a minute of it, and ends with its payment', () => {
  const given = { now: 1_000, workUntil: 1_000 + 30 * minute, validBefore: 1_000 + 45 * minute }
  expect(callDeadlines(30, given)).toEqual({
    pickupBy: 1_000 + minute,
    leaseMs: 15 * minute,
    submitBy: given.workUntil,
    evaluateBy: given.workUntil,
    expiresAt: given.validBefore,
  })
  const short = callDeadlines(1, { ...given, workUntil: 1_000 + minute / 2 })
  expect(short).toMatchObject({ pickupBy: 1_000 + minute / 2, leaseMs: minute })
})

test('a longer promise never makes a deadline earlier', () => {
  fc.assert(
    fc.property(slas, slas, (a, b) => {
      const [short, long] = [deadlines(Math.min(a, b), 0), deadlines(Math.max(a, b), 0)]
      for (const key of ['pickupBy', 'leaseMs', 'submitBy', 'evaluateBy', 'expiresAt'] as const)
        expect(long[key]).toBeGreaterThanOrEqual(short[key])
    }),
  )
})

test('the limits are consistent with each other', () => {
  for (const [name, value] of Object.entries(limits)) expect(Number.isInteger(value) && value > 0, name).toBe(true)
  expect(limits.bodyBytes).toBeGreaterThan(limits.deliverableBytes * 2)
  expect(limits.bodyBytes).toBeGreaterThan(limits.messageChars * 6)
  expect(limits.schemaDepth * 2 + 8).toBeLessThan(limits.jsonDepth)
  expect(limits.schemaProperties).toBeLessThanOrEqual(limits.schemaNodes)
  expect(limits.pollWaitMs).toBeLessThan(30_000)
  expect(limits.heartbeatMs).toBeLessThan(limits.pollWaitMs)
  expect(limits.inFlight).toBeLessThanOrEqual(16)
})
