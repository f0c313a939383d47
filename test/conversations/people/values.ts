import { isObject, type Json } from '../../../src/domain/json.ts'

const dayMs = 24 * 60 * 60_000
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const toDay = (at: number) => new Date(at).toISOString().slice(0, 10)

/**
 * The days that a date of an expectation may mean, in UTC. Some dates are ambiguous: "next Tuesday" may be the coming one or
 * the one after, and today's weekday may mean today or in a week.
 */
const toDays = (text: string, now: number): string[] => {
  const words = text.toLowerCase().trim()
  if (/^[+-]?\d+$/.test(words)) return [toDay(now + Number(words) * dayMs)]
  if (/^\d\d-\d\d$/.test(words)) {
    const year = new Date(now).getUTCFullYear()
    return [`${year}-${words}` >= toDay(now) ? `${year}-${words}` : `${year + 1}-${words}`]
  }
  const [, lead, name = ''] = /^(next |this )?(\w+)$/.exec(words) ?? []
  const index = weekdays.indexOf(name)
  if (index < 0) return [words]
  const ahead = (index - new Date(now).getUTCDay() + 7) % 7
  const days = ahead === 0 ? [0, 7] : lead === 'next ' ? [ahead, ahead + 7] : [ahead]
  return days.map(it => toDay(now + it * dayMs))
}

/** Replaces date placeholders in a message: `{{+30}}` becomes the day in thirty days. */
export const withDates = (words: string): string =>
  words.replace(/\{\{([^}]+)\}\}/g, (_, day: string) => toDays(day, Date.now())[0] ?? '')

const toText = (value: Json): string =>
  Array.isArray(value) ? value.map(toText).join(', ') : isObject(value) ? JSON.stringify(value) : String(value)

/** A text without case, accents, and surrounding punctuation. */
const toPlain = (value: Json): string =>
  toText(value)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/^[\s\p{Pd}\p{Pi}\p{Pf}"'`.,;:!?]+|[\s\p{Pd}\p{Pi}\p{Pf}"'`.,;:!?]+$/gu, '')

const isAbsent = (got: Json | undefined) => got === undefined || got === null || got === ''

/** Whether a value matches an expectation: an equal value, an object with `any`, `has`, `date` or `absent`, or one whose members match. */
export const isExpected = (wanted: Json, got: Json | undefined): boolean => {
  if (isObject(wanted)) {
    const { any, has, date, absent } = wanted
    if (absent) return isAbsent(got)
    if (Array.isArray(any)) return any.some(it => isExpected(it, got))
    if (isAbsent(got) || got === undefined) return false
    if (typeof has === 'string') return toPlain(got).includes(toPlain(has))
    if (typeof date === 'string') return toDays(date, Date.now()).includes(toText(got).slice(0, 10))
    return isObject(got) && Object.entries(wanted).every(([name, value]) => isExpected(value ?? null, got[name]))
  }
  if (got === undefined || got === null) return false
  if (Array.isArray(wanted))
    return Array.isArray(got) && got.length === wanted.length && wanted.every(it => got.some(one => isExpected(it, one)))
  if (typeof wanted === 'number') return typeof got !== 'boolean' && got !== '' && Number(got) === wanted
  return typeof wanted === 'boolean' ? got === wanted : toPlain(wanted) === toPlain(got)
}
