import type { Json } from '../../domain/json.ts'
import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { assign } from '../forms/assign.ts'
import { findNumbers, type Mention, plainMention } from '../forms/numbers.ts'
import { unitOf } from '../words/measures.ts'
import { numeral, toNumber } from '../words/numerals.ts'
import { stem } from '../words/stem.ts'
import { splitWords } from '../words/words.ts'
import { costOf, costs, giveNumber, isBlocked, isTaken, type Measured, measure } from './numberFields.ts'

// Assigns each number to the field whose words or unit are closest. Remaining numbers go to required fields in order.

const isFigure = (it: Json) => it !== null && it !== '' && Number.isFinite(Number(it))
/** Choices may be figures, and a word for any of them. */
const isNumeric = (slot: Slot) =>
  slot.kind === 'number' || (slot.kind === 'choice' && (slot.allowed.every(isFigure) || slot.allowed.filter(isFigure).length > 2))

/** Whether a field takes the size of something in one direction. */
const isSize = ({ slot }: Measured) => /width|height|length|depth|breadth/i.test(slot.name)
/** More than any cost of a number for a field. */
const mostCost = 30

type Reading = { measured: Measured[]; mentions: readonly Mention[]; used: Set<Mention> }
/** Reads "4 x 3 x 2.5" into fields of one kind, in the order of the schema. Of "9 m by 30 cm" each unit tells its field. */
const readChains = (filling: Filling, { measured, mentions, used }: Reading): void => {
  const start = mentions.findIndex((it, at) => !it.isChained && mentions[at + 1]?.isChained)
  if (start < 0) return
  const tail = mentions.slice(start + 1).findIndex(it => !it.isChained)
  const chain = mentions.slice(start, tail < 0 ? undefined : start + 1 + tail)
  if (new Set(chain.flatMap(it => it.unit?.factor ?? [])).size > 1) return
  const unit = chain.findLast(it => it.unit)?.unit
  const sizes = measured.filter(it => !it.unit || it.unit.dimension === 'length' || it.unit.dimension === 'pixel')
  const required = sizes.filter(it => it.slot.required)
  // "800x600" fills the optional height beside the required width.
  const slots = required.length < chain.length ? sizes.filter(isSize) : required
  for (const [at, it] of chain.entries()) {
    const slot = slots[at]
    if (slot && giveNumber(filling, slot, { ...it, unit: it.unit ?? unit })) used.add(it)
  }
}

const pair = /(?<!\p{L})(?<a>\p{L}{3,}) and (?<b>\p{L}{3,})(?:,? (?:as|of|are|is|being|at|set to)|:)?\s+(?=[\d$€£])/giu
/** Reads two names before their two numbers: "base and height are 6 and 10 cm". */
const readPairs = ({ filling, measured, mentions, used }: Reading & { filling: Filling }): void => {
  const text = filling.page.rest()
  for (const { 0: said, index, groups = {} } of text.matchAll(pair)) {
    const at = mentions.findIndex(it => it.from >= index + said.length)
    const [x, y] = mentions.slice(Math.max(0, at), at + 2)
    const [a, b] = [groups.a, groups.b].map(name => measured.find(it => it.own.includes(stem((name ?? '').toLowerCase()))))
    if (!x || !y || !a || !b || a === b || !/^[^\d.]{0,12}(?:and|,)\s*$/.test(text.slice(x.to, y.from))) continue
    const unit = x.unit ?? y.unit
    for (const [of, it] of [
      [a, x],
      [b, y],
    ] as const)
      if (giveNumber(filling, of, { ...it, unit: it.unit ?? unit })) used.add(it)
  }
}

