import type { Json, JsonObject } from '../../domain/json.ts'
import { withoutWhole } from '../../domain/plans/wholeWords.ts'
import { takesPlainText } from '../../domain/schemas/plainInput.ts'
import { isWords, type Slot } from '../fields/fields.ts'
import { valueAt } from '../fields/requirement.ts'
import { fillRequest } from '../filling/fillRequest.ts'
import { takePrice } from '../text/limits.ts'
import { unitOf } from '../words/measures.ts'
import { splitConnectors } from './connectors.ts'
import { distribute } from './distribution.ts'
import { counts } from './maskedText.ts'
import { withoutOthers } from './ownWords.ts'
import { isLabelledRow, isOneQuantity, isRecognised } from './recognised.ts'
import { readRecords } from './records.ts'
import { isScalar, type Round, type Rounds, readRounds, type Span, series, toInput } from './rounds.ts'
import { takesBack } from './takesBack.ts'
import { toUnits } from './units.ts'

/** Why something is asked for gives no second value: "so that it suits the porch and the hall". */
const reason = /(?<!\p{L})(?:so(?: that)? (?:it|they|i|we|you|he|she)|because)(?!\p{L})[^.!?\n]*/giu

/** One call of an offering: the words for it, and its input as far as they give it. */
export type Call = { words: string; input: JsonObject }

/** More calls of one task are no plan. */
const maxCalls = 8

/** What is known of the offering that was found for a task. `listing`: its name, then its description from the second line on. */
export type Wanted = { words: string; requirement: JsonObject | null | undefined; listing: string; now: number }

/** Whether a value tells one call from another: it has a form that is known by itself, and is no yes or no. */
const isTelling = (slot: Slot, round: Round, text: string): boolean => {
  const value = round.values.get(slot.name)
  return isScalar(value) && typeof value !== 'boolean' && round.typed.has(slot.name) && isRecognised(slot, value, text)
}

const spanOf = ({ spans }: Round, name: string): Span | undefined => spans.find(it => it.name === name)

/** The words between two values, and those before the first; undefined when the second one does not stand after the first. */
const between = (
  text: string,
  name: string,
  [first, second]: readonly [Round, Round],
): { gap: string; lead: string } | undefined => {
  const [a, b] = [spanOf(first, name), spanOf(second, name)]
  if (!a || !b || a.to > b.from) return undefined
  return { gap: text.slice(a.to, b.from), lead: text.slice(Math.max(0, a.from - leadChars), a.from) }
}

const leadChars = 60
const joining = /,|;|&|\+|、|和|と|(?<!\p{L})(?:and|plus|then|also|und|et|y|e)(?!\p{L})/iu
const either = /(?<!\p{L})(?:or|oder|ou|o|oppure)(?!\p{L})/iu
const ofOne = /(?<!\p{L})(?:together|all (?:in|on|at) one?|in one go)(?!\p{L})/iu
/** Whether a text asks for one thing of all its values: "for a car and a van together". A limit for all tasks does not. */
const isOfOne = (text: string): boolean => ofOne.test(takePrice(text).found ? withoutWhole(text) : text)
/** Words that may stand between two values of one list, besides those that stood before the first one. */
const loose =
  /^(?:and|plus|then|also|as|well|und|et|y|e|the|a|an|in|on|at|for|of|to|from|with|by|about|between|one|ones|other|another|finally|lastly|again|first|second|third|fourth|fifth|next|last|is|has|have|are|was|it|its|that)$/iu
const wordsOf = (text: string) => text.match(/[\p{L}\p{M}\p{N}°%]+/gu) ?? []

/** Whether two values are items of one list: "in Tokyo and in Rome", "a radius of 5 m and one with a radius of 9 m". */
const isListed = ({ gap, lead }: { gap: string; lead: string }): boolean => {
  if (!joining.test(gap)) return false
  const before = new Set(wordsOf(lead).map(it => it.toLowerCase()))
  return wordsOf(gap).every(it => loose.test(it) || before.has(it.toLowerCase()) || unitOf(it) !== undefined)
}

/** A comma alone lists nothing: "Paris, France" is one place. */
const isPart = (gap: string, value: Json | undefined) => /^\s*,\s*(?:in|at|near)?\s*$/i.test(gap) && typeof value === 'string'

/** Whether a later round is another call, and no number that the first one failed to read. */
const isAnother = (text: string, { slots, rounds }: Rounds, at: number): boolean => {
  const [first, round, before] = [rounds[0], rounds[at], rounds[at - 1]]
  if (!first || !round || !before) return false
  const required = slots.filter(it => it.required)
  if (required.some(it => !isWords(it) && !first.values.has(it.name))) return false
  const shared = slots.filter(it => isTelling(it, first, text) && isTelling(it, round, text))
  const told = shared.filter(it => first.values.get(it.name) !== round.values.get(it.name))
  const gaps = told.flatMap(it => {
    const found = between(text, it.name, [before, round]) ?? between(text, it.name, [first, round])
    return found ? [{ ...found, value: round.values.get(it.name) }] : []
  })
  if (gaps.some(it => isPart(it.gap, it.value) && rounds.length === 2)) return false
  // A whole record of several values is another call, however it is joined to the first one.
  const isRecord = told.length > 1 && required.every(it => round.values.has(it.name) || !isTelling(it, first, text))
  return isRecord || gaps.some(isListed)
}

