import { dayMs, hourMs, minuteMs, secondMs } from '../../domain/durations.ts'

const locale = 'en-US'

// A text is formatted digit by digit: no amount passes through a float here.
const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 20 })
const isDecimal = (text: string): text is `${number}` => /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(text)

/** Decimal text of USDC with at least two decimals, never rounded; a dash where it is no number. */
export const toUsdc = (decimal: string | number): string => {
  const text = String(decimal)
  return isDecimal(text) ? money.format(text) : '–'
}

const typedMoney = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 20, useGrouping: false })

/** As `toUsdc`, in the form that a field takes. */
export const toTypedUsdc = (decimal: string | number): string => {
  const text = String(decimal)
  return isDecimal(text) ? typedMoney.format(text) : text
}

const plural = new Intl.PluralRules(locale)

/** A number of things: "1 job", "1,200 jobs". */
export const toCount = (count: number, noun: string): string =>
  `${count.toLocaleString(locale)} ${noun}${plural.select(count) === 'one' ? '' : 's'}`

const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const seconds = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })

/** A moment in the viewer's zone: the time today, else with its date. */
export const toMoment = (at: number | string): string => {
  const date = new Date(at)
  return date.toDateString() === new Date().toDateString() ? time.format(date) : dateTime.format(date)
}
export const toSecond = (at: number | string): string => seconds.format(new Date(at))
export const toFullTime = (at: number | string): string => dateTime.format(new Date(at))

const steps = [
  { unit: 'day', ms: dayMs },
  { unit: 'hour', ms: hourMs },
  { unit: 'minute', ms: minuteMs },
  { unit: 'second', ms: secondMs },
] as const
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

/** How long ago, or in how long, in the largest unit that fits. */
export const toAgo = (at: number | string, now = Date.now()): string => {
  const ms = new Date(at).getTime() - now
  const step = steps.find(it => Math.abs(ms) >= it.ms)
  return step ? relative.format(Math.round(ms / step.ms), step.unit) : 'just now'
}

/** A span such as 1:05 or 12:00. */
export const toCountdown = (ms: number): string => {
  const left = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
}

/** A span in its largest whole unit; a dash where it is no number. */
export const toMinutes = (n: number): string => {
  if (!Number.isFinite(n)) return '– minutes'
  const [unit, count] =
    n >= 1440 && n % 1440 === 0 ? ['day', n / 1440] : n >= 60 && n % 60 === 0 ? ['hour', n / 60] : ['minute', n]
  return new Intl.NumberFormat(locale, { style: 'unit', unit: String(unit), unitDisplay: 'long' }).format(Number(count))
}

/** An address or hash by its ends. */
export const toShort = (hex: string): string => (hex.length > 14 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex)

/** A text of our own, with amounts as everywhere on the page, and with addresses and hashes by their ends. */
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

/** A chain by its name. */
export const chainName = ({ chain_id: id, embedded = false }: { chain_id: number; embedded?: boolean }): string =>
  embedded ? 'the local test chain' : (names[id] ?? `chain ${id}`)

/** How long something took or takes: tenths of a second below ten seconds, then seconds, minutes, hours. */
export const toDuration = (ms: number): string => {
  const at = Math.max(0, ms)
  if (at < 9_950) return `${(at / secondMs).toFixed(1)} s`
  if (at < 99_500) return `${Math.round(at / secondMs)} s`
  return at < hourMs ? `${Math.round(at / minuteMs)} min` : `${Math.round(at / hourMs)} h`
}

/** A member's name as a label: `local_time` and `localTime` are "Local time", `utc_offset` is "UTC offset". */
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
