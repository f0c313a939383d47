import type { Json, JsonObject } from './json.ts'
import { choicesOf, type Field, fieldsOf } from './schema.ts'

/** The offering that a question belongs to; `price` is decimal USDC. */
export type QuestionFor = { agent: string; name: string; price: string }
type QuestionOf = {
  offering: QuestionFor
  requirement: JsonObject
  /** Requested fields; `text` for an offering that takes plain text. */
  fields: readonly string[]
  known: JsonObject
  /** How often they were asked before. */
  before: number
}

const labelChars = 80
const valueChars = 60
const mostChoices = 8
const shorten = (text: string, chars: number) => (text.length > chars ? `${text.slice(0, chars - 1).trimEnd()}…` : text)

/** A field in plain words: its description, otherwise its name without punctuation. */
export const toFieldWords = ({ name, description }: Pick<Field, 'name' | 'description'>): string => {
  const told = description.trim().replace(/[.:]$/, '')
  const words =
    told && told.length <= labelChars && !told.includes('\n')
      ? told
      : name.replace(/[_-]+/g, ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return /^\p{Lu}(?!\p{Lu})/u.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words
}

const toValueWords = (value: Json): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return shorten(value.map(it => toValueWords(it)).join(', '), valueChars)
  return shorten(typeof value === 'object' && value !== null ? 'as given' : String(value).replace(/\s+/g, ' '), valueChars)
}

const ruleOf = (requirement: JsonObject, name: string): JsonObject => {
  const properties = requirement.properties
  const rule =
    typeof properties === 'object' && properties !== null && !Array.isArray(properties) && Object.hasOwn(properties, name)
      ? properties[name]
      : undefined
  return typeof rule === 'object' && rule !== null && !Array.isArray(rule) ? rule : {}
}

const examples: Record<string, string> = {
  date: '2027-05-31',
  time: '14:30',
  email: 'ann@example.com',
  uri: 'https://example.com',
}

const rangeOf = ({ minimum, maximum }: JsonObject): string => {
  if (typeof minimum === 'number' && typeof maximum === 'number') return `${minimum} to ${maximum}`
  if (typeof minimum === 'number') return `${minimum} or more`
  return typeof maximum === 'number' ? `at most ${maximum}` : ''
}

/** Possible answers: the choices, the range of a number, or the format of a date. */
const hintOf = (requirement: JsonObject, { name, type }: Field): string => {
  const choices = choicesOf(requirement, name)
  if (choices.length > 1 && choices.length <= mostChoices) return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  const rule = ruleOf(requirement, name)
  if (typeof rule.format === 'string' && rule.format in examples) return `for example ${examples[rule.format]}`
  return type === 'number' || type === 'integer' ? rangeOf(rule) : ''
}

/** A requested field in words: "the city or town", "how many nights (1 to 60)". */
export const toAskedWords = (requirement: JsonObject, name: string): string => {
  const field = fieldsOf(requirement).find(it => it.name === name)
  if (!field) return 'your text, pasted here as it is'
  const hint = hintOf(requirement, field)
  return `${toFieldWords(field)}${hint && ` (${hint})`}`
}

const inList = (parts: string[]) =>
  parts.length > 1 ? `${parts.slice(0, -1).join('; ')}; and ${parts.at(-1)}` : (parts[0] ?? '')

/**
 * Text of a question for missing values: offering, agent and price, the known values, and the missing ones. It never contains
 * technical field names.
 */
export const toQuestionText = ({ offering, requirement, fields, known, before }: QuestionOf): string => {
  const form = fieldsOf(requirement)
  const said = form.flatMap(it =>
    Object.hasOwn(known, it.name) && !fields.includes(it.name)
      ? [`${toFieldWords(it)}: ${toValueWords(known[it.name] ?? null)}`]
      : [],
  )
  const wanted = inList(fields.map(it => toAskedWords(requirement, it)))
  const lines = [
    before > 0
      ? `I could not read that as an answer for ${offering.name} by ${offering.agent}. I need: ${wanted}. I will use your next answer as it is.`
      : `For ${offering.name} by ${offering.agent} (${offering.price} USDC) I need: ${wanted}.`,
    ...(said.length > 0 ? [`Known so far: ${said.join('; ')}.`] : []),
  ]
  return lines.join('\n')
}
