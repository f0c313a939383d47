import type { Json, JsonObject } from '../../../src/domain/json.ts'
import type { TurnCall } from '../../../src/domain/runs/turnCall.ts'
import { type Property, toProperties } from '../../../src/language/fields/requirement.ts'
import { findTimes } from '../../../src/language/forms/times.ts'
import { offsetAtWall } from '../../../src/language/forms/zones.ts'
import { countries, currencies, languages, plain } from '../../../src/language/words/intl.ts'
import { saysZone } from '../zones.ts'
import { isConcluded, isGrounded, isTranslated } from './grounding.ts'

/** What the user said, with marks for what was quoted: in this turn and run, and before in the conversation. */
export type Words = { said: string; before: string; known: JsonObject; zone?: string | undefined; restore(text: string): string }

/** Values of a call for a form, the names of those that were concluded, and the words from which they follow. */
export type Values = { input: JsonObject; concluded: string[]; evidence: string[] }

/** Whether a field takes one of few values, or a value is one: a date, a language, a country, a currency, or the code of one. */
const isFixed = ({ allowed, allowedItems, format }: Property, value: Json): boolean =>
  allowed.length > 0 ||
  allowedItems.length > 0 ||
  /^(?:date|time|date-time|duration)$/.test(format) ||
  (typeof value === 'string' && isNamedForm(value))

const isoDate = /^\d{4}-\d{2}(?:-\d{2}(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)?$|^\d{2}:\d{2}$/
const tables = [languages, countries, currencies]
const isNamedForm = (value: string): boolean => {
  if (isoDate.test(value)) return true
  const name = plain(value)
  return tables.some(it => it().has(name) || [...it().values()].some(code => code.toLowerCase() === name))
}

/** A mark that stands for no material of the newest message. */
const isMarked = (value: Json) => /\[text \d+\]/.test(JSON.stringify(value))
const restored = (value: Json, restore: Words['restore']): Json =>
  typeof value === 'string' ? restore(value) : Array.isArray(value) ? value.map(it => restored(it, restore)) : value

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
  const concluded: string[] = []
  const evidence: string[] = []
  const values = toProperties(requirement).flatMap(property => {
    const given = Object.hasOwn(input, property.name) ? input[property.name] : undefined
    const value = given === undefined ? undefined : fitting(property, restored(given, words.restore), words)
    if (given === undefined || value === undefined || value === '' || isMarked(value)) return []
    const from = inferred.find(it => it.field.replace(itemOf, '') === property.name)?.from ?? ''
    // Material is said where its mark is: what it says is nothing that its user said.
    const status = judge(property, isMarked(given) ? given : value, { ...words, from })
    if (status === 'concluded') concluded.push(property.name)
    if (status === 'concluded' && from !== '') evidence.push(from)
    return status === 'refused' ? [] : [[property.name, value] as const]
  })
  return { input: Object.fromEntries(values), concluded, evidence }
}

/** A model may name an item of a list: `tests[0]`. */
const itemOf = /(?:\[\d+\]|\.\d+)$/

/** A text of more characters is a message or material, and no name. */
const nameChars = 80

const judge = (property: Property, value: Json, { said, before, known, from }: Words & { from: string }) => {
  const isOpen = JSON.stringify(known[property.name]) === JSON.stringify(value)
  if (isOpen) return 'said'
  // A translation is none of the user's own words, which therefore never take its place.
  if (typeof value !== 'boolean' && isGrounded(value, said)) return isTranslated(value, said) ? 'concluded' : 'said'
  const isShort = JSON.stringify(value).length <= nameChars
  if (isShort && typeof value !== 'boolean' && isGrounded(value, before)) return property.required ? 'concluded' : 'refused'
  return isConcluded(value, { from, said, isFixed: isFixed(property, value) }) ? 'concluded' : 'refused'
}
