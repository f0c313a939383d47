import type { Json, JsonObject } from '../../domain/json.ts'
import { isWords, type Slot } from '../fields/fields.ts'
import { createFilling, type Filling } from '../fields/filling.ts'
import { createPage } from '../fields/page.ts'
import { toIso } from '../forms/dates.ts'
import { findNumbers } from '../forms/numbers.ts'
import { findMaterial } from '../text/marked.ts'
import { materialSlot } from '../values/material.ts'
import type { Limits } from '../values/wishes.ts'
import { isDegreeOf } from '../words/degrees.ts'
import { numeral, toNumber } from '../words/numerals.ts'
import { isEmpty, isOfPrice } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'
import { readTyped } from './read.ts'
import { tellingRest } from './rest.ts'

// A change applies to the field it names, or to the only field whose type and choices fit the new value.

const leadWords = `(?<!(?:and|also) )no|nope|yes|yep|yeah|ok(?:ay)?|sorry|actually|oops|ops|ugh|argh|hm+|hang on|wait|and|but|or|now|please|rather|well|ah|oh|haha|lol|typo|my mistake|so|then|the same|same(?: thing)?|again|just|only|that should be|it should(?: have)? be(?:en)?|should be|i meant?|i mean|i said|i want(?:ed)?|make (?:it|that|this|them)|change (?:it|that|this)(?: to)?|set (?:it|that)(?: to)?|let['’]?s (?:say|do|make it)|(?:and )?what about|how about|better|try|instead`
const lead = new RegExp(String.raw`^(?:(?:${leadWords})(?![\p{L}'’])[\s,.:!…;-]*)+`, 'iu')
const tail = /[\s,.!]*(?:instead|please|pls|rather|then|thanks|thank you|now|after all)?[\s.!?]*$/i
/** Matches a negated value, which is the old one: "not 15, 50", "Edda, not Alma". */
const denial =
  /(?:^|[\s,;(])(?:not|instead of|rather than)\s+(?:(?:the|on|in|for|at|to|an?)\s+)?([^,.;:!?)\n]{1,40}?)(?=\s*(?:[,.;:!?)\n]|$|\bbut\b))/gi
const changeChars = 600

