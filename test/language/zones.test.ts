import { expect, test } from 'vitest'
import { clockOf, wallClock } from '../../graphs/butler/zones.ts'
import { offsetAtWall, zoneBehind } from '../../src/language/forms/zones.ts'
import { toMinutes } from '../../src/language/text/limits.ts'
import { createModel } from '../../src/llm/model.ts'

test.each([
  [', Berlin time please', '2027-03-03', '+01:00'],
  [' Berlin time', '2027-07-03', '+02:00'],
  [', Berlin', '2027-07-03', '+02:00'],
  [' (New York local time)', '2027-03-03', '-05:00'],
  [' CET', '2027-03-03', '+01:00'],
  [' Europe/Paris', '2027-07-03', '+02:00'],
  [' UTC+2', '2027-03-03', '+02:00'],
  [' UTC', '2027-03-03', 'Z'],
  // A person or a country: its time is unknown.
  [' Jordan time', '2027-03-03', undefined],
])('the zone behind a time, “%s” on %s, is %s from UTC', (text, day, offset) =>
  expect(zoneBehind(text, day)?.offset).toBe(offset),
)

test.each([
  ['America/New_York', '2026-03-08T05:00Z', '-04:00'],
  ['America/New_York', '2026-11-01T05:00Z', '-05:00'],
  ['America/Los_Angeles', '2026-03-08T09:00Z', '-07:00'],
  ['Europe/Berlin', '2026-03-29T01:30Z', '+01:00'],
])('on the day of a clock change, a wall clock of %s at %s is %s from UTC', (zone, wall, offset) =>
  expect(offsetAtWall(zone, Date.parse(wall))).toBe(offset),
)

test.each(['', ' with Berlin', ' in Paris', ' at this time', ' and/or later', ', Ann'])('no zone stands in “%s”', text =>
  expect(zoneBehind(text, '2027-03-03')).toBeUndefined(),
)

const { rules } = createModel(undefined)
const entry = {
  type: 'object',
  required: ['title', 'start'],
  properties: {
    title: { type: 'string', description: 'Title of the event' },
    start: { type: 'string', format: 'date-time', description: 'When it starts' },
  },
}
test.each([
  ['Calendar entry "Dinner" on 3 March 2027 at 19:00, Berlin time', '2027-03-03T19:00:00+01:00'],
  ['Calendar entry "Dinner" on 3 March 2027 at 19:00', '2027-03-03T19:00:00Z'],
  // An unknown zone is asked about, and never taken for UTC.
  ['Calendar entry "Dinner" on 3 March 2027 at 19:00 Jordan time', undefined],
])('%s starts at %s', async (said, start) => {
  const input = await rules.fill({ said: [said], requirement: entry, now: Date.UTC(2026, 10, 23) })
  expect(input).toEqual({ title: 'Dinner', ...(start && { start }) })
})

test.each([
  [undefined, 180],
  ['America/New_York', 480],
  ['Asia/Tokyo', 1080],
])('a deadline by the clock is one of the user’s zone: %s', async (zone, minutes) => {
  const now = wallClock(Date.parse('2027-01-05T15:00:00Z'), zone)
  expect(await rules.understand('carve a spoon by 6pm', now)).toMatchObject({ withinMinutes: minutes })
})

test.each([
  ['by 17:00 UTC', 'Asia/Tokyo', 90],
  ['by 5pm CET', 'America/New_York', 30],
  ['by 20:00 Berlin time', 'America/New_York', 210],
  ['by 5pm', 'America/New_York', 390],
  ['by 5pm', undefined, 90],
])('a deadline is by the clock of the zone that it says, else of the user: %s from %s', (said, zone, minutes) => {
  expect(toMinutes(said, clockOf(said, Date.parse('2026-11-27T15:30:00Z'), zone))).toBe(minutes)
})
