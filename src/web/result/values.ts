import { toMinutes } from '../client/format.ts'
import { ownLanguage, t, type Words } from '../client/words.ts'
import type { Plain } from './kinds.ts'

const moment = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/
const day = /^(\d{4})-(\d\d)-(\d\d)$/
const offset = /^([+-])(\d\d):(\d\d)$/

/** A day without the time zone of its reader; Words ones begin with the day, as nobody reads those in another order. */
const toWrittenDay = (at: Date): string =>
  at.toLocaleDateString(ownLanguage() === 'en' ? 'en-GB' : ownLanguage(), { ...longDay, timeZone: 'UTC' })
const longDay = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const
const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })

/** Reads a timestamp as local time where it was written, without converting the time zone. */
const wallOf = (text: string) => {
  const [, year, month, date, hours, minutes, seconds] = moment.exec(text) ?? []
  if (!year) return undefined
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)))
  return Number.isNaN(at.getTime()) ? undefined : { at, hours: Number(hours), minutes: minutes ?? '00', seconds }
}

const toOffset = (text: string): string | undefined => {
  const [, sign, hours, minutes] = offset.exec(text) ?? []
  if (!sign) return undefined
  const [h, m] = [Number(hours), Number(minutes)]
  if (h === 0 && m === 0) return t('the same as UTC')
  const span = [h > 0 ? toMinutes(60 * h) : '', m > 0 ? toMinutes(m) : ''].filter(Boolean).join(' ')
  return t(sign === '+' ? '{time} ahead' : '{time} behind', { time: span })
}

/** Formats a value for users: dates and times in words, numbers with separators, Yes and No. @param name of its member */
export const toValue = (value: Plain, name = ''): string => {
  if (value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (typeof value === 'number') return /year|id$|code/i.test(name) ? String(value) : numbers.format(value)
  const wall = wallOf(value)
  if (wall) return `${toWrittenDay(wall.at)}, ${wall.hours}:${wall.minutes}${wall.seconds ? `:${wall.seconds}` : ''}`
  const [, year, month, date] = day.exec(value) ?? []
  if (year) {
    const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)))
    return Number.isNaN(at.getTime()) ? value : toWrittenDay(at)
  }
  return (/offset/i.test(name) && toOffset(value)) || value
}

const partOf = (hours: number): Words => {
  if (hours < 5) return 'at night'
  if (hours < 12) return 'in the morning'
  if (hours < 18) return 'in the afternoon'
  return hours < 22 ? 'in the evening' : 'at night'
}

/** Formats the most important value, which is shown in large type, with a short addition. */
export const toHeadline = (value: Plain, name: string): { large: string; beside: string } => {
  const wall = typeof value === 'string' ? wallOf(value) : undefined
  if (wall) return { large: `${wall.hours}:${wall.minutes}`, beside: t(partOf(wall.hours)) }
  return { large: toValue(value, name), beside: '' }
}
