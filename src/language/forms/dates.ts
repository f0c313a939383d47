import { casual } from 'chrono-node'
import { dayMs } from '../../domain/durations.ts'
import { remember } from '../../domain/text/remember.ts'
import { numeral, ordinals, pad, toNumber } from '../words/numerals.ts'
import { usedMark } from '../words/used.ts'

// Finds dates in everyday language. Forms that chrono misreads are handled first: "day after tomorrow", "12.6.", "the 5th",
// holidays.

type Day = { year: number; month: number; day: number }
export type Found = { at: number; from: number; length: number; day: Day; said: string; isReturn?: boolean }

const toDay = (ms: number): Day => {
  const date = new Date(ms)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}
const toMs = ({ year, month, day }: Day) => Date.UTC(year, month - 1, day)
/** Formats a day as an ISO 8601 date. */
export const toIso = ({ year, month, day }: Day): string => `${year}-${pad(month)}-${pad(day)}`

const isReal = (day: Day) => toIso(toDay(toMs(day))) === toIso(day)
/** Returns the next occurrence of a month and day, including today. */
const coming = (now: number, month: number, day: number): Day | undefined => {
  const today = toDay(now)
  for (const year of [today.year, today.year + 1, today.year + 2, today.year + 3, today.year + 4]) {
    const it = { year, month, day }
    if (isReal(it) && toMs(it) >= toMs(today)) return it
  }
  return undefined
}
const fullYear = (year: string) => (year.length === 2 ? 2000 + Number(year) : Number(year))

const month =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const weekday = 'mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?'
const fullWeekday = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'
const nth = String.raw`\d{1,2}(?:st|nd|rd|th)`
const edge = String.raw`(?<![\p{L}\p{N}])`
const end = String.raw`(?![\p{L}\p{N}])`

type Reader = [pattern: string, read: (match: RegExpExecArray, now: number) => Day | undefined]
const plus = (now: number, days: number) => toDay(toMs(toDay(now)) + days * dayMs)
const addMonths = (now: number, count: number): Day => {
  const { year, month: from, day } = toDay(now)
  const at = new Date(Date.UTC(year, from - 1 + count, 1))
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: Math.min(day, last) }
}
const ahead = (now: number, count: number, unit: string): Day => {
  if (/^mo/i.test(unit)) return addMonths(now, Math.round(count))
  if (/^y/i.test(unit)) return addMonths(now, Math.round(count * 12))
  return plus(now, Math.round(count * (/^w/i.test(unit) ? 7 : /^f/i.test(unit) ? 14 : 1)))
}
const countOf = (said: string) => (/^(?:an?|the)$/i.test(said) ? 1 : toNumber(said))
/** Parses a phrase with chrono and returns a day only when year, month and day are known. */
const byChrono = (said: string, now: number): Day | undefined => {
  const reference = { instant: new Date(toMs(toDay(now)) + dayMs / 2), timezone: 0 }
  const [found] = casual.parse(said, reference, { forwardDate: true })
  const [year, at, day] = [found?.start.get('year'), found?.start.get('month'), found?.start.get('day')]
  return year && at && day ? { year, month: at, day } : undefined
}
/** Returns the next date with this day of the month. */
const dayOfMonth = (now: number, day: number, skip = 0): Day | undefined => {
  const today = toDay(now)
  for (let step = skip; step < skip + 3; step += 1) {
    const at = new Date(Date.UTC(today.year, today.month - 1 + step, 1))
    const it = { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day }
    if (isReal(it) && (skip > 0 || toMs(it) >= toMs(today))) return it
  }
  return undefined
}
const feasts: Record<string, [number, number]> = {
  'christmas eve': [12, 24],
  'christmas day': [12, 25],
  christmas: [12, 25],
  'boxing day': [12, 26],
  "new year's eve": [12, 31],
  'new years eve': [12, 31],
  "new year's day": [1, 1],
  'new years day': [1, 1],
  "valentine's day": [2, 14],
  'valentines day': [2, 14],
  halloween: [10, 31],
}

