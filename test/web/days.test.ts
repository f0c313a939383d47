import { afterAll, expect, test } from 'vitest'
import { lastDays } from '../../src/web/provider/days.ts'

const zone = process.env.TZ
afterAll(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

test.each([
  ['Europe/Berlin', '2026-10-27T12:00:00Z', ['2026-10-23T22', '2026-10-24T22', '2026-10-25T23', '2026-10-26T23']],
  ['Europe/Berlin', '2026-03-30T22:30:00Z', ['2026-03-27T23', '2026-03-28T23', '2026-03-29T22', '2026-03-30T22']],
  ['Asia/Kolkata', '2026-11-21T18:29:00Z', ['2026-11-17T18', '2026-11-18T18', '2026-11-19T18', '2026-11-20T18']],
])('days begin at midnight of %s, also days of 23 or 25 hours (%s)', (zoneName, now, hours) => {
  process.env.TZ = zoneName
  const starts = lastDays(4, Date.parse(now)).map(it => new Date(it))
  expect(starts.map(it => it.toISOString().slice(0, 13))).toEqual(hours)
  expect(starts.map(it => [it.getHours(), it.getMinutes()])).toEqual(hours.map(() => [0, 0]))
})
