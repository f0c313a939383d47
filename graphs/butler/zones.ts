import { isObject, type Json, type JsonObject } from '../../src/domain/json.ts'
import { findDates, toIso } from '../../src/language/forms/dates.ts'
import { findTimes } from '../../src/language/forms/times.ts'
import { offsetAtWall, offsetMs, offsetOf, zoneBehind } from '../../src/language/forms/zones.ts'

// The time zone of a user: dates are counted in it, and a time without a zone is in it.

/** The wall clock of a zone as if it were UTC, in epoch ms. Without a zone, it is UTC. */
export const wallClock = (now: number, zone: string | undefined): number =>
  zone === undefined ? now : now + offsetMs(offsetOf(zone, now))

/** The zones that a message names behind its dates and times. */
const zonesIn = (text: string, now: number) =>
  [...findTimes(text), ...findDates(text, now)].flatMap(
    it => zoneBehind(text.slice(it.from + it.length), toIso(dayOf(now))) ?? [],
  )
const dayOf = (now: number) => {
  const at = new Date(now)
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() }
}

const inUtc = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)Z$/

const convert = (schema: Json | undefined, value: Json, zone: string): Json => {
  if (!isObject(schema)) return value
  if (typeof value === 'string') {
    const [, wall] = schema.format === 'date-time' ? (inUtc.exec(value) ?? []) : []
    return wall === undefined ? value : `${wall}${offsetAtWall(zone, Date.parse(value))}`
  }
  if (Array.isArray(value)) return value.map(it => convert(schema.items, it, zone))
  return isObject(value) ? inMembers(schema, value, zone) : value
}
const inMembers = (schema: JsonObject, value: JsonObject, zone: string): JsonObject => {
  const members = new Map(Object.entries(isObject(schema.properties) ? schema.properties : {}))
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, convert(members.get(name), it, zone)]))
}

type Read = { said: readonly string[]; zone: string | undefined; now: number }

/** Values that the rules read, whose times without a zone are in that of the user. */
export const inZone = (requirement: JsonObject, values: JsonObject, { said, zone, now }: Read): JsonObject =>
  zone === undefined || said.some(it => saysZone(it, now)) ? values : inMembers(requirement, values, zone)

/** Whether the times of a message are in a zone that it says. */
export const saysZone = (text: string, now: number): boolean => inUtcText.test(text) || zonesIn(text, now).length > 0
/** The wall clock of the zone that a message says, else of the user's: as if it were UTC, in epoch ms. */
export const clockOf = (text: string, now: number, zone: string | undefined): number => {
  const offset = inUtcText.test(text) ? 'Z' : zonesIn(text, now).find(it => it.offset)?.offset
  return offset === undefined ? wallClock(now, zone) : now + offsetMs(offset)
}
const inUtcText = /\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/
