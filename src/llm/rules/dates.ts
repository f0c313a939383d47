import type { Property } from '../requirement.ts'

const monthNames = 'January|February|March|April|May|June|July|August|September|October|November|December'.split('|')
const months = monthNames.map(it => (it.length > 4 ? `${it.slice(0, 3)}(?:${it.slice(3)}|\\b\\.?)` : it)).join('|')
export const weekdays = 'Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday'
const ordinal = String.raw`\d{1,2}(?:st|nd|rd|th)`
const day = String.raw`\d{1,2}(?:st|nd|rd|th)?`

const isoDate = /\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?(?![\d-])/g
const spokenDate = new RegExp(
  [
    String.raw`\b(?:${months}) ${day}(?!\d)(?:,? \d{4}\b)?`,
    String.raw`\b${day}(?: of)? (?:${months})\b(?:,? \d{4}\b)?`,
    String.raw`\b${ordinal} of (?:this|next) month\b`,
    String.raw`\bday after tomorrow\b`,
    String.raw`\b(?:(?:next|this|coming) )?(?:${weekdays})(?: (?:this|next) week)?\b`,
    String.raw`\b(?:next|this) (?:week|month|weekend)\b`,
    String.raw`\b(?:later )?today\b|\btomorrow\b|\btonight\b`,
    String.raw`\bthe ${ordinal}\b|(?<=\b(?:on|for) )${ordinal}\b`,
    String.raw`\b\d{1,2}\/\d{1,2}\/\d{4}\b`,
  ].join('|'),
  'gi',
)
const spokenTime =
  /\b(?:half past|quarter (?:past|to)) (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: (?:o'clock ?)?(?:in the (?:morning|afternoon|evening)|[ap]\.?m\b\.?))?|\b(?:(?:morning|afternoon|evening) )\d{1,2}(?::\d{2})?\b|\b\d{1,2}(?::\d{2})? ?(?:[ap]\.?m\b\.?|o'clock(?: in the (?:morning|afternoon|evening))?|in the (?:morning|afternoon|evening))|\b(?:[01]?\d|2[0-3]):[0-5]\d\b|\b(?:noon|midnight)\b/gi

const full = new RegExp(
  String.raw`^(?:(?<m1>${months}) (?<d1>\d{1,2})|(?<d2>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<m2>${months}))(?:st|nd|rd|th)?,? (?<year>\d{4})$`,
  'i',
)

/** Day, month and year, when all three were said. */
const toIso = (said: string): string | undefined => {
  const { m1, d1, m2, d2, year } = full.exec(said)?.groups ?? {}
  const month = monthNames.findIndex(it => it.toLowerCase().startsWith((m1 ?? m2 ?? '-').slice(0, 3).toLowerCase())) + 1
  return year && month ? `${year}-${String(month).padStart(2, '0')}-${(d1 ?? d2 ?? '').padStart(2, '0')}` : undefined
}

/** As much of a message as is searched for dates: behind it stands material. */
const dateChars = 4000

// Formats that descriptions give, in letters or in the signs of strftime.
const dayForm = /(?:YYYY-MM-DD|%Y-%m-%d)/i
const momentForm = new RegExp(`${dayForm.source}(?<joint>[ T])(?:HH:MM|%H:%M)(?<seconds>:(?:SS|%S))?`, 'i')

/** A time of the day as a clock of 24 hours shows it: "9am" is 09:00. */
const toClock = (said: string): string | undefined => {
  const [, hours, minutes = '00', half = ''] = /^(\d{1,2})(?::(\d{2}))?(?: ?([ap])\.?m\b\.?)?$/i.exec(said) ?? []
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours)
  return hour < 24 ? `${String(hour).padStart(2, '0')}:${minutes}` : undefined
}

/** Dates and times in the order they are said; `inFull` are the dates with day, month and year. */
const readCalendar = (whole: string) => {
  const message = whole.slice(0, dateChars)
  const iso = [...message.matchAll(isoDate)].map(it => it[0])
  const spoken = [...message.matchAll(spokenDate)].map(it => it[0])
  const times = [...message.matchAll(spokenTime)].map(it => it[0].trim())
  return { iso, spoken, times, inFull: [...iso, ...spoken.flatMap(it => toIso(it) ?? [])] }
}

/** Moments where the description asks for date and time in one: without either there is none. */
const readMoments = (message: string, { groups }: RegExpExecArray): string[] => {
  const { inFull, times } = readCalendar(message)
  return times.flatMap((time, at) => {
    const [day, clock] = [inFull[at] ?? inFull.at(-1), toClock(time)]
    return day && clock ? [`${day.slice(0, 10)}${groups?.joint}${clock}${groups?.seconds ? ':00' : ''}`] : []
  })
}

/** Dates in the order they are said. A property with a format takes only what was said in full: the rest would be a guess. */
export const readDates = (message: string, { format, description }: Property): string[] => {
  const moment = momentForm.exec(description)
  if (moment) return readMoments(message, moment)
  const { iso, inFull, spoken } = readCalendar(message)
  if (format) return inFull
  return dayForm.test(description) ? [...inFull, ...spoken] : [...iso, ...spoken]
}

/** Times of the day in the order they are said. */
export const readTimes = (message: string, { description }: Property): string[] => {
  const moment = momentForm.exec(description)
  return moment ? readMoments(message, moment) : readCalendar(message).times
}

/** The message without dates and times, whose figures count nothing. */
export const withoutDates = (message: string): string =>
  message.replace(isoDate, ' ; ').replace(spokenDate, ' ; ').replace(spokenTime, ' ; ')

export const monthPattern = months
