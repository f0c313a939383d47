import type { Json, JsonObject } from '../../domain/json.ts'
import { withoutWhole } from '../../domain/plans/references.ts'
import { takesPlainText } from '../../domain/schemas/testInput.ts'
import { type Slot, toSlot } from '../fields/fields.ts'
import { toLeaves, valueAt } from '../fields/requirement.ts'
import { fillRequest } from '../filling/fillRequest.ts'
import { takePrice } from '../text/limits.ts'
import { unitOf } from '../words/measures.ts'
import { splitConnectors } from './connectors.ts'
import { distribute } from './distribution.ts'
import { counts } from './maskedText.ts'
import { isLabelledRow, isOneQuantity } from './recognised.ts'
import { readRecords } from './records.ts'
import { type Round, type Rounds, readRounds, toInput } from './rounds.ts'
import { takesBack } from './takesBack.ts'

/** One call of an offering: the words for it, and its input as far as they give it. */
export type Call = { words: string; input: JsonObject }

/** More calls of one task are no plan. */
const maxCalls = 8

/** What is known of the offering that was found for a task. `listing`: its name, then its description from the second line on. */
export type Wanted = { words: string; requirement: JsonObject | null | undefined; listing: string; now: number }

const either = /(?<!\p{L})(?:or|oder|ou|o|oppure)(?!\p{L})/iu
const ofOne = /(?<!\p{L})(?:together|all (?:in|on) one|into (?:one|a single))(?!\p{L})/iu
/** Whether a text asks for one thing of all its values: "for a car and a van together". A limit for all tasks does not. */
const isOfOne = (text: string): boolean => ofOne.test(takePrice(text).found ? withoutWhole(text) : text)
const looksOf = (text: string) => {
  if (/^\p{Lu}{2,5}$/u.test(text)) return 'code'
  const shape = /^\p{Lu}/u.test(text)
    ? 'name'
    : /^\d+(?:[.,]\d+)*$/.test(text)
      ? 'number'
      : /^\d/.test(text)
        ? 'number with letters'
        : 'word'
  return /^\D+\d/.test(text) ? `${shape} with a number` : shape
}

type Recorded = { read: Rounds; own: Round | undefined; values: ReadonlyMap<string, Json> }
/** The values of a record, those of its own words, and those of the whole text, in this order. */
const withOwn = ({ read: { slots, rounds }, own, values }: Recorded): Map<string, Json> => {
  const whole = rounds[0]?.values
  const rest = slots.flatMap(slot => {
    const [said, all] = [own?.values.get(slot.name), whole?.get(slot.name)]
    const isPart = all === undefined || String(all).includes(String(said))
    const isAlike = own?.typed.has(slot.name) || isPart || looksOf(String(said)) === looksOf(String(all))
    const value = values.get(slot.name) ?? (said !== undefined && isAlike ? said : all)
    return value === undefined ? [] : [[slot.name, value] as const]
  })
  return new Map(rest)
}

/** Whether a text has more numbers than an offering takes. */
const hasMore = (text: string, { slots }: Rounds): boolean =>
  (text.match(/\d+(?:[.,]\d+)*/g) ?? []).length > slots.filter(it => it.kind === 'number').length

/** The calls of the records that a text gives clause by clause. */
const recordedCalls = ({ words, listing }: Wanted, read: Rounds): Call[] => {
  if (read.rounds.length < 2 && !hasMore(words, read)) return []
  return readRecords(words, read, listing.split('\n')[0] ?? '').map(({ text, values }) => {
    const own = text === words ? read.rounds[0] : read.readWhole(text)
    return { words: splitConnectors(text).rest, input: toInput(read, withOwn({ read, own, values })) }
  })
}

/**
 * Returns the calls of a task: one, or several when its words name several values for an input that takes only one. A field for a
 * list takes all of them in one call. Values that are said once are those of every call. A text that takes too long to read is one.
 */
export const perValue = (of: Wanted): Call[] => {
  const { words, requirement, listing, now } = of
  const whole = { words, input: fillRequest({ text: words, requirement, now, listing }).values }
  // Of "Paris or London" the user picks one, and is asked which.
  if (!requirement || takesPlainText(requirement) || either.test(words) || takesBack(words) || isOfOne(words)) return [whole]
  if ((isLabelledRow(words) && !needsNumber(requirement)) || isOneQuantity(words)) return [whole]
  return severalOf(of, requirement) ?? [whole]
}

/** Whether each call needs one number. Other offerings take a row of numbers with their labels at once. */
const needsNumber = (requirement: JsonObject): boolean =>
  toLeaves(requirement)
    .map(toSlot)
    .filter(it => it.required && it.kind === 'number').length === 1

