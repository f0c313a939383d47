import type { Json, JsonObject } from '../../domain/json.ts'
import { takesPlainText } from '../../domain/schemas/plainInput.ts'
import type { Slot } from '../fields/fields.ts'
import { fillRequest } from '../filling/fillRequest.ts'
import { unitOf } from '../words/measures.ts'
import { splitConnectors } from './connectors.ts'
import { isScalar, type Round, type Rounds, readRounds, type Span, series, toInput } from './rounds.ts'
import { toUnits } from './units.ts'

/** One call of an offering: the words for it, and its input as far as they give it. */
export type Call = { words: string; input: JsonObject }

/** What is known of the offering that was found for a task. `listing`: its name, then its description from the second line on. */
export type Wanted = { words: string; requirement: JsonObject | null | undefined; listing: string; now: number }

const maxCalls = 8

/** Whether a value tells one call from another: a yes or no, or free text, does not. */
const isTelling = (slot: Slot, round: Round): boolean => {
  const value = round.values.get(slot.name)
  return isScalar(value) && typeof value !== 'boolean' && round.typed.has(slot.name)
}

const spanOf = ({ spans }: Round, name: string): Span | undefined => spans.find(it => it.name === name)

/** The words between two values, and those before the first; undefined when the second one does not stand after the first. */
const between = (text: string, first: Round, second: Round, name: string): { gap: string; lead: string } | undefined => {
  const [a, b] = [spanOf(first, name), spanOf(second, name)]
  if (!a || !b || a.to > b.from) return undefined
  return { gap: text.slice(a.to, b.from), lead: text.slice(Math.max(0, a.from - leadChars), a.from) }
}

const leadChars = 60
const joining = /,|;|&|\+|、|和|と|(?<!\p{L})(?:and|plus|then|also|und|et|y|e)(?!\p{L})/iu
const either = /(?<!\p{L})(?:or|oder|ou|o|oppure)(?!\p{L})/iu
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
const isPart = (gap: string, value: Json | undefined) => /^\s*,\s*$/.test(gap) && typeof value === 'string'

/** Whether a later round is another call, and no number that the first one failed to read. */
const isAnother = (text: string, { slots, rounds }: Rounds, at: number): boolean => {
  const [first, round, before] = [rounds[0], rounds[at], rounds[at - 1]]
  if (!first || !round || !before) return false
  const required = slots.filter(it => it.required)
  if (required.some(it => !first.values.has(it.name))) return false
  const shared = slots.filter(it => isTelling(it, first) && isTelling(it, round))
  const told = shared.filter(it => first.values.get(it.name) !== round.values.get(it.name))
  const gaps = told.flatMap(it => {
    const found = between(text, before, round, it.name) ?? between(text, first, round, it.name)
    return found ? [{ ...found, value: round.values.get(it.name) }] : []
  })
  if (gaps.some(it => isPart(it.gap, it.value) && rounds.length === 2)) return false
  // A whole record of several values is another call, however it is joined to the first one.
  const isRecord = told.length > 1 && required.every(it => round.values.has(it.name) || !isTelling(it, first))
  return isRecord || gaps.some(isListed)
}

const parts = /\s*,\s*(?:and\s+|&\s*)?|\s+(?:and|&|und|et|y)\s+/iu
const looksOf = (text: string) => {
  if (/^\p{Lu}{2,3}$/u.test(text)) return 'code'
  const shape = /^\p{Lu}/u.test(text) ? 'name' : /^\d/.test(text) ? 'number' : 'word'
  return /^\D+\d/.test(text) ? `${shape} with a number` : shape
}

/** Fields for a whole text or a topic: what is enumerated there is one thing, such as a poem about salt and pepper. */
const wholeText =
  /text|content|message|body|prompt|question|query|note|command|code|description|details|request|instruction|reason|brand|title|company|party|label|slogan/i
/** Kinds of values that are known by themselves. Two other names with "and" between them may be one name. */
const known = new Set<Slot['kind']>(['place', 'code', 'date', 'url', 'email', 'wallet', 'phone'])
const fewest = (slot: Slot): number => (known.has(slot.kind) ? 2 : 3)

const isNaming = (slot: Slot): boolean =>
  !['topic', 'manner', 'list', 'object', 'boolean', 'number'].includes(slot.kind) &&
  !(slot.kind === 'text' && wholeText.test(slot.name)) &&
  slot.type === 'string'