const range = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,-])(?<low>${numeral})(?<unit>\s?[\p{L}€$£%]{0,8}?)(?:\s?[-–—]\s?|\s+(?:and|to|up to|or)\s+)(?<high>[€$£]?${numeral})(?![\p{L}\p{N}]|[.,:-]\d)`,
  'giu',
)
const ends = { low: /^(?:min|minimum|from|least|low|lower|lowest)$/, high: /^(?:max|maximum|to|most|high|upper|highest)$/ }
const isEnd = ({ slot: { path } }: Measured, pattern: RegExp) => splitWords(path.at(-1) ?? '').some(it => pattern.test(it))
/** Gives the two ends of a range to the fields for them: "between 50 and 80 euro", "60-90 euros". */
const readRanges = (filling: Filling, measured: readonly Measured[]): void => {
  const open = measured.filter(it => !filling.values.has(it.slot.name))
  const [from, to] = [open.find(it => isEnd(it, ends.low)), open.find(it => isEnd(it, ends.high))]
  if (!from || !to || from.slot.path.slice(0, -1).join() !== to.slot.path.slice(0, -1).join()) return
  const text = filling.page.rest()
  for (const { 0: said, index } of text.matchAll(range)) {
    // A blank in place of the dash makes two numbers of "60-90".
    const apart = said.replace(/(?<=\S)[-–—](?=\S)/, ' ')
    const [low, high, ...more] = findNumbers(`${apart}${text.slice(index + said.length, index + said.length + 20)}`, filling.now)
    if (!low || !high || low.value >= high.value || more.some(it => it.from < said.length) || isBlocked(to, high)) continue
    const unit = high.unit ?? low.unit
    const at = (it: Mention): Mention => ({ ...it, unit, from: it.from + index, to: it.to + index })
    if (giveNumber(filling, from, at(low)) && giveNumber(filling, to, at(high))) return
  }
}

/** How often something is asked for. */
export const often = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:every|each)\s+(?:(?<n>${numeral})\s+)?(?<unit>second|minute|hour|day|week)s?|(?:(?<times>once|twice|thrice)|(?<many>${numeral}) times) (?:an?|every|per|each) (?<once>second|minute|hour|day|week)|(?<word>hourly|daily|weekly))(?![\p{L}])`,
  'giu',
)
const isInterval = ({ slot: { name, description } }: Measured) =>
  /\b(?:interval|every|frequency|how often)\b/i.test(`${splitWords(name).join(' ')} ${description}`)
const unitsOfWords: Record<string, string> = { hourly: 'hour', daily: 'day', weekly: 'week' }
/** Reads how often: "every 5 minutes", "once an hour". */
const readIntervals = (filling: Filling, measured: readonly Measured[]): void => {
  const of = measured.find(it => it.unit?.dimension === 'time' && isInterval(it) && !filling.values.has(it.slot.name))
  const [match] = of ? [...filling.page.rest().matchAll(often)] : []
  const { n = 'one', unit, once, word = '', times = 'once', many } = match?.groups ?? {}
  const count = many ? toNumber(many) : ({ once: 1, twice: 2, thrice: 3 }[times.toLowerCase()] ?? 1)
  const said = unitOf(unit ?? once ?? unitsOfWords[word.toLowerCase()] ?? '')
  if (!of?.unit || !match || !said) return
  if (filling.give(of.slot, (toNumber(n) * said.factor) / of.unit.factor / count))
    filling.page.take(match.index, match.index + match[0].length)
}

