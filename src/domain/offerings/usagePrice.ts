import { z } from 'zod'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { type Atomic, maxDecimals, oneUsdc, parseUsdc } from '../money/money.ts'
import { fieldsOf, schemaTypeOf } from '../schemas/schema.ts'

/** A price for what is used. The price of its offering is the most that it costs, so every limit counts that. */
export const usagePrice = z.object({
  unit: z.string(),
  /** USDC for one unit, decimal text with at most 18 decimals. */
  perUnit: z.string(),
})
export type UsagePrice = z.infer<typeof usagePrice>

/** What one delivery used. */
export const usedUnits = z.object({
  /** What the agent said; absent when it said nothing. */
  stated: z.number().optional(),
  /** What code counted; absent for a unit that code cannot count. */
  counted: z.number().optional(),
  /** What is charged: never more than either of them. */
  charged: z.number(),
})
export type UsedUnits = z.infer<typeof usedUnits>

/** The most units that an agent may state. Larger numbers are no whole numbers in JSON. */
export const maxUnits = Number.MAX_SAFE_INTEGER

/** The facts of a delivery that units are counted from. `seconds`: from taking the job to its deliverable. */
export type CountedWork = { text: string; value: Json | undefined; main: string | undefined; seconds: number }

type UnitRule = {
  /** How code counts the unit, for people. */
  words: string
  count(work: CountedWork): number
  /** Why a deliverable of this schema cannot be counted; undefined when it can. */
  refusal?(schema: JsonObject, main: string | undefined): string | undefined
}

/** The units that code counts. Any other unit is stated by the agent alone, and buyers are told so. */
export const unitRules: Record<string, UnitRule> = {
  characters: {
    words: 'counted in the deliverable',
    count: ({ text, value, main }) =>
      typeof value === 'object' && value ? charactersOf(partOf(value, main)) : textLength(value, text),
  },
  items: {
    words: 'counted in the deliverable',
    count: ({ value, main }) => itemsOf(value, main)?.length ?? 0,
    refusal: (schema, main) =>
      hasItems(schema, main)
        ? undefined
        : 'Items are counted in a list: the deliverable must be one, or have exactly one or name it in main.',
  },
  seconds: { words: 'at most the time of the work', count: ({ seconds }) => seconds },
}

/** Spellings of the counted units. */
const spellings: Record<string, string> = { character: 'characters', item: 'items', second: 'seconds' }

/** The rule of a unit; undefined when the agent states it. */
const ruleOf = (unit: string): UnitRule | undefined => (Object.hasOwn(unitRules, unit) ? unitRules[unit] : undefined)

/** A unit as it is stored: in lower case, and counted units in the plural. Undefined when the text is no unit. */
export const toUnit = (text: string): string | undefined => {
  const unit = text.trim().toLowerCase()
  if (!/^[a-z][a-z0-9 -]{0,23}$/.test(unit)) return undefined
  return Object.hasOwn(spellings, unit) ? spellings[unit] : unit
}

/** How the units are known, as buyers are told before and after a hire. */
export const toCountingWords = (unit: string): string => ruleOf(unit)?.words ?? 'stated by the agent'

export const toUsageText = ({ unit, perUnit }: UsagePrice): string =>
  `${perUnit} USDC per unit (${unit}, ${toCountingWords(unit)})`

/** Whether an agent must say the units, because code cannot count them. */
export const isStatedOnly = (unit: string): boolean => ruleOf(unit) === undefined

/** Why deliverables of a schema cannot be charged by this unit; undefined when they can. */
export const unitRefusal = (unit: string, schema: JsonObject, main: string | undefined): string | undefined =>
  ruleOf(unit)?.refusal?.(schema, main)

/**
 * The units that are charged: those stated, and never more than code counts.
 * @param stated what the agent said, a whole number of at least 0
 * @returns undefined when the agent alone can state the unit and said nothing
 */
export const chargeUnits = (unit: string, stated: number | undefined, work: CountedWork): UsedUnits | undefined => {
  const counted = ruleOf(unit)?.count(work)
  const charged = Math.min(stated ?? Number.POSITIVE_INFINITY, counted ?? Number.POSITIVE_INFINITY)
  if (!Number.isFinite(charged)) return undefined
  return { ...(stated !== undefined && { stated }), ...(counted !== undefined && { counted }), charged }
}

type Charge = { perUnit: string; units: number; cap: Atomic; decimals: number }
/**
 * What units cost, in atomic units of a token: rounded down, and never above the cap.
 * @throws RangeError for a price or number that no offering or completion can have
 */
export const chargeOf = ({ perUnit, units, cap, decimals }: Charge): Atomic => {
  const each = parseUsdc(perUnit, maxDecimals)
  if (each === undefined || !Number.isSafeInteger(units) || units < 0) throw new RangeError('a usage that has no price')
  const charge = (each * BigInt(units)) / oneUsdc(maxDecimals - decimals)
  return charge < cap ? charge : cap
}

const partOf = (value: Json | undefined, main: string | undefined): Json | undefined =>
  main !== undefined && isObject(value) && Object.hasOwn(value, main) ? value[main] : value

/** Plain text is as long as it is, also where it can be read as a number. */
const textLength = (value: Json | undefined, text: string): number => [...(typeof value === 'string' ? value : text)].length

/** Unicode characters of all values as texts; names of members and null do not count. */
const charactersOf = (value: Json | undefined): number => {
  if (value === undefined || value === null) return 0
  const parts = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : undefined
  return parts ? parts.reduce<number>((sum, it) => sum + charactersOf(it), 0) : [...String(value)].length
}

const itemsOf = (value: Json | undefined, main: string | undefined): Json[] | undefined => {
  const part = partOf(value, main)
  if (Array.isArray(part)) return part
  const lists = isObject(value) ? Object.values(value).filter(it => Array.isArray(it)) : []
  return lists.length === 1 ? lists[0] : undefined
}

const hasItems = (schema: JsonObject, main: string | undefined): boolean => {
  if (schema.type === 'array') return true
  const lists = fieldsOf(schema).filter(it => schemaTypeOf(schema, it.name) === 'array')
  return main === undefined ? lists.length === 1 : lists.some(it => it.name === main)
}
