import type { Json } from '../../domain/json.ts'
import { distance, editsOf } from '../../domain/text/spelling.ts'
import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import type { Mention } from '../forms/numbers.ts'
import { isEnglish } from '../words/englishWords.ts'
import { familyOf, type Unit, unitOf, unitOfField } from '../words/measures.ts'
import { stem } from '../words/stem.ts'
import type { Token } from '../words/tokens.ts'
import { splitWords, toTerms } from '../words/words.ts'

// Compares number fields with the numbers of a request: how near their words and units are, and which value a field takes.

const emptyWords = new Set(
  splitWords('max min maximum minimum number num count total limit amount value size length many how in of the per a an day').map(
    stem,
  ),
)
const people = splitWords(
  'people person traveler traveller guest passenger adult party diner attendee seat ticket lady man men woman women kid child children friend pax persons us head player participant visitor',
).map(stem)
const termsOf = (text: string): readonly string[] => {
  const all = toTerms(text)
  const telling = all.filter(it => !emptyWords.has(it) || it === 'dai')
  return telling.length > 0 ? telling : all
}
const isNear = (term: string, token: Token) =>
  token.stem === term ||
  (term.length >= 3 && token.stem.startsWith(term)) ||
  (term.length > 4 && distance(token.stem, term, editsOf(token.word) || 1) <= 1)

const distanceTo = ({ after, before }: Mention, terms: readonly string[]): number | undefined => {
  const behind = after.findIndex(token => terms.some(it => isNear(it, token)))
  if (behind >= 0) return behind
  const ahead = before.findIndex(token => terms.some(it => isNear(it, token)))
  return ahead < 0 ? undefined : ahead + 1
}

export type Measured = {
  slot: Slot
  unit: Unit | undefined
  own: string[]
  told: readonly string[]
  isPeople: boolean
  isCount: boolean
  isYear: boolean
}
/** Returns what a field says about the number that it takes. */
export const measure = (slot: Slot): Measured => {
  // "pH" is one word, as in the message.
  const own =
    slot.name.length < 4
      ? [slot.name.toLowerCase()]
      : termsOf(slot.name.replace(/_?(?<=[_\p{Ll}])(?:_(?:m|cm|mm|km|eur|usd|kg|s)|(?:M|Cm|Mm|Km|Eur|Usd|Kg|S))$/u, ''))
  const isPeople = termsOf(
    `${slot.name} ${/^how many (?:people|persons|guests|adults)/i.test(slot.description) ? 'people' : ''}`,
  ).some(it => people.includes(it))
  const unit = isPeople ? undefined : unitOfField(slot.name, slot.description)
  return {
    slot,
    unit,
    own: isPeople ? [...own, ...people] : own.flatMap(familyOf),
    told: termsOf(slot.description),
    isPeople,
    isCount:
      /^(?:how many|count\b)|number of/i.test(slot.description) ||
      /count|number|quantity|qty|pieces|copies|variants|num_|max_/i.test(slot.name),
    // A school year from 1 to 13 is no year of a calendar.
    isYear:
      (/\byear\b/.test(splitWords(slot.name).join(' ')) || /^(?:the )?year (?:of|in|when)\b/i.test(slot.description)) &&
      [2000, '2000'].some(it => slot.fits(it)),
  }
}

/** Whether an area was said as a length, as in "a wall of 12 m". */
const isSquareSaidShort = (said: Unit, wanted: Unit) =>
  said.dimension === 'length' && wanted.dimension === 'area' && said.factor === wanted.factor

const isOfAge = ({ name }: Slot) => splitWords(name).includes('age')
const relatives =
  /^(?:he|she|who|father|mother|dad|mum|mom|son|daughter|brother|sister|wife|husband|partner|child|boy|girl|patient|gran\w*|nan|uncle|aunt)$/
/** Whether a text speaks of people: "my mother comes too". */
export const speaksOfPeople = (text: string): boolean =>
  splitWords(text).some(it => relatives.test(it) || people.includes(stem(it)))
/** "I am 24", "Ada (24)", "my son is 24" and "who turns 24" say an age. */
const isOwnAge = ({ isBare, isBracketed, before: [am, i] }: Mention) =>
  isBracketed ||
  (isBare && am?.word === 'is' && relatives.test(i?.word ?? '')) ||
  (isBare && /^(?:turns|turning|turned|aged)$/.test(am?.word ?? '')) ||
  (isBare && /^(?:am|i)$/.test(am?.word ?? '') && (am?.word === 'i' || i?.word === 'i'))

/** Whether a field cannot take a number. */
export const isBlocked = ({ slot, unit, own, told, isYear, isPeople }: Measured, it: Mention): boolean => {
  if (it.isOrdinal) return !own.some(term => it.after.slice(0, 1).some(token => isNear(term, token)))
  if (/^one$/i.test(it.said) && it.isBare && !isPeople) return true
  const isAge = it.after.some(({ word }, at) => at < 2 && word === 'old')
  if (isAge) return !isOfAge(slot)
  // "Lego 10281" is a name, but "TCP 53" is a port where the field speaks of TCP.
  if (it.isName && !it.unit && !it.before.slice(0, 1).some(token => [...own, ...told].some(term => isNear(term, token))))
    return true
  if (isYear) return it.value < 1000 || it.value > 2200 || !Number.isInteger(it.value)
  if (it.unit && unit) return it.unit.dimension !== unit.dimension && !isSquareSaidShort(it.unit, unit)
  return it.unit?.dimension === 'percent' && slot.type === 'integer'
}

