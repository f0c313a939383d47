import type { JsonObject } from '../../domain/json.ts'
import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { assign } from '../forms/assign.ts'
import { type Found, findDates, toIso } from '../forms/dates.ts'
import { type Clock, findTimes } from '../forms/times.ts'
import { zoneBehind } from '../forms/zones.ts'
import { numeral, pad, toNumber } from '../words/numerals.ts'
import { leadOf } from './lead.ts'

// Gives dates and times of day to the fields that take them.

const returning =
  /\b(?:back|return(?:ing)?|until|till|by|before|to|through|ending|end|check(?:ing)?[ -]?out|leaving on|inbound)\s+(?:on |the |by |home )*$/i
const ending = /return|back|end|until|to_date|check_?out|inbound|arriv|due|deadline|expir/i
const leaving = /leav|depart/i
/** Whether a date is the later one. A journey ends with the arrival, and a stay begins with it: its fields stand in this order. */
const isEnd = (slot: Slot, slots: readonly Slot[]): boolean => {
  const arrival = slots.findIndex(it => /arriv/i.test(it.name))
  const isStay = arrival >= 0 && slots.slice(arrival + 1).some(it => leaving.test(it.name))
  return isStay && (slots[arrival] === slot || leaving.test(slot.name)) ? slots[arrival] !== slot : ending.test(slot.name)
}

/** A clock or a date without the preposition before it. */
const lead = /^(?:at|after|before|from|by|around|past|until|on|the|for|in) /i
/** Formats a date for its field: ISO 8601 when the schema or description asks for it, else the user's words. */
const toDate = (slot: Slot, { day, said }: Found): string => {
  const wantsIso = slot.format === 'date' || /YYYY-MM-DD|%Y-%m-%d|ISO ?8601/i.test(slot.description)
  const bare = said.replace(lead, '').trim()
  return wantsIso || !slot.fits(bare) ? toIso(day) : bare
}

const wantsClock = /HH:?MM|24[ -]?h|%H|hh:mm/i
const toTime = (slot: Slot, { said, clock }: Clock): string => {
  if (slot.format === 'time') return `${clock}:00`
  const bare = said.replace(lead, '').trim()
  return wantsClock.test(slot.description) || !slot.fits(bare) ? clock : bare
}

/** Matches a combined date and time format in a field's description. */
const momentForm = /(?:YYYY-MM-DD|%Y-%m-%d)(?<joint>[ T])(?:HH:MM|%H:%M)(?<seconds>:(?:SS|%S))?/i
type Said = { day: string; clock: string; offset: string | undefined }
const toMoment = ({ format, description }: Slot, { day, clock, offset }: Said): string | undefined => {
  const { joint, seconds } = momentForm.exec(description)?.groups ?? {}
  if (joint) return `${day}${joint}${clock}${seconds ? ':00' : ''}`
  return format === 'date-time' && offset !== undefined ? `${day}T${clock}:00${offset}` : undefined
}
/** Whether a field takes a day and a time of day in one. */
export const isMoment = (slot: Slot) => slot.format === 'date-time' || momentForm.test(slot.description)

const take = ({ page }: Filling, it: { from: number; length: number }) => page.take(it.from, it.from + it.length)

/** The date and the time that stand nearest to each other. */
const nearest = (dates: readonly Found[], times: readonly Clock[]): [Found?, Clock?] => {
  const gap = (date: Found, time: Clock) => Math.max(time.from - date.from - date.length, date.from - time.from - time.length)
  const pairs = dates.flatMap(date => times.map((time): [Found, Clock] => [date, time]))
  return pairs.toSorted((a, b) => gap(...a) - gap(...b))[0] ?? []
}

/** Fills fields for a combined date and time, only when the message states both. */
export const readMoments = (filling: Filling): void => {
  for (const slot of filling.open('date', 'time').filter(isMoment)) {
    const text = filling.page.rest()
    const [date, time] = nearest(findDates(text, filling.now), findTimes(text))
    if (!date || !time) continue
    const day = toIso(date.day)
    const [zone] = [time, date].flatMap(it => {
      const from = it.from + it.length
      const found = zoneBehind(text.slice(from), day)
      return found ? [{ ...found, from }] : []
    })
    const moment = toMoment(slot, { day, clock: time.clock, offset: zone ? zone.offset : 'Z' })
    if (moment && filling.give(slot, moment)) for (const it of [date, time, ...(zone ? [zone] : [])]) take(filling, it)
  }
}

