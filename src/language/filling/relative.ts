import type { Json, JsonObject } from '../../domain/json.ts'
import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { findDates } from '../forms/dates.ts'
import { materialSlot } from '../values/material.ts'
import { isDegreeOf } from '../words/degrees.ts'
import { numeral, toNumber } from '../words/numerals.ts'
import { splitWords } from '../words/words.ts'
import { editList } from './listEdits.ts'

// A change relative to the known value: "two days later", "shorter", "one more person", "the other way round".

const swap =
  /\b(?:swap|switch (?:them|the two|both)|other way (?:a?round|about)|vice versa|reverse(?:d| it| them)?|opposite direction|exchange them|flip (?:it|them))\b/i
/** The way back swaps the ends as well, where the offering takes no date for it. */
const wayBack = /\b(?:the way back|return (?:trip|journey|leg|train|flight|ferry|crossing|bus)|back again)\b/i
const hasReturn = (slots: readonly Slot[]) => slots.some(it => it.kind === 'date' && it.role === 'to')
const swapped = (slots: readonly Slot[], known: JsonObject): [Slot, Json][] => {
  const pairs = slots.flatMap(from => {
    const to = slots.find(it => it !== from && from.role === 'from' && it.role === 'to' && it.kind === from.kind)
    return to && Object.hasOwn(known, from.name) && Object.hasOwn(known, to.name) ? [[from, to] as const] : []
  })
  const isOne = ([from, to]: (typeof pairs)[number]) =>
    from.kind !== 'date' && (from.path.length < 2 || from.path.at(-1) === to.path.at(-1))
  const [first, ...others] = pairs.filter(isOne)
  const all = first === undefined ? [] : first[0].path.length < 2 ? [first] : [first, ...others]
  return all.flatMap(([from, to]): [Slot, Json][] => [
    [from, known[to.name] ?? null],
    [to, known[from.name] ?? null],
  ])
}

const shorter = /\b(?:shorter|briefer|more concise|less long|half as long)\b/i
const longer = /\b(?:longer|more detail(?:ed)?|twice as long)\b/i
const isLength = /sentence|word|page|line|bullet|minute|second|paragraph|length|slide/i
const resized = (slots: readonly Slot[], known: JsonObject, factor: number): [Slot, Json][] => {
  const lengths = slots.filter(it => it.kind === 'number' && isLength.test(it.name) && typeof known[it.name] === 'number')
  const [slot, ...others] = lengths
  if (!slot || others.length > 0) return []
  const value = Number(known[slot.name])
  const next = factor < 1 ? Math.max(1, Math.floor(value * factor)) : Math.ceil(value * factor)
  return next !== value && slot.fits(next) ? [[slot, next]] : []
}

const shift = new RegExp(
  String.raw`\b(?:(?<count>an?|${numeral}) (?<unit>days?|weeks?|months?) (?<side>later|earlier|before|after|sooner|further|longer|shorter)|the (?<next>day|week) (?<nextSide>after|before|later))\b`,
  'iu',
)
const shifted = (slots: readonly Slot[], known: JsonObject, match: RegExpExecArray): [Slot, Json][] => {
  const { count = 'a', unit = '', side = '', next = '', nextSide = '' } = match.groups ?? {}
  const sign = /earlier|before|sooner|shorter/i.test(side || nextSide) ? -1 : 1
  const many = (/^an?$/i.test(count) ? 1 : toNumber(count)) * sign
  const dates = slots.filter(
    it => it.kind === 'date' && typeof known[it.name] === 'string' && /^\d{4}-\d{2}-\d{2}(?![\d])/.test(String(known[it.name])),
  )
  // What takes longer ends later. What is moved keeps its length.
  const ends = dates.filter(it => it.role === 'to')
  const moved = /longer|shorter/i.test(side) && ends.length === 1 ? ends : dates
  if (moved.length > 1 && ends.length !== 1) return []
  return moved.map(slot => {
    const before = String(known[slot.name])
    const date = new Date(`${before.slice(0, 10)}T00:00:00Z`)
    if (/^month/i.test(unit)) date.setUTCMonth(date.getUTCMonth() + many)
    else date.setUTCDate(date.getUTCDate() + many * (/^week/i.test(unit || next) ? 7 : 1))
    return [slot, `${date.toISOString().slice(0, 10)}${before.slice(10)}`]
  })
}

const more = new RegExp(
  String.raw`\b(?<count>an?|${numeral}) (?<sign>more|extra|additional|fewer|less|further) (?<what>\p{L}+)|\b(?:an|one) (?<other>extra|additional) (?<noun>\p{L}+)`,
  'iu',
)
const counted = (slots: readonly Slot[], known: JsonObject, match: RegExpExecArray): [Slot, Json][] => {
  const { count = 'one', sign = 'more', what = '', noun = '' } = match.groups ?? {}
  const word = (what || noun).toLowerCase().replace(/s$/, '')
  const slot = slots.find(
    it =>
      it.kind === 'number' &&
      typeof known[it.name] === 'number' &&
      splitWords(it.name).some(own => own.replace(/s$/, '') === word),
  )
  if (!slot || word.length < 3) return []
  const value = Number(known[slot.name]) + (/^an?$/i.test(count) ? 1 : toNumber(count)) * (/fewer|less/i.test(sign) ? -1 : 1)
  return slot.fits(value) ? [[slot, value]] : []
}