const alone =
  /\b(?:just|only) (?:me|myself)\b|\bfor (?:me|myself)(?: (?:alone|only))\b|\bby myself\b|\b(?:i['’]?m|i am) alone\b|\bon my own\b/i
const period =
  /(?<![\p{L}\p{N}])(?<!\d\s?\p{L}{0,12}\s)an? (?:full |whole |single )?(?<unit>week|fortnight|month|year|hour|minute|day)(?!\p{L})(?<part> and a (?:half|quarter))?/giu

const readPeriods = (filling: Filling, measured: Measured[]): void => {
  for (const it of measured) {
    if (it.unit?.dimension !== 'time' || filling.values.has(it.slot.name)) continue
    for (const match of filling.page.rest().matchAll(period)) {
      const unit = unitOf(match.groups?.unit ?? '')
      const before = filling.page.rest().slice(Math.max(0, match.index - 12), match.index)
      if (!unit || !/(?:^|\bfor|\bof|[,.;:!?]|\babout|\baround|\blasts?)\s*$/i.test(before) || unit.factor < it.unit.factor)
        continue
      const mention: Mention = {
        ...plainMention,
        value: 1 + (/half$/.test(match.groups?.part ?? '') ? 0.5 : match.groups?.part ? 0.25 : 0),
        from: match.index,
        to: match.index + match[0].length,
        unit,
        said: 'a',
        isBare: true,
      }
      if (giveNumber(filling, it, mention)) break
    }
  }
}

const clockLead = /(?<!\p{L})(?:(?<day>today|tomorrow|tonight|(?:sun|mon|tues|wednes|thurs|fri|satur)day),? )?at\s$/iu
/** The numbers of a text. Where another one has a unit, a bare hour is no amount: "tomorrow at 9 convert 5 kg". */
const withoutHours = ({ page, now }: Filling, measured: readonly Measured[]): readonly Mention[] => {
  const mentions = findNumbers(page.rest(), now)
  // A unit may be taken already, as the one to convert from.
  const counted = findNumbers(page.whole, now).filter(it => it.unit).length
  const isHour = ({ value, unit, from }: Mention): boolean => {
    const lead = clockLead.exec(page.rest().slice(0, from))
    const isAlone = !unit && Number.isInteger(value) && value <= 24
    return isAlone && lead !== null && (lead.groups?.day !== undefined || measured.length <= counted)
  }
  return counted === 0 ? mentions : mentions.filter(it => !isHour(it))
}

/** Fills number fields. */
export const readQuantities = (filling: Filling): void => {
  const measured = filling.slots.filter(it => isNumeric(it) && !filling.values.has(it.name)).map(measure)
  if (measured.length === 0) return
  readIntervals(filling, measured)
  readRanges(filling, measured)
  const mentions = withoutHours(filling, measured)
  const used = new Set<Mention>()
  const termsBeside = (of: Measured) => new Set(measured.filter(it => it !== of).flatMap(it => [...it.own, ...it.told]))
  readPairs({ filling, measured, mentions, used })
  readChains(filling, { measured, mentions, used })
  const shared = new Map(measured.map(it => [it, termsBeside(it)]))
  const open = measured.filter(it => !filling.values.has(it.slot.name))
  const left = mentions.filter(it => !used.has(it))
  const needed = open.filter(it => it.slot.required).length
  const scoreOf = (it: Mention, of: Measured) => {
    const cost = costOf(of, it, { filling, shared: shared.get(of) ?? new Set() })
    // A field that only its description joins to a number gets none that a required field needs.
    if (cost !== undefined && cost >= costs.told && !of.slot.required && left.length <= needed) return undefined
    return cost === undefined || !isTaken(of, it) ? undefined : mostCost - cost
  }
  for (const [it, of] of assign(left, open, scoreOf)) if (giveNumber(filling, of, it)) used.add(it)
  const solo = measured.find(it => it.isPeople && !filling.values.has(it.slot.name))
  if (solo && alone.test(filling.page.rest()) && filling.give(solo.slot, 1)) filling.page.takeAll(new RegExp(alone.source, 'gi'))
  readPeriods(filling, measured)
  readLeft(
    filling,
    measured,
    mentions.filter(it => !used.has(it)),
  )
}

/** Whether a number in words counts things that no field speaks of: "two circles". */
const countsThings = ({ said, after: [noun] }: Mention, open: readonly Measured[]): boolean =>
  /^\p{L}{3,}$/u.test(said) &&
  noun !== undefined &&
  /[^s]s$/.test(noun.word) &&
  !open.some(({ own, told, isCount, isPeople }) => isCount || isPeople || [...own, ...told].includes(noun.stem))

const isAmount = ({ slot: { name, description } }: Measured) =>
  /\b(?:amount|sum|total|value|quantity|qty|how (?:much|many))\b/i.test(`${splitWords(name).join(' ')} ${description}`)
/** Gives the only number without a noun to the only field for an amount, where no required field needs a number. */
const readAmount = (filling: Filling, measured: readonly Measured[], mentions: readonly Mention[]): void => {
  const open = measured.filter(it => !filling.values.has(it.slot.name) && it.slot.kind === 'number')
  const amounts = open.filter(isAmount)
  // A field that only asks "how many" counts whatever is said.
  const isAny = /^how many\W*$/i.test(amounts[0]?.slot.description ?? '')
  const bare = mentions.filter(it => (it.isBare || (isAny && !it.unit)) && !it.isOrdinal && !/^one$/i.test(it.said))
  const [only, it] = [amounts[0], bare[0]]
  const isOnly = amounts.length === 1 && bare.length === 1 && !open.some(one => one.slot.required)
  if (isOnly && only && it && !isBlocked(only, it)) giveNumber(filling, only, it)
}

/** Assigns the remaining numbers to the remaining required fields in order, when their counts are equal. */
const readLeft = (filling: Filling, measured: Measured[], mentions: readonly Mention[]): void => {
  readAmount(filling, measured, mentions)
  const open = measured.filter(it => it.slot.required && !filling.values.has(it.slot.name))
  const [only, ...others] = open
  if (!only) return
  // A number of things is no weight and no length: "one pallet".
  const isThing = (it: Mention) =>
    !it.unit && !it.isBare && !/^(?:high|wide|long|deep|tall|thick|each)$/.test(it.after[0]?.word ?? '')
  const isOther = (of: Measured, it: Mention) => of.unit !== undefined && of.unit.dimension !== 'money' && isThing(it)
  const fitting = mentions.filter(
    it =>
      open.some(of => !isBlocked(of, it) && !isOther(of, it)) &&
      !(it.unit && it.unit.dimension === 'time') &&
      !countsThings(it, open),
  )
  const bare = fitting.filter(it => it.isBare)
  if (others.length === 0) {
    const [first, ...more] = bare.length > 0 ? bare : fitting
    if (first && (more.length === 0 || bare.length === 1)) giveNumber(filling, only, first)
    return
  }
  // Numbers of one noun are as good as bare ones: "sides of 7 units, 10 units and 5 units".
  const isAlike = fitting.every(it => it.after[0]?.stem === fitting[0]?.after[0]?.stem)
  const inOrder = bare.length === open.length ? bare : isAlike ? fitting : []
  if (inOrder.length === open.length) for (const [at, it] of open.entries()) if (inOrder[at]) giveNumber(filling, it, inOrder[at])
}
