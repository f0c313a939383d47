import type { Json, JsonObject } from '../../domain/json.ts'
import type { Slot } from '../fields/fields.ts'
import { isKnownPlace } from '../words/knownPlaces.ts'
import { areItems } from './recognised.ts'
import { type Round, type Rounds, series, toInput } from './rounds.ts'

// Reads the items that a text enumerates for an input that takes one at a time, and makes a call of each.

/** More calls of one task are no plan. */
export const maxCalls = 8

const parts = /\s*,\s*(?:and\s+|&\s*)?|\s+(?:and|&|und|et|y)\s+/iu
export const looksOf = (text: string) => {
  if (/^\p{Lu}{2,3}$/u.test(text)) return 'code'
  const shape = /^\p{Lu}/u.test(text) ? 'name' : /^\d/.test(text) ? 'number' : 'word'
  return /^\D+\d/.test(text) ? `${shape} with a number` : shape
}

/** Fields for a whole text or a topic: what is enumerated there is one thing, such as a poem about salt and pepper. */
const wholeText =
  /text|content|message|body|prompt|question|query|note|command|code|description|details|request|instruction|reason|brand|title|company|party|label|slogan/i
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
  if (!isNaming(slot) || slot.role !== undefined || (typeof value === 'string' && isKnownPlace(value))) return []
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

const figures = /(?<![\d.:/$€£-])(?<!between )\d+(?:\.\d+)?(?:,\s+\d+(?:\.\d+)?)*,?\s+and\s+\d+(?:\.\d+)?(?![\d:/]|\.\d)/giu
/** The numbers that a text lists for an input that takes one: "a term of 15, 20 and 30 years". Inputs that share a list are one call. */
const numbersOf = (text: string, { slots }: Rounds, { slot, round }: { slot: Slot; round: Round }): number[] => {
  const lists = [...text.matchAll(figures)].map(([said]) => (said.match(/\d+(?:\.\d+)?/g) ?? []).map(Number))
  const list = lists.find(it => it.some(one => one === round.values.get(slot.name))) ?? []
  const taking = slots.filter(it => list.some(one => one === round.values.get(it.name)))
  return slot.required && slot.type !== 'array' && taking.length === 1 && new Set(list).size === list.length ? list : []
}

type Listed = { name: string; items: readonly Json[] }
const pairs = /(?<!\p{L})respectively(?!\p{L})/iu

/** The values of each call: lists of one length side by side where the text says so, else each item of one with each of the others. */
const toCalls = (text: string, lists: readonly Listed[], values: Round['values']): ReadonlyMap<string, Json>[] => {
  const [first, ...more] = lists
  if (!first) return [values]
  if (pairs.test(text) && more.length > 0 && more.every(it => it.items.length === first.items.length))
    return first.items.map((_, at) => new Map([...values, ...lists.map(it => [it.name, it.items[at] ?? null] as const)]))
  return first.items.flatMap(it => toCalls(text, more, new Map([...values, [first.name, it]])))
}

/** The rounds, where a value that names several things gives a round for each of them. */
export const spread = (text: string, read: Rounds, round: Round): ReadonlyMap<string, Json>[] => {
  const { slots, rows } = read
  const lists: Listed[] = []
  for (const slot of slots) {
    const items = itemsOf(slot, round.values.get(slot.name), rows)
    // Where each item has a field of its own, such as the two parties of a contract, one call takes all of them.
    const places = slots.filter(it => isNaming(it) && it.kind === slot.kind && (it.required || it === slot)).length
    const isTaken = lists.some(it => it.items.join() === items.join())
    const numbers = rows.length > 0 ? numbersOf(text, read, { slot, round }) : []
    if (items.length > places && !isTaken && areItems(slot, items, text)) lists.push({ name: slot.name, items })
    else if (numbers.length > 1) lists.push({ name: slot.name, items: numbers })
  }
  const calls = toCalls(text, lists, round.values)
  return calls.length > maxCalls ? [round.values] : calls
}

/** The values of each input side by side, where the text says so: "Ann and Bo, for 20 and 15 minutes respectively". */
export const pairedCalls = (text: string, read: Rounds): JsonObject[] => {
  const [first] = read.rounds
  if (!first || !pairs.test(text)) return []
  const columns = read.slots.flatMap((slot): Listed[] => {
    const said = new Set(read.rounds.flatMap(it => it.values.get(slot.name) ?? []).filter(it => typeof it === 'number'))
    const value = first.values.get(slot.name)
    const whole = typeof value === 'string' && isNaming(slot) ? value.split(parts).filter(it => it !== '' && slot.fits(it)) : []
    const items = slot.kind === 'number' ? [...said] : whole.length > 1 ? whole : itemsOf(slot, value, read.rows)
    return items.length > 1 ? [{ name: slot.name, items }] : []
  })
  const [one, ...more] = columns
  const isEven = one !== undefined && more.length > 0 && more.every(it => it.items.length === one.items.length)
  return isEven ? toCalls(text, columns, first.values).map(it => toInput(read, it)) : []
}