const adding =
  /^(?:(?:and|please|also|oh|ok(?:ay)?)[\s,]+)*(?:add|append|include|put in|also (?:say|write|add|mention|include))(?: (?:that|this|in|at the end))?\s*[:,-]?\s+([\s\S]+)$/i
/** Reads an addition such as "Add: bring the dog", which extends a list, a text or a topic. */
const added = (slots: readonly Slot[], known: JsonObject, what: string): [Slot, Json][] => {
  const item = what.trim().replace(/^(["“'‘])([\s\S]*)["”'’]$/, '$2')
  const text = materialSlot(slots)
  const lists = slots.filter(it => it.kind === 'list' && Array.isArray(known[it.name]))
  const [list, ...others] = lists
  const before = list && known[list.name]
  if (list && others.length === 0 && Array.isArray(before)) return [[list, [...before, ...item.split(/\s*,\s*|\s+and\s+/)]]]
  const topics = slots.filter(it => it.kind === 'topic' && typeof known[it.name] === 'string')
  const target = text && typeof known[text.name] === 'string' ? text : topics.length === 1 ? topics[0] : undefined
  if (!target) return []
  const old = String(known[target.name])
  return [[target, `${old}${target.kind === 'text' ? (/[.!?]$/.test(old) ? ' ' : '. ') : ', '}${item}`]]
}

const degree = /\b(?:(?<more>more|less) )?(?<word>[a-z]{3,20})\b/giu
const sizeWords = /^(?:x*[sl]|m|(?:extra )?(?:small|large)|medium|big|tiny|huge)$/
/** Whether choices are sizes, the smallest first. */
const isSize = (values: readonly string[]): boolean => values.length > 1 && values.every(it => sizeWords.test(it))
const sizeStep = (said: string): number => (/\bsmaller\b/i.test(said) ? -1 : /\b(?:bigger|larger)\b/i.test(said) ? 1 : 0)

/** "Easier" is one step from the known choice to the choice "easy", in the order of the choices. */
const stepped = (slots: readonly Slot[], known: JsonObject, said: string): [Slot, Json][] => {
  const found = slots.flatMap((slot): [Slot, Json][] => {
    const values = slot.kind === 'choice' ? slot.allowed.map(it => String(it).toLowerCase()) : []
    const at = values.indexOf(String(known[slot.name]).toLowerCase())
    if (at < 0) return []
    const side = isSize(values) ? sizeStep(said) : 0
    if (side !== 0 && slot.allowed[at + side] !== undefined) return [[slot, slot.allowed[at + side] ?? null]]
    for (const { groups = {} } of said.toLowerCase().matchAll(degree)) {
      const { more: sign, word = '' } = groups
      const to = sign ? values.indexOf(word) : values.findIndex(it => isDegreeOf(word, it, 'more'))
      const next = at + Math.sign(to - at) * (sign === 'less' ? -1 : 1)
      if (to >= 0 && to !== at && slot.allowed[next] !== undefined) return [[slot, slot.allowed[next] ?? null]]
    }
    return []
  })
  return found.length === 1 ? found : []
}

/** Reads ends that change their places, and days relative to the known ones, with the words that say so: "two days later". */
export const readMoves = (
  { slots, now }: Filling,
  known: JsonObject,
  said: string,
): { changed: [Slot, Json][]; words: string } => {
  const back = swap.exec(said) ?? (hasReturn(slots) ? null : wayBack.exec(said))
  const ends = back ? swapped(slots, known) : []
  if (back && ends.length > 0) return { changed: ends, words: back[0] }
  // A day that is said is none that is counted from the one before.
  const match = findDates(said, now).some(it => /\d{3}|\p{L}+day|\p{L} \d/u.test(it.said)) ? null : shift.exec(said)
  return { changed: match ? shifted(slots, known, match) : [], words: match?.[0] ?? '' }
}

/** Reads changes that are relative to the old value, such as "one more" or "shorter". */
export const relative = (slots: readonly Slot[], known: JsonObject, said: string): [Slot, Json][] => {
  const count = more.exec(said)
  const changed = count ? counted(slots, known, count) : []
  if (changed.length > 0) return changed
  const step = stepped(slots, known, said)
  if (step.length > 0) return step
  if (shorter.test(said)) return resized(slots, known, 0.5)
  if (longer.test(said)) return resized(slots, known, 2)
  const edited = editList(slots, known, said)
  if (edited.length > 0) return edited
  const add = adding.exec(said)
  return add?.[1] ? added(slots, known, add[1]) : []
}
