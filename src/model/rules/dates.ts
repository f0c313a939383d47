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

/** Dates in the order they are said. A property with a format takes only what was said in full: the rest would be a guess. */
export const readDates = (whole: string, { format, description }: Property): string[] => {
  const message = whole.slice(0, dateChars)
  const iso = [...message.matchAll(isoDate)].map(it => it[0])
  const spoken = [...message.matchAll(spokenDate)].map(it => it[0])
  const inFull = spoken.flatMap(it => toIso(it) ?? [])
  if (format) return [...iso, ...inFull]
  return /YYYY-MM-DD/i.test(description) ? [...iso, ...inFull, ...spoken] : [...iso, ...spoken]
}

/** Times of the day in the order they are said. */
export const readTimes = (message: string): string[] =>
  [...message.slice(0, dateChars).matchAll(spokenTime)].map(it => it[0].trim())

/** The message without dates and times, whose figures count nothing. */
export const withoutDates = (message: string): string =>
  message.replace(isoDate, ' ; ').replace(spokenDate, ' ; ').replace(spokenTime, ' ; ')

export const monthPattern = months
