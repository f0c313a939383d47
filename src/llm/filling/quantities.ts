import { distance, editsOf } from '../../domain/spelling.ts'
import { stem } from '../../domain/stem.ts'
import { splitWords, toTerms } from '../../domain/words.ts'
import { findDates } from './dates.ts'
import type { Slot } from './fields.ts'
import type { Filling } from './filling.ts'
import { type Unit, unitOf, unitOfField } from './measures.ts'
import { numeral, toNumber } from './numerals.ts'
import { usedMark } from './page.ts'
import { findTimes } from './times.ts'
import { type Token, toTokens } from './tokens.ts'
import { isEmpty } from './vocabulary.ts'

// Assigns each number to the field whose words or unit are closest. Remaining numbers go to required fields in order.

type Mention = {
  value: number
  from: number
  to: number
  unit: Unit | undefined
  after: Token[]
  before: Token[]
  /** No countable noun follows the number. */
  isBare: boolean
  /** The number follows a capitalised word and is part of a name. */
  isName: boolean
  said: string
  /** The noun after the number was already read as another value. */
  countsRead: boolean
  /** The number is joined to the previous one by "x" or "by". */
  isChained: boolean
}

const number = new RegExp(
  String.raw`(?<![\p{L}\p{N}_]|\d[.,:/-])(?<minus>-)?(?<sign>[€$£]\s?)?(?<n>${numeral})(?<glued>%|(?:kcal|km|cm|mm|min|mins|kg|hrs|sec|m|h|g|s)(?![\p{L}\p{N}]))?(?![\p{N}_]|(?:st|nd|rd|th)(?!\p{L}))(?!\p{L})`,
  'giu',
)
const composed =
  /^ ?(?:m|metres?|meters?)(?!\p{L}) (?:and )?(?<cm>\d{1,2})(?!\p{N}|[.,]\d)(?: ?(?:cm|centimet(?:er|re)s?)(?!\p{L}))?/iu
const andHalf = /^ (?:and a half (\p{L}+)|(\p{L}+) and a half)/iu
const reach = { after: 3, before: 4, beforeNoun: 2 }
const isBreak = ({ stem: it, word }: Token) => it === '' || word === 'and' || word === 'or' || word === 'by' || word === 'x'

const untilBreak = (tokens: Token[], most: number): Token[] => {
  const end = tokens.findIndex((it, at) => isBreak(it) || at >= most || /^\d/.test(it.word))
  return end < 0 ? tokens.slice(0, most) : tokens.slice(0, end)
}

/** Marks dates and times as used, so that their digits are not read as quantities. */
const withoutCalendar = (text: string, now: number): string => {
  let left = text
  const dates = findDates(text, now).filter(it => !/^\d{4}$|^(?:in|after) |ago$/i.test(it.said))
  for (const it of [...dates, ...findTimes(text)])
    left = left.slice(0, it.from) + usedMark.repeat(it.length) + left.slice(it.from + it.length)
  return left
}

const toMention = (text: string, match: RegExpMatchArray): Mention => {
  const { n = '', glued = '', sign, minus } = match.groups ?? {}
  const from = match.index ?? 0
  let to = from + match[0].length
  let value = toNumber(n) * (minus ? -1 : 1)
  const behind = text.slice(to, to + 80)
  const half = andHalf.exec(behind)
  const metres = composed.exec(glued === 'm' ? `m${behind}` : behind)
  if (half && unitOf(half[1] ?? half[2] ?? '')) value += 0.5
  if (metres?.groups?.cm) {
    value = Number((value + Number(metres.groups.cm.padEnd(2, '0')) / 100).toPrecision(12))
    to += metres[0].length - (glued === 'm' ? 1 : 0)
  }
  const all = toTokens(text.slice(to, to + 80).replace(/^-/, ' '))
  const skipped = half?.[1] ? all.slice(3) : all
  const after = untilBreak(skipped, reach.after)
  const next = after[0]
  const isBare = !next || isEmpty(next.word)
  const before = untilBreak(
    toTokens(text.slice(Math.max(0, from - 60), from)).reverse(),
    isBare ? reach.before : reach.beforeNoun,
  )
  const unit = sign
    ? unitOf(sign.trim())
    : metres
      ? unitOf('m')
      : (unitOf(glued) ?? (/^\s*%/.test(text.slice(to)) ? unitOf('%') : unitOf(after[0]?.word ?? '')))
  const isChained = /(?:\d|m|cm|metres?|meters?)\s*(?:x|×|\*|by)\s*$/i.test(text.slice(Math.max(0, from - 14), from))
  // "Lego 10281" is a name.
  const isName =
    /(?<=[^\s.!?…:]\s)\p{Lu}[\p{L}-]+ $/u.test(text.slice(Math.max(0, from - 24), from)) &&
    (n.length > 1 || (isBare && /^\d/.test(n)))
  const countsRead = text.slice(to, to + 2).includes(usedMark)
  return { value, from, to, unit, after, before, isBare, isName, said: n, countsRead, isChained }
}