const swap =
  /\b(?:swap|switch (?:them|the two|both)|other way (?:a?round|about)|vice versa|reverse(?:d| it| them)?|opposite direction|exchange them|flip (?:it|them))\b/i
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
    it => it.kind === 'date' && typeof known[it.name] === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(String(known[it.name])),
  )
  // What takes longer ends later. What is moved keeps its length.
  const ends = dates.filter(it => it.role === 'to')
  const moved = /longer|shorter/i.test(side) && ends.length === 1 ? ends : dates
  if (moved.length > 1 && ends.length !== 1) return []
  return moved.map(slot => {
    const date = new Date(`${String(known[slot.name])}T00:00:00Z`)
    if (/^month/i.test(unit)) date.setUTCMonth(date.getUTCMonth() + many)
    else date.setUTCDate(date.getUTCDate() + many * (/^week/i.test(unit || next) ? 7 : 1))
    return [slot, date.toISOString().slice(0, 10)]
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

/** Reads changes that are relative to the old value, such as "two days later" or "shorter". */
const relative = (slots: readonly Slot[], known: JsonObject, said: string): [Slot, Json][] => {
  if (swap.test(said)) return swapped(slots, known)
  const match = shift.exec(said)
  if (match) return shifted(slots, known, match)
  const count = more.exec(said)
  const changed = count ? counted(slots, known, count) : []
  if (changed.length > 0) return changed
  const step = stepped(slots, known, said)
  if (step.length > 0) return step
  if (shorter.test(said)) return resized(slots, known, 0.5)
  if (longer.test(said)) return resized(slots, known, 2)
  const add = adding.exec(said)
  return add?.[1] ? added(slots, known, add[1]) : []
}

/** Gives the new number to the field whose old number was negated. A number with its unit is read by its unit. */
const readDenied = (inner: Filling, known: JsonObject, denied: string[]): void => {
  if (findNumbers(inner.page.rest(), inner.now).some(it => it.unit)) return
  const numbers = denied.flatMap(it => (new RegExp(`^${numeral}$`, 'iu').test(it) ? [toNumber(it)] : []))
  const slots = inner.slots.filter(it => numbers.includes(Number(known[it.name])) && !inner.values.has(it.name))
  giveNumber(inner, slots)
}

const shortWords = 8
/** Words before a new value that are no part of it. */
const beforeValue = /^(?:it['’]?s|it is|that['’]?s|that is|should be|from|to|for|in|at|with|the)\s+/i

/** Gives the new words to the one field whose old words were denied: "Bremen, not Hamburg". */
const readDeniedWords = (inner: Filling, known: JsonObject, denied: string[]): void => {
  const old = denied.map(it => it.toLowerCase())
  const [slot, ...others] = inner.slots.filter(it => old.includes(String(known[it.name] ?? '').toLowerCase()))
  if (!slot || others.length > 0 || inner.values.has(slot.name) || typeof known[slot.name] !== 'string') return
  let value = inner.page.rest().trim()
  for (let shorter = ''; shorter !== value; value = value.replace(beforeValue, '')) shorter = value
  value = value.replace(/[\s,.;:!?]+$/, '')
  if (value === '' || splitWords(value).length > shortWords) return
  if (inner.give(slot, value)) inner.page.take(0, inner.page.whole.length)
}

const giveNumber = (inner: Filling, slots: Slot[]): boolean => {
  const [slot, ...others] = slots
  const numbers = [...inner.page.rest().matchAll(new RegExp(String.raw`(?<![\p{L}\p{N}.,])${numeral}(?![\p{L}\p{N}])`, 'giu'))]
  const [said, ...more] = numbers
  if (!slot || others.length > 0 || !said || more.length > 0) return false
  if (!inner.give(slot, toNumber(said[0]))) return false
  inner.page.take(said.index, said.index + said[0].length)
  return true
}

const sameDigits = (a: number, b: number) => [...String(a)].sort().join('') === [...String(b)].sort().join('')
/**
 * Gives a number without a label to the only number field. Among several, it picks one whose old value has the same digits or
 * as many digits.
 */
const readBareNumber = (inner: Filling, known: JsonObject): void => {
  const numbers = inner.slots.filter(
    it => it.kind === 'number' && typeof known[it.name] === 'number' && !inner.values.has(it.name),
  )
  const said = new RegExp(String.raw`(?<![\p{L}\p{N}.,])${numeral}(?![\p{L}\p{N}])(?!\s*%)`, 'iu').exec(inner.page.rest())
  if (!said || inner.values.size > 0) return
  const value = toNumber(said[0])
  const alike = numbers.filter(it => sameDigits(value, Number(known[it.name])))
  const sized = numbers.filter(
    it => it.fits(value) && String(Math.round(Number(known[it.name]))).length === String(Math.round(value)).length,
  )
  const counts = inner.slots.filter(
    it =>
      it.kind === 'number' && known[it.name] === undefined && /^how many|count|variants/i.test(`${it.description} ${it.name}`),
  )
  for (const slots of [numbers, alike, sized, counts]) if (giveNumber(inner, slots)) return
}

const onlyDay = /^(?:(?:the|on|for) )?(\d{1,2})(?:st|nd|rd|th)$/i
/** Reads "the 9th" as a day in the month of the known date. */
const withMonth = (inner: Filling, known: JsonObject, said: string): void => {
  const [, day] = onlyDay.exec(said.trim()) ?? []
  const dates = inner.slots.filter(it => it.kind === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(String(known[it.name] ?? '')))
  const [slot, ...others] = dates
  if (!day || !slot || others.length > 0) return
  const [year, month] = String(known[slot.name]).split('-').map(Number)
  if (inner.give(slot, toIso({ year: year ?? 0, month: month ?? 0, day: Number(day) })))
    inner.page.take(0, inner.page.whole.length)
}

/** Words of agreement or farewell, which change nothing. */
const assent = /^(?:fine|ok|okay|alright|fair|take|go|do|deal|good|great|perfect|proceed|sure|yes|bye|goodbye|enough)$/
/** Lets a few new words replace the only text value. Words that describe a style go to the style field. */
const readWords = (outer: Filling, inner: Filling, { known, isLed }: { known: JsonObject; isLed: boolean }): void => {
  const left = tellingRest(inner).join(' ')
  const words = splitWords(left)
  if (left === '' || words.length > shortWords || words.every(it => assent.test(it) || isEmpty(it) || isOfPrice(it))) return
  // Words that only repeat the listing name the task and give no new value.
  if (words.every(it => outer.isOwn(it) || isEmpty(it))) return
  const manners = inner.slots.filter(it => it.kind === 'manner' && !inner.values.has(it.name))
  const named = manners.filter(it => /style|tone/.test(it.name))
  const [manner, ...more] = named
  const bare = splitWords(left)
  if (manner && more.length === 0 && bare.length <= 3 && bare.some(it => !isEmpty(it))) {
    const adjective = left.replace(/\s+(?:ones?|names?|version)$/i, '')
    if (inner.give(manner, adjective, false)) return
  }
  if (inner.values.size > 0 || !isLed) return
  const texts = inner.slots.filter(
    it =>
      (isWords(it) || it.kind === 'place' || it.kind === 'code') &&
      it.kind !== 'manner' &&
      typeof known[it.name] === 'string' &&
      // A few words do not replace a whole text.
      (it.kind !== 'text' || splitWords(String(known[it.name])).length <= shortWords),
  )
  const [text, ...others] = texts
  if (text && others.length === 0) inner.give(text, left, false)
}

const addition = /^\W*(?:and|also|plus|add|oh and)(?![\p{L}])|(?<![\p{L}])(?:too|as well|either|also)[\s.!]*$/iu
/** The items of a list with those that are added. */
const withItems = (before: Json | undefined, value: Json): Json =>
  Array.isArray(before) && Array.isArray(value)
    ? [...before, ...value.filter(it => !before.some(one => isSameValue(one, it)))]
    : value

const isSameValue = (a: Json | undefined, b: Json) => JSON.stringify(a) === JSON.stringify(b)

/** Removes the words of changing and the values that are denied. Marked material stays as it is. */
export const withoutLead = (whole: string): { said: string; denied: string[] } => {
  const denied: string[] = []
  const from = findMaterial(whole)?.from ?? whole.length
  const head = whole
    .slice(0, from)
    .replace(lead, '')
    .replace(denial, (_, what: string) => {
      denied.push(what.trim())
      return ' '
    })
    .replace(/^[\s,.;:]+/, '')
  return { said: from === whole.length ? head.replace(tail, '') : `${head}${whole.slice(from)}`, denied }
}

/** Reads a change of known values. Fields that the message does not mention keep their values. */
export const readChange = (filling: Filling, known: JsonObject): Limits => {
  const whole = filling.page.whole.trim()
  const { slots } = filling
  if (whole.length <= changeChars) {
    const changed = relative(slots, known, whole)
    for (const [slot, value] of changed) filling.give(slot, value)
    if (changed.length > 0) {
      filling.page.take(0, filling.page.whole.length)
      return {}
    }
  }
  const { said, denied } = withoutLead(whole)
  const inner = createFilling({ ...filling, page: createPage(said), isOwn: filling.isName })
  withMonth(inner, known, said)
  readDenied(inner, known, denied)
  readDeniedWords(inner, known, denied)
  const limits = inner.values.size > 0 ? {} : readTyped(inner)
  readBareNumber(inner, known)
  const isLed = lead.test(whole) || /\binstead\b/i.test(whole) || denied.length > 0
  readWords(filling, inner, { known, isLed })
  const isAddition = addition.test(whole)
  for (const [name, value] of inner.values) {
    const slot = slots.find(it => it.name === name)
    const next = isAddition ? withItems(known[name], value) : value
    if (slot && !isSameValue(known[name], next)) filling.give(slot, next, inner.typed.has(name))
  }
  // The whole message is used once the change gave a value.
  if (inner.values.size > 0) filling.page.take(0, whole.length + 10)
  return limits
}