/** The values of a round that tell its call from others: those that a reader recognised, for inputs that must be given. */
const tellingOf = (slots: readonly Slot[], round: Round, text: string): Slot[] =>
  slots.filter(it => it.required && isTelling(it, round, text))

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

const alike = (slot: Slot, a: Round, b: Round): boolean =>
  looksOf(String(a.values.get(slot.name))) === looksOf(String(b.values.get(slot.name)))

/**
 * Reads the clauses of a text one by one. A clause that gives an input belongs to the one before until all inputs are given; the
 * next one is another call if it gives the same inputs: "the root of 4, the root of 9 and the root of 16".
 */
const readClauses = (text: string, { slots, readPart }: Rounds): Round[] => {
  const required = slots.filter(it => it.required)
  const found: Round[] = []
  let open = ''
  let isTold = false
  const units = toUnits(text)
  for (const [at, unit] of units.entries()) {
    const clause = text.slice(unit.from, unit.to)
    const part = open === '' ? clause : `${open}, ${clause}`
    const round = readPart(part)
    const [first] = found
    const isWhole = required.every(it => round.values.has(it.name))
    if (!first && !isWhole) {
      open = part
      continue
    }
    // Another sentence goes on with a list only where it says so: "Then Rome." What follows a statement belongs to it.
    if (unit.joint === '.' || unit.joint === 'line') isTold = splitConnectors(unit.text).lead === ''
    if (first && isTold) continue
    const told = tellingOf(slots, round, text)
    const isNext = first && told.length > 0 && told.every(it => isTelling(it, first, text) && alike(it, first, round))
    // Two names joined only by a comma are one place: "Paris, France".
    const isListed = unit.joint !== ',' || units.slice(at).some(it => series.test(it.text.slice(0, 4)))
    const isName = told.every(it => typeof round.values.get(it.name) === 'string')
    const isOther =
      isNext &&
      (isListed || !isName) &&
      told.some(it => found.every(one => one.values.get(it.name) !== round.values.get(it.name)))
    if (
      !first ||
      (isOther && (isWhole || required.every(it => !tellingOf(slots, first, text).includes(it) || told.includes(it))))
    ) {
      found.push(round)
      open = ''
    }
  }
  return found
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

/** The calls of the rounds in which the values of a text are read, or of its clauses; one where they give no second one. */
const listedCalls = (words: string, read: Rounds): JsonObject[] => {
  const again = read.rounds.filter((_, at) => at === 0 || isAnother(words, read, at))
  const clauses = again.length > 1 ? [] : readClauses(words, read)
  const kept = clauses.length > 1 ? clauses : again
  const [first] = kept
  const calls = kept.map((round, at) => {
    const before = [
      ...(read.rounds[0]?.values ?? []),
      ...(first?.values ?? []),
      ...kept.slice(1, at).flatMap(it => [...it.values]),
    ]
    return toInput(read, new Map([...before, ...round.values]))
  })
  const seen = new Set<string>()
  return calls.filter(it => !seen.has(JSON.stringify(it)) && seen.add(JSON.stringify(it)))
}

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
  if (isLabelledRow(words) || isOneQuantity(words)) return [whole]
  return severalOf({ ...of, words: words.replaceAll(reason, '') }, requirement) ?? [whole]
}

const severalOf = (of: Wanted, requirement: JsonObject): Call[] | undefined => {
  const { words: text, listing, now } = of
  const read = readRounds({ text, requirement, listing, now })
  const inputs = listedCalls(text, read)
  const readings = [recordedCalls(of, read), inputs.map(input => ({ words: withoutOthers(text, input, inputs), input }))]
  const [first] = read.rounds
  if (read.isSpent() || !first) return undefined
  const shared = distribute(read, { text, round: first }).map(it => ({ words: it.text, input: toInput(read, it.round.values) }))
  return surest(read.isSpent() ? readings : [shared, ...readings], of, read)
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
const surest = (readings: readonly Call[][], { words }: Wanted, { slots }: Rounds): Call[] | undefined => {
  const isWhole = ({ input }: Call) => slots.every(it => !it.required || valueAt(input, it.path) !== undefined)
  const sureness = (calls: Call[]) => (calls.every(isWhole) ? 2 : 0) + (counts(words, calls.length) ? 1 : 0)
  const sizeOf = (calls: Call[]) => calls.flatMap(it => Object.keys(it.input)).length
  const [best] = readings
    .filter(it => it.length > 1 && it.length <= maxCalls && isSound(it, slots))
    .toSorted((a, b) => sureness(b) - sureness(a) || b.length - a.length || sizeOf(b) - sizeOf(a))
  return best
}
