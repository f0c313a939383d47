import { zones } from './cities.ts'

type Place = { city: string; timezone: string }
type LocalTime = { local_time: string; utc_offset: string }

/** Reduces a name to lower-case letters and digits without accents: `São Paulo` and `sao-paulo` are equal. */
const toPlain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    // Unicode does not decompose ł, because its stroke is no accent.
    .replaceAll('ł', 'l')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const placesByName = new Map<string, Place>(
  Object.entries(zones).flatMap(([timezone, cities]) => cities.map(city => [toPlain(city), { city, timezone }] as const)),
)

// Longest names first, because a text with `New York City` means neither `York` nor `New York`.
const namesByLength = [...placesByName.keys()].toSorted((a, b) => b.length - a.length)

/** Finds a time zone by its IANA name in any letter case. */
const findZone = (asked: string): Place | undefined => {
  const name = asked.trim()
  if (!/^([a-z_]+(\/[a-z0-9_+-]+)+|utc)$/i.test(name)) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    // The runtime may return an older name of the zone; then the requested name is kept.
    const timezone = timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
    return { city: (timezone.split('/').at(-1) ?? timezone).replaceAll('_', ' '), timezone }
  } catch {
    return undefined
  }
}

/** Finds a city by its name, a zone by its IANA name, or the city named in a question; undefined when none is known. */
export const findPlace = (asked: string): Place | undefined => {
  const plain = toPlain(asked)
  const exact = placesByName.get(plain) ?? findZone(asked)
  if (exact) return exact
  const named = namesByLength.find(name => ` ${plain} `.includes(` ${name} `))
  return named === undefined ? undefined : placesByName.get(named)
}

/**
 * Returns the local time of a zone, including daylight saving time.
 * @param epochMs ms since 1970
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
