import { zones } from './cities.ts'

type Place = { city: string; timezone: string }
type LocalTime = { local_time: string; utc_offset: string }

/** Letters and digits in lower case without accents: `São Paulo` and `sao-paulo` are one name. */
const toPlain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    // The stroke of ł is no accent to Unicode.
    .replaceAll('ł', 'l')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const placesByName = new Map<string, Place>(
  Object.entries(zones).flatMap(([timezone, cities]) => cities.map(city => [toPlain(city), { city, timezone }] as const)),
)

// The longest name first: a text with `New York City` in it means neither `York` nor `New York`.
const namesByLength = [...placesByName.keys()].toSorted((a, b) => b.length - a.length)

/** A zone by its IANA name, in any letter case. */
const findZone = (asked: string): Place | undefined => {
  const name = asked.trim()
  if (!/^([a-z_]+(\/[a-z0-9_+-]+)+|utc)$/i.test(name)) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    // The table of zones may answer with an older name of the same zone; the asked one is kept then.
    const timezone = timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
    return { city: (timezone.split('/').at(-1) ?? timezone).replaceAll('_', ' '), timezone }
  } catch {
    return undefined
  }
}

/** A city by its name, a zone by its IANA name, or the city that a question names; undefined when none is known. */
export const findPlace = (asked: string): Place | undefined => {
  const plain = toPlain(asked)
  const exact = placesByName.get(plain) ?? findZone(asked)
  if (exact) return exact
  const named = namesByLength.find(name => ` ${plain} `.includes(` ${name} `))
  return named === undefined ? undefined : placesByName.get(named)
}

/**
 * The clock on the wall of a zone, summer time included.
 * @param epochMs the instant
 * @returns local_time as RFC 3339 with the offset, utc_offset as ±hh:mm
 */
export const toLocalTime = (timezone: string, epochMs: number): LocalTime => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  })
  const part = Object.fromEntries(format.formatToParts(epochMs).map(({ type, value }) => [type, value]))
  const offset = part.timeZoneName?.replace('GMT', '') || '+00:00'
  return {
    local_time: `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}${offset}`,
    utc_offset: offset,
  }
}
