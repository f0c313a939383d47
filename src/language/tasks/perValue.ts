import type { Json, JsonObject } from '../../domain/json.ts'
import { takesPlainText } from '../../domain/schemas/plainInput.ts'
import { isWords, type Slot } from '../fields/fields.ts'
import { fillRequest } from '../filling/fillRequest.ts'
import { unitOf } from '../words/measures.ts'
import { isScalar, type Round, type Rounds, readRounds, type Span, toInput } from './rounds.ts'

/** One call of an offering: the words for it, and its input as far as they give it. */
export type Call = { words: string; input: JsonObject }

/** What is known of the offering that was found for a task. `listing`: its name, then its description from the second line on. */
export type Wanted = { words: string; requirement: JsonObject | null | undefined; listing: string; now: number }

const maxCalls = 8

/** Whether a value tells one call from another: a yes or no, or free text, does not. */
const isTelling = (slot: Slot, round: Round): boolean => {
  const value = round.values.get(slot.name)
  return isScalar(value) && typeof value !== 'boolean' && (!isWords(slot) || slot.kind === 'name' || round.typed.has(slot.name))
}

const spanOf = ({ spans }: Round, name: string): Span | undefined => spans.find(it => it.name === name)

/** The words between two values, and those before the first; undefined when the second one does not stand after the first. */
const between = (text: string, first: Round, second: Round, name: string): { gap: string; lead: string } | undefined => {
  const [a, b] = [spanOf(first, name), spanOf(second, name)]
  if (!a || !b || a.to > b.from) return undefined
  return { gap: text.slice(a.to, b.from), lead: text.slice(Math.max(0, a.from - leadChars), a.from) }
}

const leadChars = 60
const joining = /,|;|&|\+|、|和|と|(?<!\p{L})(?:and|or|plus|then|also|und|et|y|e)(?!\p{L})/iu
/** Words that may stand between two values of one list, besides those that stood before the first one. */
const loose =
  /^(?:and|or|plus|then|also|as|well|und|et|y|e|the|a|an|in|on|at|for|of|to|from|with|by|about|between|one|ones|other|another|finally|lastly|again|first|second|third|fourth|fifth|next|last|is|has|have|are|was|it|its|that)$/iu
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

const parts = /\s*,\s*(?:and\s+|or\s+|&\s*)?|\s+(?:and|or|&|und|et|y)\s+/iu
const looksOf = (text: string) => (/^\p{Lu}/u.test(text) ? 'name' : /^\d/.test(text) ? 'number' : 'word')

/** The items of a text value that names several things of one kind: "Ada Lovelace and Alan Turing". */
const itemsOf = (slot: Slot, value: Json): string[] => {
  if (typeof value !== 'string' || value.length > 200 || slot.kind === 'text' || slot.kind === 'topic' || slot.kind === 'manner')
    return []
  const items = value
    .split(parts)
    .map(it => it.trim())
    .filter(Boolean)
  const isAlike = items.every(it => looksOf(it) === looksOf(items[0] ?? '') && slot.fits(it))
  return items.length > 1 && isAlike ? items : []
}

/** The rounds, where a value that names several things gives a round for each of them. */
const spread = (slots: readonly Slot[], round: Round): ReadonlyMap<string, Json>[] => {
  for (const slot of slots) {
    const items = itemsOf(slot, round.values.get(slot.name) ?? null)
    if (items.length > 1) return items.map(it => new Map([...round.values, [slot.name, it]]))
  }
  return [round.values]
}

const without = (text: string, spans: readonly Span[]): string =>
  spans
    .reduce((left, { from, to }) => left.slice(0, from) + '\0'.repeat(to - from) + left.slice(to), text)
    .replaceAll('\0', '')
    .replace(/\s+/g, ' ')

/**
 * Returns the calls of a task: one, or several when its words name several values for an input that takes only one. A field for a
 * list takes all of them in one call. Values that are said once are those of every call.
 */
export const perValue = ({ words, requirement, listing, now }: Wanted): Call[] => {
  const whole = { words, input: fillRequest({ text: words, requirement, now, listing }).values }
  if (!requirement || takesPlainText(requirement)) return [whole]
  const read = readRounds({ text: words, requirement, listing, now })
  const kept = read.rounds.filter((_, at) => at === 0 || isAnother(words, read, at))
  const [first] = kept
  if (!first) return [whole]
  const calls = kept.flatMap(round => {
    const others = kept.flatMap(it => (it === round ? [] : it.spans.filter(span => round.values.has(span.name))))
    return spread(read.slots, round).map(values => ({
      words: without(words, others),
      input: toInput(read, new Map([...first.values, ...values])),
    }))
  })
  const seen = new Set<string>()
  const distinct = calls.filter(it => !seen.has(JSON.stringify(it.input)) && seen.add(JSON.stringify(it.input)))
  return distinct.length > 1 && distinct.length <= maxCalls ? distinct : [whole]
}
