import { dayMs, hourMs, minuteMs, secondMs } from '../../domain/durations.ts'
import { ownLanguage, ownLocale, t } from './words.ts'

/** Amounts look the same in each language, as they are typed. */
const locale = 'en-US'

// Amounts are formatted from text, because a floating-point number could change digits.
const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 20 })
const isDecimal = (text: string): text is `${number}` => /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(text)

/** Formats decimal USDC with at least two decimals, without rounding. Returns a dash if the text is not a number. */
export const toUsdc = (decimal: string | number): string => {
  const text = String(decimal)
  return isDecimal(text) ? money.format(text) : '–'
}

const typedMoney = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 20, useGrouping: false })

/** Like `toUsdc`, in the form that an input field accepts. */
export const toTypedUsdc = (decimal: string | number): string => {
  const text = String(decimal)
  return isDecimal(text) ? typedMoney.format(text) : text
}

const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3, roundingMode: 'floor' })

/** Formats an amount of tokens in three significant digits, rounded down: "395K", "0.0123". @param decimal exact decimal text */
export const toThreeDigits = (decimal: string): string => compact.format(Number(decimal))

const floored = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2, roundingMode: 'floor' })

/** Formats what something would bring: whole cents, rounded down; below a dollar in three significant digits. */
export const toAbout = (decimal: string): string =>
  Number(decimal) >= 1 || Number(decimal) === 0 ? floored.format(Number(decimal)) : toThreeDigits(decimal)

const styles = {
  full: { dateStyle: 'medium', timeStyle: 'short' },
  short: { timeStyle: 'short' },
  day: { day: 'numeric', month: 'short' },
  second: { timeStyle: 'medium' },
} as const

/** The formats of dates are costly to make. Each is made at its first use, when the language of the page is known. */
const made = new Map<string, Intl.DateTimeFormat>()
const toDate = (style: keyof typeof styles, at: number | string | Date): string => {
  const key = `${style} ${ownLocale()}`
  const format = made.get(key) ?? new Intl.DateTimeFormat(ownLocale(), styles[style])
  made.set(key, format)
  return format.format(new Date(at))
}

/** Formats a time in the viewer's time zone, without the date if it is today. @param at epoch ms or ISO 8601 */
export const toMoment = (at: number | string): string =>
  toDate(new Date(at).toDateString() === new Date().toDateString() ? 'short' : 'full', at)
/** Formats the day of a time in the viewer's time zone, without the year. @param at epoch ms or ISO 8601 */
export const toDay = (at: number | string): string => toDate('day', at)
export const toSecond = (at: number | string): string => toDate('second', at)
export const toFullTime = (at: number | string): string => toDate('full', at)

const steps = [
  { unit: 'day', ms: dayMs },
  { unit: 'hour', ms: hourMs },
  { unit: 'minute', ms: minuteMs },
  { unit: 'second', ms: secondMs },
] as const

/** Formats the distance to now in the largest unit that fits, such as "2 hours ago". */
export const toAgo = (at: number | string, now = Date.now()): string => {
  const ms = new Date(at).getTime() - now
  const step = steps.find(it => Math.abs(ms) >= it.ms)
  const relative = new Intl.RelativeTimeFormat(ownLanguage(), { numeric: 'auto' })
  if (step) return relative.format(Math.round(ms / step.ms), step.unit)
  return ownLanguage() === 'en' ? 'just now' : relative.format(0, 'second')
}

/** Formats a duration in ms as minutes and seconds, such as 1:05. */
export const toCountdown = (ms: number): string => {
  const left = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
}

/** Formats minutes in the largest unit that divides them; returns a dash if it is not a number. */
export const toMinutes = (n: number): string => {
  if (!Number.isFinite(n)) return '– minutes'
  const [unit, count] =
    n >= 1440 && n % 1440 === 0 ? ['day', n / 1440] : n >= 60 && n % 60 === 0 ? ['hour', n / 60] : ['minute', n]
  return new Intl.NumberFormat(ownLocale(), { style: 'unit', unit: String(unit), unitDisplay: 'long' }).format(Number(count))
}

/** Shortens an address or hash to its first and last characters. */
export const toShort = (hex: string): string => (hex.length > 14 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex)

/** Formats amounts in a text of the service, and shortens its addresses and hashes. */
export const toReadable = (text: string): string =>
  text
    .replace(/0x[0-9a-f]{40,64}/gi, hex => toShort(hex))
    .replace(/(?<![\d.,])\d+(?:\.\d+)?(?= USDC\b)/g, amount => toUsdc(amount))

const names: Record<number, string> = {
  97: 'BSC testnet',
  84532: 'Base Sepolia',
  1952: 'X Layer testnet',
  56: 'BSC',
  8453: 'Base',
}

export const chainName = ({ chain_id: id, embedded = false }: { chain_id: number; embedded?: boolean }): string =>
  embedded ? t('the local test chain') : (names[id] ?? `chain ${id}`)

/** Formats a duration in ms: tenths of a second below ten seconds, then seconds, minutes, hours. */
export const toDuration = (ms: number): string => {
  const at = Math.max(0, ms)
  if (at < 9_950) return `${(at / secondMs).toFixed(1)} s`
  if (at < 99_500) return `${Math.round(at / secondMs)} s`
  return at < hourMs ? `${Math.round(at / minuteMs)} min` : `${Math.round(at / hourMs)} h`
}

/** Converts a member's name to a label: `local_time` and `localTime` give "Local time", `utc_offset` gives "UTC offset". */
export const toLabel = (name: string): string => {
  const words = name
    .replace(/[_-]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .trim()
    .replace(/\b(?:utc|url|id|csv|svg|pdf|html|json|ics|qr|usdc|usd|eur|gbp|chf|bnb|eth|btc|api|ip|iban)\b/g, short =>
      short.toUpperCase(),
    )
    .replace(/\btimezone\b/g, 'time zone')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the first sentence of a text; the whole text when no sentence ends in it. */
export const firstSentence = (text: string): string => /^[\s\S]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text
