import { minuteMs } from '../../domain/durations.ts'
import { pad } from '../words/numerals.ts'

// Finds the time zone that stands behind a time of day: "19:00 Berlin time", "7pm CET", "09:00 Europe/Paris", "10:00 UTC+2".

const abbreviations: Record<string, string> = {
  ...{ utc: 'UTC', gmt: 'UTC', bst: 'Europe/London', cet: 'Europe/Paris', cest: 'Europe/Paris', eet: 'Europe/Helsinki' },
  ...{ est: 'America/New_York', edt: 'America/New_York', et: 'America/New_York', pst: 'America/Los_Angeles' },
  ...{ pdt: 'America/Los_Angeles', pt: 'America/Los_Angeles', jst: 'Asia/Tokyo', ist: 'Asia/Kolkata' },
}
const toName = (text: string) => text.toLowerCase().replaceAll('_', ' ')
let byName: ReadonlyMap<string, string> | undefined
/** IANA zones by their id and by the name of their city, in lower case. */
const zones = (): ReadonlyMap<string, string> => {
  const ids = Intl.supportedValuesOf('timeZone')
  byName ??= new Map(ids.flatMap(id => [[toName(id.split('/').at(-1) ?? id), id] as const, [toName(id), id] as const]))
  return byName
}

const behind =
  /^[\s,(]{0,3}(?:(?<id>[A-Z][a-z]+(?:\/[A-Z][A-Za-z_]+){1,2})|(?:UTC|GMT) ?(?<sign>[+-])(?<hours>\d{1,2})(?::?(?<minutes>\d\d))?(?!\d)|(?<short>UTC|GMT|BST|CES?T|EET|E[SD]?T|P[SD]?T|JST|IST)(?![\p{L}\p{N}])|(?<place>\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2}) (?:local |summer |winter )?time(?!\p{L})|(?<=^,\s?)(?<city>\p{Lu}[\p{L}’'-]*(?: \p{Lu}[\p{L}’'-]*){0,2})(?=\s*(?:[.;!?)]|$)))\)?/u

/** The offset of an IANA zone at a time: `+01:00`, or `Z`. @throws RangeError where there is no such zone */
export const offsetOf = (zone: string, at: number): string => {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(at)
  return (
    parts
      .find(it => it.type === 'timeZoneName')
      ?.value.replace('GMT', '')
      .replace('+00:00', '') || 'Z'
  )
}

/** The offset of an IANA zone at a wall clock, which is given as if it were UTC in epoch ms. @throws RangeError as above */
export const offsetAtWall = (zone: string, wall: number): string => offsetOf(zone, wall - offsetMs(offsetOf(zone, wall)))

/** The length of an offset such as `-05:00`, in ms. */
export const offsetMs = (offset: string): number => {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)/.exec(offset) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * minuteMs
}

/**
 * The offset of the zone that a text begins with, for a day: `+01:00`, or `Z`. `offset` is undefined for a place that no zone is
 * named after: its time is unknown. The whole is undefined where no zone stands. @param day ISO 8601 date
 */
export const zoneBehind = (text: string, day: string): { offset: string | undefined; length: number } | undefined => {
  const found = behind.exec(text.slice(0, 80))
  if (!found) return undefined
  const { id, sign, hours, minutes = '00', short, place, city } = found.groups ?? {}
  const length = found[0].length
  if (sign) return { offset: `${sign}${pad(Number(hours))}:${minutes}`, length }
  const zone = short ? abbreviations[short.toLowerCase()] : zones().get(toName(id ?? place ?? city ?? ''))
  // An id or a name behind a comma that is no zone is something else.
  if ((id || city) && !zone) return undefined
  return { offset: zone && offsetOf(zone, Date.parse(`${day}T12:00:00Z`)), length }
}
