import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { assign } from '../forms/assign.ts'
import { findNumbers, type Mention } from '../forms/numbers.ts'
import { unitOf } from '../words/measures.ts'
import { stem } from '../words/stem.ts'
import { splitWords } from '../words/words.ts'
import { costOf, costs, giveNumber, isBlocked, isTaken, type Measured, measure } from './numberFields.ts'

// Assigns each number to the field whose words or unit are closest. Remaining numbers go to required fields in order.

const isNumeric = (slot: Slot) =>
  slot.kind === 'number' ||
  (slot.kind === 'choice' && slot.allowed.every(it => it !== null && it !== '' && Number.isFinite(Number(it))))

/** Whether a field takes the size of something in one direction. */
const isSize = ({ slot }: Measured) => /width|height|length|depth|breadth/i.test(slot.name)
/** More than any cost of a number for a field. */
const mostCost = 30

type Reading = { measured: Measured[]; mentions: Mention[]; used: Set<Mention> }
/** Reads "4 x 3 x 2.5" into fields of one kind, in the order of the schema. */
const readChains = (filling: Filling, { measured, mentions, used }: Reading): void => {
  const start = mentions.findIndex((it, at) => !it.isChained && mentions[at + 1]?.isChained)
  if (start < 0) return
  const tail = mentions.slice(start + 1).findIndex(it => !it.isChained)
  const chain = mentions.slice(start, tail < 0 ? undefined : start + 1 + tail)
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
        isOrdinal: false,
      }
      if (giveNumber(filling, it, mention)) break
    }
  }
}

const single = /(?<!\p{L})an? (\p{L}{3,})(?!\p{L}|\s\p{L}+s(?!\p{L}))/giu
/** Reads "a child" as one, for a required count of children. */
const readSingles = (filling: Filling, measured: readonly Measured[]): void => {
  for (const { slot, own, isPeople } of measured) {
    if (!isPeople || !slot.required || filling.values.has(slot.name)) continue
    const named = new Set(splitWords(slot.name).map(stem))
    const said = [...filling.page.rest().matchAll(single)].find(
      ({ 1: noun = '' }) => named.has(stem(noun)) && own.includes(stem(noun)),
    )
    if (said && filling.give(slot, 1)) filling.page.take(said.index, said.index + said[0].length)
  }
}

/** Fills number fields. */
export const readQuantities = (filling: Filling): void => {
  const measured = filling.slots.filter(it => isNumeric(it) && !filling.values.has(it.name)).map(measure)
  if (measured.length === 0) return
  const mentions = findNumbers(filling.page.rest(), filling.now)
  const used = new Set<Mention>()
  const termsBeside = (of: Measured) => new Set(measured.filter(it => it !== of).flatMap(it => [...it.own, ...it.told]))
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
  readSingles(filling, measured)
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

/** Assigns the remaining numbers to the remaining required fields in order, when their counts are equal. */
const readLeft = (filling: Filling, measured: Measured[], mentions: Mention[]): void => {
  const open = measured.filter(it => it.slot.required && !filling.values.has(it.slot.name) && it.slot.kind === 'number')
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