const itemChars = 40
const toItems = (slot: Slot, items: readonly string[]): string[] => {
  const isAlike = items.every(it => looksOf(it) === looksOf(items[0] ?? '') && it.length <= itemChars && slot.fits(it))
  return items.length > 1 && isAlike ? [...items] : []
}

/** The items that a field takes one at a time: of its value, or of an enumeration that its value is a part of. */
const itemsOf = (slot: Slot, value: Json | undefined, rows: readonly string[][]): string[] => {
  if (!isNaming(slot) || slot.role !== undefined) return []
  // "Tern & Tide" is one name.
  if (typeof value === 'string' && series.test(value) && !/^[^,]*&[^,]*$/.test(value)) {
    const own = toItems(
      slot,
      value
        .split(parts)
        .map(it => it.trim())
        .filter(Boolean),
    )
    if (own.length > 1) return own
  }
  const row = rows.find(items => value === undefined || items.some(it => it === value))
  return row && slot.required ? toItems(slot, row) : []
}

/** The rounds, where a value that names several things gives a round for each of them. */
const spread = ({ slots, rows }: Rounds, round: Round): ReadonlyMap<string, Json>[] => {
  for (const slot of slots) {
    const items = itemsOf(slot, round.values.get(slot.name), rows)
    // Where each item has a field of its own, such as the two parties of a contract, one call takes all of them.
    const places = slots.filter(it => isNaming(it) && it.kind === slot.kind && (it.required || it === slot)).length
    if (items.length > places && items.length >= fewest(slot)) return items.map(it => new Map([...round.values, [slot.name, it]]))
  }
  return [round.values]
}

const without = (text: string, spans: readonly Span[]): string =>
  spans
    .reduce((left, { from, to }) => left.slice(0, from) + '\0'.repeat(to - from) + left.slice(to), text)
    .replaceAll('\0', '')
    .replace(/\s+/g, ' ')

/** The values of a round that tell its call from others: those that a reader recognised, for inputs that must be given. */
const tellingOf = (slots: readonly Slot[], round: Round): Slot[] =>
  slots.filter(it => it.required && isTelling(it, round) && round.typed.has(it.name))

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
    // Another sentence goes on with a list only where it says so: "Then Rome."
    if (first && unit.joint === '.' && splitConnectors(unit.text).lead === '') continue
    const told = tellingOf(slots, round)
    const isNext = first && told.length > 0 && told.every(it => first.typed.has(it.name) && alike(it, first, round))
    // Two names joined only by a comma are one place: "Paris, France".
    const isListed = unit.joint !== ',' || units.slice(at).some(it => series.test(it.text.slice(0, 4)))
    const isName = told.every(it => typeof round.values.get(it.name) === 'string')
    const isOther =
      isNext &&
      (isListed || !isName) &&
      told.some(it => found.every(one => one.values.get(it.name) !== round.values.get(it.name)))
    if (!first || (isOther && (isWhole || required.every(it => !tellingOf(slots, first).includes(it) || told.includes(it))))) {
      found.push(round)
      open = ''
    }
  }
  return found
}

/**
 * Returns the calls of a task: one, or several when its words name several values for an input that takes only one. A field for a
 * list takes all of them in one call. Values that are said once are those of every call.
 */
export const perValue = ({ words, requirement, listing, now }: Wanted): Call[] => {
  const whole = { words, input: fillRequest({ text: words, requirement, now, listing }).values }
  // Of "Paris or London" the user picks one, and is asked which.
  if (!requirement || takesPlainText(requirement) || either.test(words)) return [whole]
  const read = readRounds({ text: words, requirement, listing, now })
  const again = read.rounds.filter((_, at) => at === 0 || isAnother(words, read, at))
  const clauses = again.length > 1 ? [] : readClauses(words, read)
  const kept = clauses.length > 1 ? clauses : again
  const [first] = kept
  if (!first) return [whole]
  const calls = kept.flatMap(round => {
    const others = clauses.length > 1 ? [] : kept.flatMap(it => (it === round ? [] : it.spans))
    const values = spread(kept.length > 1 ? { ...read, rows: [] } : read, round)
    return values.map(it => ({
      words: without(words, others),
      input: toInput(read, new Map([...(read.rounds[0]?.values ?? []), ...first.values, ...it])),
    }))
  })
  const seen = new Set<string>()
  const distinct = calls.filter(it => !seen.has(JSON.stringify(it.input)) && seen.add(JSON.stringify(it.input)))
  return distinct.length > 1 && distinct.length <= maxCalls ? distinct : [whole]
}