const emptyWords = new Set(
  splitWords('max min maximum minimum number num count total limit amount value size length many how in of the per a an day').map(
    stem,
  ),
)
const people = splitWords(
  'people person traveler traveller guest passenger adult party diner attendee seat ticket lady man men woman women kid child children friend pax persons us head player participant visitor',
).map(stem)
const termsOf = (text: string): string[] => {
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

type Measured = {
  slot: Slot
  unit: Unit | undefined
  own: string[]
  told: string[]
  isPeople: boolean
  isCount: boolean
  isYear: boolean
}
const measure = (slot: Slot): Measured => {
  const own = termsOf(slot.name.replace(/(?<=_)(?:m|cm|mm|km|eur|usd|kg|s)$/i, ''))
  const isPeople = termsOf(
    `${slot.name} ${/^how many (?:people|persons|guests|adults)/i.test(slot.description) ? 'people' : ''}`,
  ).some(it => people.includes(it))
  const unit = isPeople ? undefined : unitOfField(slot.name, slot.description)
  return {
    slot,
    unit,
    own: isPeople ? [...own, ...people] : own,
    told: termsOf(slot.description),
    isPeople,
    isCount: /^how many|number of/i.test(slot.description) || /count|number|quantity|variants|num_|max_/i.test(slot.name),
    isYear: /\byear\b/.test(splitWords(slot.name).join(' ')),
  }
}

const isBlocked = ({ slot, unit, isYear, isPeople }: Measured, it: Mention): boolean => {
  if (/^one$/i.test(it.said) && it.isBare && !isPeople) return true
  const isAge = it.after.some(({ word }, at) => at < 2 && word === 'old')
  if (isAge) return !/age/i.test(slot.name)
  if (it.isName && !it.unit) return true
  if (isYear) return it.value < 1000 || it.value > 2200 || !Number.isInteger(it.value)
  if (it.unit && unit) return it.unit.dimension !== unit.dimension
  return it.unit?.dimension === 'percent' && slot.type === 'integer'
}

/** Whether a number counts what is delivered: "about ten", "six of them". */
const isLooseCount = ({ isBare, before, after }: Mention) =>
  isBare &&
  (/^(?:about|around|say|maybe|perhaps|like|roughly)$/.test(before[0]?.word ?? '') ||
    (after[0]?.word === 'of' && after[1]?.word === 'them'))

const costs = { unit: 3, converted: 6, count: 8, people: 8, told: 10, word: 7 }
const costOf = (measured: Measured, it: Mention, filling: Filling, shared: Set<string>): number | undefined => {
  if (isBlocked(measured, it)) return undefined
  const { unit, own, told, isPeople, isCount, isYear, slot } = measured
  if (isYear)
    return it.before.some(({ word }) => /^(?:since|from|after|year|until|before|in)$/.test(word)) || it.isBare ? 1 : undefined
  const named = distanceTo(it, own)
  if (named !== undefined && (!it.unit || !unit || it.unit.factor === unit.factor || unit.dimension === 'money')) return named
  if (it.unit && unit) return it.unit.factor === unit.factor ? costs.unit : costs.converted
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

const toValue = ({ slot, unit }: Measured, it: Mention): number => {
  if (it.unit?.dimension === 'percent')
    return /percent|%/i.test(`${slot.name} ${slot.description}`) || slot.type !== 'number'
      ? it.value
      : Number((it.value / 100).toPrecision(12))
  if (!it.unit || !unit || unit.dimension === 'money' || it.unit.factor === unit.factor) return it.value
  const converted = Number(((it.value * it.unit.factor) / unit.factor).toPrecision(6))
  return Math.abs(converted - Math.round(converted)) < 0.05 ? Math.round(converted) : converted
}

const most = /^\s+(?:tops|max(?:imum)?|at (?:the )?most|or less|or so)(?!\p{L})/iu
const approximate = /(?<!\p{L})(?:about|around|roughly|approximately|some|up to|max(?:imum)?|at most|say|~)\s*$/iu
/** Returns where an amount of money ends, including its currency and a limit such as "at most". */
const endOfAmount = (text: string, { to, unit }: Mention): number => {
  if (unit?.dimension !== 'money') return to
  const [named = ''] = /^\s?\p{L}+/u.exec(text.slice(to)) ?? []
  const end = unitOf(named.trim()) ? to + named.length : to
  return end + (most.exec(text.slice(end))?.[0].length ?? 0)
}

const giveNumber = (filling: Filling, measured: Measured, it: Mention): boolean => {
  const value = toValue(measured, it)
  const { slot } = measured
  const fitting = [value, String(value)].find(form => slot.fits(form))
  if (fitting === undefined || !filling.give(slot, fitting)) return false
  const rest = filling.page.rest()
  const [about = ''] = approximate.exec(rest.slice(0, it.from)) ?? []
  filling.page.take(it.from - about.length, endOfAmount(rest, it))
  return true
}

const isNumeric = (slot: Slot) =>
  slot.kind === 'number' ||
  (slot.kind === 'choice' && slot.allowed.every(it => it !== null && it !== '' && Number.isFinite(Number(it))))

const findMentions = (filling: Filling): Mention[] => {
  const rest = withoutCalendar(filling.page.rest(), filling.now)
  // In a text about temperature, a capital K is the unit kelvin and not "thousand".
  const text = /temperature|kelvin|\btemp\b/i.test(rest) ? rest.replace(/(?<=\d)K(?!\p{L})/gu, ' ') : rest
  return [...text.matchAll(number)]
    .filter(it => !/^\d+\)/.test(text.slice(it.index, it.index + 4)))
    .slice(0, 60)
    .map(it => toMention(text, it))
}

/** Reads "4 x 3 x 2.5" into fields of one kind, in the order of the schema. */
const readChains = (filling: Filling, measured: Measured[], mentions: Mention[], used: Set<Mention>): void => {
  const start = mentions.findIndex((it, at) => !it.isChained && mentions[at + 1]?.isChained)
  if (start < 0) return
  const tail = mentions.slice(start + 1).findIndex(it => !it.isChained)
  const chain = mentions.slice(start, tail < 0 ? undefined : start + 1 + tail)
  const unit = chain.findLast(it => it.unit)?.unit
  const slots = measured.filter(it => it.unit?.dimension === 'length' || !it.unit)
  for (const [at, it] of chain.entries()) {
    const slot = slots[at]
    if (slot && giveNumber(filling, slot, { ...it, unit: it.unit ?? unit })) used.add(it)
  }
}

const alone =
  /\b(?:just|only) (?:me|myself)\b|\bfor (?:me|myself)(?: (?:alone|only))\b|\bby myself\b|\b(?:i['’]?m|i am) alone\b|\bon my own\b/i
const period = /(?<![\p{L}\p{N}])(?<!\d\s?\p{L}{0,12}\s)an? (week|fortnight|month|year|hour|minute|day)(?!\p{L})/giu

const readPeriods = (filling: Filling, measured: Measured[]): void => {
  for (const it of measured) {
    if (it.unit?.dimension !== 'time' || filling.values.has(it.slot.name)) continue
    for (const match of filling.page.rest().matchAll(period)) {
      const unit = unitOf(match[1] ?? '')
      const before = filling.page.rest().slice(Math.max(0, match.index - 12), match.index)
      if (!unit || !/(?:^|\bfor|\bof|[,.;:!?]|\babout|\baround|\blasts?)\s*$/i.test(before) || unit.factor < it.unit.factor)
        continue
      const mention: Mention = {
        value: 1,
        from: match.index,
        to: match.index + match[0].length,
        unit,
        after: [],
        before: [],
        isBare: true,
        isName: false,
        said: 'a',
        countsRead: false,
        isChained: false,
      }
      if (giveNumber(filling, it, mention)) break
    }
  }
}

/** Fills number fields. */
export const readQuantities = (filling: Filling): void => {
  const measured = filling.slots.filter(it => isNumeric(it) && !filling.values.has(it.name)).map(measure)
  if (measured.length === 0) return
  const mentions = findMentions(filling)
  const used = new Set<Mention>()
  const shared = (of: Measured) => new Set(measured.filter(it => it !== of).flatMap(it => [...it.own, ...it.told]))
  readChains(
    filling,
    measured.filter(it => it.slot.required),
    mentions,
    used,
  )
  const pairs = measured.flatMap(of => {
    const others = shared(of)
    return mentions.flatMap(it => {
      const cost = costOf(of, it, filling, others)
      return cost === undefined ? [] : [{ of, it, cost }]
    })
  })
  for (const { of, it } of pairs.sort((a, b) => a.cost - b.cost)) if (!used.has(it) && giveNumber(filling, of, it)) used.add(it)
  const solo = measured.find(it => it.isPeople && !filling.values.has(it.slot.name))
  if (solo && alone.test(filling.page.rest()) && filling.give(solo.slot, 1)) filling.page.takeAll(new RegExp(alone.source, 'gi'))
  readPeriods(filling, measured)
  readLeft(
    filling,
    measured,
    mentions.filter(it => !used.has(it)),
  )
}

/** Assigns the remaining numbers to the remaining required fields in order, when their counts are equal. */
const readLeft = (filling: Filling, measured: Measured[], mentions: Mention[]): void => {
  const open = measured.filter(it => it.slot.required && !filling.values.has(it.slot.name) && it.slot.kind === 'number')
  const [only, ...others] = open
  if (!only) return
  const fitting = mentions.filter(it => open.some(of => !isBlocked(of, it)) && !(it.unit && it.unit.dimension === 'time'))
  const bare = fitting.filter(it => it.isBare)
  if (others.length === 0) {
    const [first, ...more] = bare.length > 0 ? bare : fitting
    if (first && (more.length === 0 || bare.length === 1)) giveNumber(filling, only, first)
    return
  }
  if (bare.length === open.length) for (const [at, it] of open.entries()) if (bare[at]) giveNumber(filling, it, bare[at])
}