/** Whether a number counts what is delivered: "about ten", "six of them", "two pieces". */
const isLooseCount = ({ isBare, before, after }: Mention) =>
  /^(?:pieces?|pcs|items?|units?)$/.test(after[0]?.word ?? '') ||
  (isBare &&
    (/^(?:about|around|say|maybe|perhaps|like|roughly)$/.test(before[0]?.word ?? '') ||
      (after[0]?.word === 'of' && (/^(?:them|these|those)$/.test(after[1]?.word ?? '') || !isEnglish(after[1]?.word ?? 'of')))))

export const costs = { unit: 3, converted: 6, count: 8, people: 8, told: 10, word: 7, side: 5 }
/** `shared`: terms of the other fields, which tell none of them apart. */
type Around = { filling: Filling; shared: Set<string> }
/** Returns the distance between a field and a number; undefined when they do not belong together. */
export const costOf = (measured: Measured, it: Mention, { filling, shared }: Around): number | undefined => {
  if (isBlocked(measured, it)) return undefined
  const { unit, own, told, isPeople, isCount, isYear, slot } = measured
  if (isYear)
    return it.before.some(({ word }) => /^(?:since|from|after|year|until|before|in|an?|my|our)$/.test(word)) || it.isBare
      ? 1
      : undefined
  if (isOfAge(slot) && isOwnAge(it)) return 0
  if (it.isTimes) return isCount ? 0 : undefined
  const named = distanceTo(it, own)
  if (named !== undefined && (!it.unit || !unit || it.unit.factor === unit.factor || unit.dimension === 'money')) return named
  if (it.unit && unit) return it.unit.factor === unit.factor ? costs.unit : costs.converted
  if (slot.role !== undefined && it.before.find(({ word }) => /^(?:from|to)$/.test(word))?.word === slot.role) return costs.side
  const next = it.after[0]
  if (isPeople && it.isBare && it.before[0] && /^(?:for|of|are|re|we|were|us|party|just|only|be)$/.test(it.before[0].word))
    return costs.people
  if (it.unit && !unit) return undefined
  if (isCount && (it.countsRead || (next && filling.isOwn(next.word)) || isLooseCount(it))) return costs.count
  if (
    /max|min|most|least/i.test(slot.name) &&
    it.before.some(({ word }) => /^(?:max|maximum|most|least|min|minimum|up|than)$/.test(word)) &&
    (it.isBare || !next)
  )
    return costs.word
  const described = distanceTo(
    it,
    told.filter(term => !shared.has(term)),
  )
  return described === undefined ? undefined : costs.told + described
}

/** Whether a field takes 7 for 7 %, and no decimal such as 0.07. */
const isOfPercent = ({ name, description }: Slot) =>
  /percent|%/i.test(`${name} ${description}`) && !/(?<!\p{L})(?:decimals?|fractions?)(?!\p{L})/iu.test(description)

const toValue = ({ slot, unit }: Measured, it: Mention): number => {
  if (it.unit?.dimension === 'percent')
    return isOfPercent(slot) || slot.type !== 'number' ? it.value : Number((it.value / 100).toPrecision(12))
  // "A 10 k race" has ten kilometres.
  if (!it.unit && unit?.dimension === 'length' && /\dk$|\d k$/i.test(it.said)) return it.value / unit.factor
  if (!it.unit || !unit || unit.dimension === 'money' || it.unit.factor === unit.factor) return it.value
  const converted = Number(((it.value * it.unit.factor) / unit.factor).toPrecision(6))
  return Math.abs(converted - Math.round(converted)) < 0.05 ? Math.round(converted) : converted
}

const most = /^\s+(?:tops|max(?:imum)?|at (?:the )?most|or less|or so)(?!\p{L})/iu
const approximate = /(?<!\p{L})(?:about|around|roughly|approximately|some|up to|max(?:imum)?|at most|say|~)\s*$/iu
/** Returns where an amount ends with its unit, unless it is a time, and where it is of money, with a limit such as "at most". */
const endOfAmount = (text: string, { to, unit }: Mention): number => {
  if (!unit || unit.dimension === 'time') return to
  const [named = ''] = /^\s?\p{L}+/u.exec(text.slice(to)) ?? []
  const end = unitOf(named.trim()) ? to + named.length : to
  return unit.dimension === 'money' ? end + (most.exec(text.slice(end))?.[0].length ?? 0) : end
}

const falling = /^(?:down|lower|lowered|below|under|less|south|west|behind|short)$/
/** A field that says what is negative takes its sign from a word: "two semitones lower". */
const isNegative = ({ slot }: Measured, { value, after, lead }: Mention): boolean =>
  value > 0 &&
  /\b(?:negative|minus)\b/i.test(slot.description) &&
  [...after.map(it => it.word), ...lead.split(' ')].some(it => falling.test(it))

const fittingOf = (measured: Measured, it: Mention): Json | undefined => {
  const value = toValue(measured, it) * (isNegative(measured, it) ? -1 : 1)
  return [value, String(value)].find(form => measured.slot.fits(form))
}

/** Whether the schema of a field allows a number. */
export const isTaken = (measured: Measured, it: Mention): boolean => fittingOf(measured, it) !== undefined

/** Gives a number to a field and marks its words as used; false when the schema refuses it. */
export const giveNumber = (filling: Filling, measured: Measured, it: Mention): boolean => {
  const { slot } = measured
  const fitting = fittingOf(measured, it)
  if (fitting === undefined || !filling.give(slot, fitting)) return false
  const rest = filling.page.rest()
  const [about = ''] = approximate.exec(rest.slice(0, it.from)) ?? []
  filling.page.take(it.from - about.length, endOfAmount(rest, it))
  return true
}