const severalOf = (of: Wanted, requirement: JsonObject): Call[] | undefined => {
  const { words: text, listing, now } = of
  const read = readRounds({ text, requirement, listing, now })
  const recorded = recordedCalls(of, read)
  const [first] = read.rounds
  if (read.isSpent() || !first) return undefined
  const shared = distribute(read, { text, round: first }).map(it => ({ words: it.text, input: toInput(read, it.round.values) }))
  const others = [itemCalls(of, read), backCalls(of, read)]
  return surest(read.isSpent() ? [recorded] : [shared, recorded, ...others], of, read)
}

const isWhole = ({ slots }: Rounds, { input }: Call): boolean =>
  slots.every(it => !it.required || valueAt(input, it.path) !== undefined)

const headed = /^(?<head>[^:\n]{2,60}):\s+(?<list>\S[\s\S]*)$/u
const betweenItems = /\s*[;\n]\s*|,\s+(?:and\s+)?|\s+(?:and|&)\s+/u
/** The calls of a list below a head, where each item alone has all that is required: "calories: 200 g rice, 30 g butter". */
const itemCalls = ({ words, ...of }: Wanted, read: Rounds): Call[] => {
  const { head = '', list = '' } = headed.exec(words)?.groups ?? {}
  const items = list === '' || !needsNumber(of.requirement ?? {}) ? [] : list.split(betweenItems)
  const calls = items.map(it => ({ words: `${head} ${it}`, input: fillRequest({ ...of, text: `${head} ${it}` }).values }))
  return items.every(it => /\d/.test(it)) && calls.every(it => isWhole(read, it)) ? calls : []
}

const andBack =
  /(?<!\p{L})(?:and|then|plus) (?:then )?(?:back(?: again)?|the (?:way|trip|journey) back)(?=\s*(?:$|[,.;!?]|please|both))/iu
/** The way there and the way back of a journey, where the offering takes no day for the return. */
const backCalls = ({ words }: Wanted, read: Rounds): Call[] => {
  const { slots, rounds } = read
  const [from, to] = (['from', 'to'] as const).map(role => slots.find(it => it.role === role && it.kind !== 'date'))
  const isReturn = slots.some(it => it.kind === 'date' && it.role === 'to')
  const values = rounds[0]?.values
  const [start, end] = [from, to].map(it => it && values?.get(it.name))
  if (!from || !to || !values || start === undefined || end === undefined || isReturn || !andBack.test(words)) return []
  const back = new Map([...values, [from.name, end], [to.name, start]])
  return [values, back].map(it => ({ words: words.replace(andBack, ''), input: toInput(read, it) }))
}

const measured = /\d\s?(\p{L}+)(?![\p{L}/])/gu
/** Whether an input has a unit: "kg" as "kilograms". */
const isUnitOf = (input: JsonObject, slots: readonly Slot[], unit: string): boolean =>
  slots.some(({ path }) => {
    const value = String(valueAt(input, path) ?? '')
    return value.toLowerCase() === unit.toLowerCase() || JSON.stringify(unitOf(value)) === JSON.stringify(unitOf(unit))
  })

/** Whether each call has a code of the same look, and the unit that its words say: "20 C to F and 5 kg" does not convert 5 C. */
const isSound = (calls: readonly Call[], slots: readonly Slot[]): boolean => {
  const units = slots.filter(it => it.kind === 'unit' && it.required)
  const hasUnit = ({ words, input }: Call) =>
    [...words.matchAll(measured)].every(([, unit = '']) => unitOf(unit) === undefined || isUnitOf(input, units, unit))
  const isOfOneLook = ({ path }: Slot) =>
    new Set(calls.flatMap(it => valueAt(it.input, path) ?? []).map(it => looksOf(String(it)))).size < 2
  return slots.every(it => it.kind !== 'code' || isOfOneLook(it)) && (units.length === 0 || calls.every(hasUnit))
}

/**
 * The surest reading with several calls: each call has all that is required, or the words count them; then the one with the most
 * calls, and the most values.
 */
const surest = (readings: readonly Call[][], { words }: Wanted, read: Rounds): Call[] | undefined => {
  const { slots } = read
  const sureness = (calls: Call[]) => (calls.every(it => isWhole(read, it)) ? 2 : 0) + (counts(words, calls.length) ? 1 : 0)
  const sizeOf = (calls: Call[]) => calls.flatMap(it => Object.keys(it.input)).length
  const [best] = readings
    .filter(it => it.length > 1 && it.length <= maxCalls && isSound(it, slots))
    .toSorted((a, b) => sureness(b) - sureness(a) || b.length - a.length || sizeOf(b) - sizeOf(a))
  return best
}