const readers: Reader[] = [
  [
    String.raw`(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:T[\d:.]+Z?)?(?!\d)`,
    ([, y = '', m, d]) => ({ year: Number(y), month: Number(m), day: Number(d) }),
  ],
  [
    String.raw`(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)`,
    ([, a, , b, y = '']) => {
      const dayFirst = { year: fullYear(y), month: Number(b), day: Number(a) }
      return isReal(dayFirst) ? dayFirst : { year: fullYear(y), month: Number(a), day: Number(b) }
    },
  ],
  [
    String.raw`(\d{1,2})(?:/(\d{1,2})(?![\d/])|\.(\d{1,2})\.(?!\d))`,
    ([, a, slashed, dotted], now) =>
      coming(now, Number(slashed ?? dotted), Number(a)) ?? coming(now, Number(a), Number(slashed ?? dotted)),
  ],
  [
    `(an?|${numeral}) (days?|weeks?|fortnights?|months?|years?) (?:from|after|on) (?:next |this )?(today|tomorrow|${fullWeekday})${end}`,
    ([, count = '', unit = '', from = ''], now) => {
      const base = byChrono(from, now)
      return base && ahead(toMs(base), countOf(count), unit)
    },
  ],
  [`(?:the )?day after (?:tom+or+ow|tmrw)`, (_, now) => plus(now, 2)],
  [
    `(?:tom+or+ow|tmrw?|2mor+ow)${end}(?: (?:week|fortnight)${end})?`,
    ([said], now) => plus(now, /week/.test(said) ? 8 : /fortnight/.test(said) ? 15 : 1),
  ],
  [`(?:later )?(?:today|tonight|this (?:morning|afternoon|evening))${end}`, (_, now) => toDay(now)],
  [`day before yesterday${end}`, (_, now) => plus(now, -2)],
  [`(?:yesterday|last night)${end}`, (_, now) => plus(now, -1)],
  [
    // Years behind somebody are no day: "after thirty years".
    `(?:in|after(?! (?:an?|${numeral}) ?years?)) (an?|${numeral}) ?(days?|weeks?|months?|years?|fortnights?)${end}(?:['’]? time)?`,
    ([, count = '', unit = ''], now) => ahead(now, countOf(count), unit),
  ],
  [
    `(an?|${numeral}) (days?|weeks?|months?|years?|fortnights?) (?:from (?:now|today)|hence|later)${end}`,
    ([, count = '', unit = ''], now) => ahead(now, countOf(count), unit),
  ],
  [
    `(an?|${numeral}) (days?|weeks?|months?|years?|fortnights?) ago${end}`,
    ([, count = '', unit = ''], now) => ahead(now, -countOf(count), unit),
  ],
  [
    String.raw`(?:the )?(${nth}|\d{1,2}|${ordinals.join('|')}) (?:of )?(?:this|next) month${end}`,
    ([said, day = ''], now) =>
      dayOfMonth(now, Number.parseInt(day, 10) || ordinals.indexOf(day.toLowerCase()) + 1, /next month/i.test(said) ? 1 : 0),
  ],
  [
    String.raw`(?:(?:${weekday}),? (?:the )?)?(?:\d{1,2}(?:st|nd|rd|th)?|${ordinals.join('|')})\.? (?:of )?(?:${month})${end}\.?(?:,? \d{4}(?!\d))?`,
    ([said], now) => byChrono(said.replace(/(\d)\. /, '$1 '), now),
  ],
  [
    String.raw`(?:(?:${weekday}),? )?(?:${month})\.? (?:the )?\d{1,2}(?:st|nd|rd|th)?(?![\d:.,]*\d)(?:,? \d{4}(?!\d))?`,
    ([said], now) => byChrono(said.replace(/ the /i, ' '), now),
  ],
  [
    `(?:${Object.keys(feasts).join('|').replaceAll('christmas', '(?:christmas|x-?mas)')})${end}`,
    ([said], now) => {
      const [m = 0, d = 0] =
        feasts[
          said
            .toLowerCase()
            .replace('’', "'")
            .replace(/x-?mas/, 'christmas')
        ] ?? []
      return coming(now, m, d)
    },
  ],
  [
    `(?:(?:on|next|this|coming|the coming|this coming|by) )?(?:${fullWeekday})${end}(?:,? (?:the )?${nth})?(?: (?:week|after next|(?:of )?(?:this|next) week)${end})?|(?:on|next|this) (?:${weekday})${end}`,
    ([said], now) => {
      const day = byChrono(said.replace(/^(?:the )?coming |^by /i, '').replace(/,? (?:the )?\d.*$| after next| week$/i, ''), now)
      const nextWeek = / after next| (?<!this |next )week$/i.test(said) && day ? 7 : 0
      return day && toDay(toMs(day) + nextWeek * dayMs)
    },
  ],
  [
    `(?:the|on|for) (${nth})${end}(?! (?:century|floor|birthday|anniversary|edition|grade|time|place|street|avenue|of (?!next|this)))`,
    ([, day = ''], now) => dayOfMonth(now, Number.parseInt(day, 10)),
  ],
  [
    `(?:(?:at |by )?(?:the )?end of (?:the |this |next )?(?:week|month|year)|(?:this|next) (?:week(?:end)?|month|year))${end}`,
    ([said], now) => endOf(said.toLowerCase(), now),
  ],
  [String.raw`(?<=since |after |from )((?:19|20)\d{2})(?!\d)`, ([, year]) => ({ year: Number(year), month: 1, day: 1 })],
]

