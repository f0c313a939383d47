import { isObject, type Json, type JsonObject } from '../../../src/domain/json.ts'
import type { TurnCall } from '../../../src/domain/runs/turnCall.ts'
import { type Property, toInput, toLeaves, toProperties, valueAt } from '../../../src/language/fields/requirement.ts'
import { findTimes } from '../../../src/language/forms/times.ts'
import { offsetAtWall } from '../../../src/language/forms/zones.ts'
import { findQuotations } from '../../../src/language/text/quotations.ts'
import { countries, currencies, languages, plain } from '../../../src/language/words/intl.ts'
import { saysZone } from '../zones.ts'
import { isConcluded, isGrounded, isRespelt, isTranslated } from './grounding.ts'

/**
 * What the user said, with marks for what was quoted: in this turn and run, and before in the conversation. `known`: what is open.
 * `last`: the input of the last hire of the same offering.
 */
export type Words = {
  said: string
  before: string
  known: JsonObject
  last: JsonObject
  zone?: string | undefined
  restore(text: string): string
}

/**
 * Values of a call for a form, the names of those that were concluded, and the words from which they follow. `refused`: names of
 * values that nothing supports.
 */
export type Values = { input: JsonObject; concluded: string[]; evidence: string[]; refused: string[] }

/** Whether a field takes one of few values, or a value is one: a date, a language, a country, a currency, or the code of one. */
const isFixed = ({ allowed, allowedItems, format }: Property, value: Json): boolean =>
  allowed.length > 0 ||
  allowedItems.length > 0 ||
  /^(?:date|time|date-time|duration)$/.test(format) ||
  (typeof value === 'string' && isNamedForm(value))

const isoDate = /^\d{4}-\d{2}(?:-\d{2}(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)?$|^\d{2}:\d{2}$|^(?=.{3,8}$)\d+(?:[:/.]\d+)+$/
const tables = [languages, countries, currencies]
const isNamedForm = (value: string): boolean => {
  if (isoDate.test(value)) return true
  const name = plain(value)
  return tables.some(it => it().has(name) || [...it().values()].some(code => code.toLowerCase() === name))
}

/** A mark that stands for no material of the newest message. */
const isMarked = (value: Json) => /\[text \d+\]/.test(JSON.stringify(value))
const restored = (value: Json, restore: Words['restore']): Json =>
  typeof value === 'string' ? unquoted(restore(value)) : Array.isArray(value) ? value.map(it => restored(it, restore)) : value

/** A text without the quotation marks around all of it. */
const unquoted = (value: string): string => {
  const text = value.trim()
  const [only] = findQuotations(text)
  return only?.to === text.length && only.from === 0 ? text.slice(only.start, only.end) : value
}

const wall = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/
/** A time that a model wrote without a zone is in that of the user. */
const zoned = ({ format }: Property, value: Json, words: Pick<Words, 'zone' | 'said'>): Json[] => {
  const { zone } = words
  if (format !== 'date-time' || typeof value !== 'string') return []
  const local = isHabit(value, words) ? value.slice(0, -1) : value
  if (!wall.test(local)) return []
  const [day, clock = ''] = local.split(/[T ]/)
  const seconds = clock.length === '00:00'.length ? ':00' : ''
  return [`${day}T${clock}${seconds}${zone === undefined ? 'Z' : offsetAtWall(zone, Date.parse(`${day}T${clock}Z`))}`]
}

/** A model ends times in Z by habit. That is no zone where its user said this time of day, and no zone. */
const isHabit = (value: string, { zone, said }: Pick<Words, 'zone' | 'said'>): boolean =>
  zone !== undefined &&
  /T\d\d:\d\d.*Z$/.test(value) &&
  findTimes(said).some(
    it => it.clock.slice(0, '00:00'.length) === value.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length),
  ) &&
  !saysZone(said, 0)

/** A model may write a number or a list as text, and a text as a number. */
const fitting = (property: Property, value: Json, words: Pick<Words, 'zone' | 'said'>): Json | undefined => {
  const texts = typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : []
  const numbers = typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)) ? [Number(value)] : []
  return [...zoned(property, value, words), value, ...numbers, ...texts].find(it => property.fits(it))
}

/**
 * The values of a call that its user said or that follow from what was said: only inputs of the form, of their types. A long text
 * is taken from this run alone, so that no earlier talk reaches an agent unseen.
 */
export const checkValues = ({ input, inferred }: TurnCall, requirement: JsonObject, words: Words): Values => {
  const [concluded, evidence, refused]: [string[], string[], string[]] = [[], [], []]
  const leaves = toLeaves(requirement)
  const values = toProperties(requirement).flatMap(property => {
    const { name } = property
    const given = Object.hasOwn(input, name) ? input[name] : undefined
    const value = given === undefined ? undefined : fitting(property, restored(given, words.restore), words)
    if (given === undefined || value === undefined || value === '' || isMarked(value)) return []
    const from = inferred.flatMap(it => (it.field.replace(insideOf, '') === name ? [it.from] : []))
    // Material is said where its mark is: what it says is nothing that its user said.
    const whole: Part = { property, value: isMarked(given) ? given : value }
    if (JSON.stringify(words.known[name]) === JSON.stringify(whole.value)) return [[name, value] as const]
    const found = partsOf(whole, leaves).map(it => judge(it, { ...words, from }))
    if (found.includes('concluded')) concluded.push(name)
    if (found.includes('concluded')) evidence.push(...from.filter(Boolean))
    if (found.includes('refused')) refused.push(name)
    return found.includes('refused') ? [] : [[name, value] as const]
  })
  return { input: Object.fromEntries(values), concluded, evidence, refused }
}

type Part = { property: Property; value: Json }
/** The values of the leaves of an object, and of each object of a list; any other value is one part. */
const partsOf = ({ property, value }: Part, leaves: Property[]): Part[] => {
  const within = (of: Json, from: readonly Property[], depth: number): Part[] => {
    const parts = from.flatMap(it => {
      const path = it.path.slice(depth)
      const found = valueAt(of, path)
      return found === undefined ? [] : [{ property: it, path, value: found }]
    })
    // A member that the form does not name has no rule of its own.
    const isAll = JSON.stringify(toInput(parts)).length === JSON.stringify(of).length
    return isAll ? parts : [{ property, value: of }]
  }
  const inside = leaves.filter(it => it.path[0] === property.name)
  if (isObject(value)) return within(value, inside, 1)
  if (!Array.isArray(value) || property.members.length === 0) return [{ property, value }]
  return value.flatMap(it => within(it, property.members, 0))
}

/** A model may name an item of a list, or a member of an object: `tests[0]`, `dogs.size`. */
const insideOf = /[.[].*$/s

/** A text of more characters is a message or material, and no name. */
const nameChars = 80

const judge = ({ property, value }: Part, { said, before, last, from }: Words & { from: string[] }) => {
  const { name, required } = property
  // A translation is none of the user's own words, which therefore never take its place.
  if (typeof value !== 'boolean' && isGrounded(value, said)) return isTranslated(value, said) ? 'concluded' : 'said'
  const isShort = JSON.stringify(value).length <= nameChars
  const isLast = JSON.stringify(last[name]) === JSON.stringify(value)
  if (isShort && typeof value !== 'boolean' && isGrounded(value, before)) return required || isLast ? 'concluded' : 'refused'
  const isFollowing = from.some(it => isConcluded(value, { from: it, said, isFixed: isFixed(property, value) }))
  return isFollowing || isRespelt(value, said) ? 'concluded' : 'refused'
}