const known = /^(?<day>\d{4}-\d{2}-\d{2})(?<joint>[T ])(?<clock>\d{2}:\d{2})(?<end>.*)$/
/** Moves the only known moment to the day or the time of day that a change names: "at 15:00 rather" is on the same day. */
export const readMoved = (filling: Filling, before: JsonObject): void => {
  const [slot, ...others] = filling.open('date', 'time').filter(it => isMoment(it) && known.test(String(before[it.name])))
  const text = filling.page.rest()
  const [dates, times] = [findDates(text, filling.now), findTimes(text)]
  const [found, ...more] = [...dates, ...times]
  if (!slot || !found || others.length + more.length > 0) return
  const { day, joint, clock, end } = known.exec(String(before[slot.name]))?.groups ?? {}
  const [date, time] = [dates[0], times[0]]
  if (filling.give(slot, `${date ? toIso(date.day) : day}${joint}${time ? time.clock : clock}${end}`)) take(filling, found)
}

/** A year alone is the start or end of a span, or what its field names: "since 2019" is no day of an appointment. */
const isYear = ({ said }: Found) => /^\d{4}$/.test(said)

/** Fills date fields. Return and end dates go to the fields for them. */
export const readDates = (filling: Filling): void => {
  const slots = filling.open('date').filter(it => it.format !== 'date-time')
  if (slots.length === 0) return
  const text = filling.page.rest()
  const dates = findDates(text, filling.now)
  for (const it of dates) if (!isYear(it)) take(filling, it)
  const isLast = (it: Found) => it.isReturn || returning.test(text.slice(Math.max(0, it.from - 30), it.from))
  const scoreOf = (it: Found, slot: Slot) => {
    const lead = leadOf(text, it.from, slot)
    if (isYear(it) && slot.role === undefined && lead === 0) return undefined
    // A birthday is no day of an appointment.
    if (lead === 0 && /\bborn\s+(?:on )?$/i.test(text.slice(Math.max(0, it.from - 12), it.from))) return undefined
    const isOnly = slots.length === 1 && isLast(it) && slot.role !== 'from'
    const side = isLast(it) === isEnd(slot, filling.slots) ? 4 : slot.required || isOnly ? 1 : undefined
    return side === undefined || !slot.fits(toDate(slot, it)) ? undefined : side + lead
  }
  for (const [it, slot] of assign(dates, slots, scoreOf)) if (filling.give(slot, toDate(slot, it))) take(filling, it)
}

const spans = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?=${numeral} ?(?:hours?|h|minutes?|mins?)(?![\p{L}]))(?:(?<h>${numeral}) ?(?:hours?|h)(?![\p{L}]))?(?:,? ?(?:and )?(?<m>${numeral})(?: ?(?:minutes?|mins?))?)?(?:,? (?:and )?(?<s>${numeral})(?: ?seconds?)?)?(?![\p{L}\p{N}])`,
  'giu',
)
/** Reads how long something takes for fields of the form 01:50:00: "one hour fifty", "48 minutes 30". */
const readSpans = (filling: Filling): void => {
  for (const slot of filling
    .open('time', 'code', 'text')
    .filter(it => it.fits('01:50:00') && !it.fits('09:30') && !it.fits('word'))) {
    const [found] = [...filling.page.rest().matchAll(spans)]
    const [h, m, s] = ['h', 'm', 's'].map(it => toNumber(found?.groups?.[it] ?? 'zero'))
    if (!found || !filling.give(slot, `${pad(h ?? 0)}:${pad(m ?? 0)}:${pad(s ?? 0)}`)) continue
    filling.page.take(found.index, found.index + found[0].length)
  }
}

/** Fills fields for a time of day. */
export const readTimes = (filling: Filling): void => {
  readSpans(filling)
  const slots = filling.open('time').filter(it => !isMoment(it))
  if (slots.length === 0) return
  const text = filling.page.rest()
  const scoreOf = (it: Clock, slot: Slot) => (slot.fits(toTime(slot, it)) ? 1 + leadOf(text, it.from, slot) : undefined)
  for (const [it, slot] of assign(findTimes(text), slots, scoreOf)) if (filling.give(slot, toTime(slot, it))) take(filling, it)
}