const endOf = (said: string, now: number): Day | undefined => {
  const { year, month: at } = toDay(now)
  if (/end of/.test(said) && /month/.test(said)) return toDay(Date.UTC(year, at - 1 + (/next/.test(said) ? 2 : 1), 0))
  if (/end of/.test(said) && /year/.test(said)) return { year: year + (/next/.test(said) ? 1 : 0), month: 12, day: 31 }
  if (/end of/.test(said)) return byChrono('friday', now)
  return byChrono(said, now)
}

const patterns = readers.map(([pattern, read]) => [new RegExp(`${edge}(?:${pattern})`, 'giu'), read] as const)
const range = new RegExp(
  String.raw`${edge}(?:(?:from|between) )?(\d{1,2})(?:st|nd|rd|th)?(?: ?[-–] ?| to | until | till | and )(\d{1,2})(?:st|nd|rd|th)? (?:of )?(${month})${end}(,? \d{4}(?!\d))?`,
  'giu',
)

const yearAfter =
  /^(?: ?[-–] ?\d{1,2}(?:st|nd|rd|th)?)?[\s,]{0,3}(?:(?:of|in)\s+)?(?:the year\s+)?(?:\(?((?:19|20)\d{2})|['’](\d{2}))(?![\d:]|\.\d)\)?/i
/** A year behind a month belongs to that date. */
const yearBefore = /(?<!\d)(?<!\p{L}{3}\s)((?:19|20)\d{2})[\s,]{1,3}(?:on )?(?:the )?$/iu
/** Gives a date the year that stands near it: "3 March in 2021", "2021, March 3". A year that was said is never another one. */
const withYear = (text: string, it: Found): Found => {
  if (!/\d/.test(it.said) || !/\p{L}{3}/u.test(it.said) || /\d{4}/.test(it.said) || relative.test(it.said)) return it
  const [behind = '', long, short] = yearAfter.exec(text.slice(it.from + it.length, it.from + it.length + 40)) ?? []
  const [, before] = yearBefore.exec(text.slice(Math.max(0, it.from - 16), it.from)) ?? []
  const year = long ?? (short ? `20${short}` : before)
  return year === undefined ? it : { ...it, day: { ...it.day, year: Number(year) }, length: it.length + behind.length }
}
const relative = /\b(?:days?|weeks?|months?|years?|fortnights?|ago|this|next)\b/i

/** Finds all dates in a text, in order and without overlaps. @param now ms since 1970, to which relative dates refer */
export const findDates = remember({ results: 500, chars: 4_000 }, (whole: string, now: number): readonly Found[] => {
  let text = whole
  const found: Found[] = []
  const note = (match: RegExpMatchArray, days: (Day | undefined)[]) => {
    const [said] = match
    const at = match.index ?? 0
    for (const [step, day] of days.entries())
      if (day && isReal(day))
        found.push({ at: at + step, from: at, length: said.length, day, said, ...(step === 1 && { isReturn: true }) })
    if (days.some(it => it && isReal(it))) text = text.slice(0, at) + usedMark.repeat(said.length) + text.slice(at + said.length)
  }
  for (const match of text.matchAll(range)) {
    const [, from, to, name = '', year = ''] = match
    note(
      match,
      [from, to].map(it => byChrono(`${it} ${name}${year}`, now)),
    )
  }
  for (const [pattern, read] of patterns)
    for (const match of text.matchAll(pattern)) note(match, [read(match as RegExpExecArray, now)])
  const inOrder = found.map(it => withYear(whole, it)).sort((a, b) => a.at - b.at)
  // "Today, April 25th" is one date; the more specific part is kept.
  return inOrder.filter((it, at) => {
    const next = inOrder[at + 1]
    return !(
      next &&
      /^(?:today|tomorrow|tonight)$/i.test(it.said) &&
      next.from - it.from - it.length <= 2 &&
      /\d/.test(next.said)
    )
  })
})
