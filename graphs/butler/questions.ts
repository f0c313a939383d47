import type { Json, JsonObject } from '../../src/domain/json.ts'
import type { Listing } from '../../src/domain/offerings/offering.ts'
import { type Question, toForm } from '../../src/domain/runs/question.ts'
import { formatExample } from '../../src/domain/schemas/formats.ts'
import { checkInput, isFieldFitting } from '../../src/domain/schemas/inputCheck.ts'
import { choicesOf, type Field, fieldsOf } from '../../src/domain/schemas/schema.ts'
import { toLabel, toWords } from '../../src/domain/text/labelled.ts'
import { type Property, toLeaves, valueAt } from '../../src/language/fields/requirement.ts'
import type { ButlerState } from './state.ts'

type Requirement = JsonObject
type Input = ButlerState['input']
/** The two possible readings of an ambiguous input, by field. */
export type Readings = Map<string, [string, string]>

/** The input without optional values that the schema forbids: they never hold up a hire. */
export const withoutWrong = (requirement: Requirement, input: Input): Input => {
  const required = new Set(fieldsOf(requirement).flatMap(it => (it.required ? [it.name] : [])))
  const kept = Object.entries(input).filter(([name, value]) => required.has(name) || isFieldFitting(requirement, name, value))
  return Object.fromEntries(kept)
}

/** The fields whose value is ambiguous, wrong or missing. */
export const missingIn = (requirement: Requirement, input: Input, open: Readings): Field[] => {
  const fields = fieldsOf(requirement)
  const unclear = fields.filter(it => open.has(it.name))
  if (checkInput(requirement, input).pass && unclear.length === 0) return []
  const wrong = fields.filter(({ name, required }) =>
    Object.hasOwn(input, name) ? !isFieldFitting(requirement, name, input[name] ?? null) : required,
  )
  const all = [...unclear, ...wrong.filter(it => !open.has(it.name))]
  return all.length > 0 ? all : fields
}

/** The question for one field: the choice between its readings, its value, or what an object still lacks. */
export const toQuestion = (
  requirement: Requirement,
  field: Field,
  { open, input }: { open: Readings; input: Input },
): Question => {
  const readings = open.get(field.name)
  const form = toForm(requirement, field)
  const words = readings
    ? `Which ${toLabel(field.name)} do you mean: ${readings.join(' or ')}?`
    : (stillNeeds(requirement, field.name, input) ?? wordsFor(requirement, field))
  return { field: field.name, words, form: readings ? { ...form, description: '', enum: readings } : form }
}

/** States the agent, the price and the known inputs. */
export const leadOf = ({ name, agentName, agentHandle, price }: Listing, input: Input): string => {
  const known = Object.entries(input).map(([field, value]) => `${toLabel(field)}: ${toShort(value)}`)
  const so = known.length > 0 ? ` I have ${known.join('; ')}.` : ''
  return `“${name}” by ${agentName} (${agentHandle}) does this for ${price} USDC.${so}`
}

const shownChars = 60
const toShort = (value: Json) => {
  const text = toWords(value)
  return text.length > shownChars ? `“${text.slice(0, shownChars)}…”` : text
}

const maxChoices = 8
const wordsFor = (requirement: Requirement, { name, description }: { name: string; description: string }): string => {
  const choices = choicesOf(requirement, name)
  const few = choices.length > 1 && choices.length <= maxChoices
  const of = few ? `: ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}` : partsOf(requirement, name)
  const told = description && description.toLowerCase() !== toLabel(name) ? ` (${description})` : ''
  return `What should the ${toLabel(name)} be${of}?${told}`
}

const leavesOf = (requirement: Requirement, name: string): Property[] => toLeaves(requirement).filter(it => it.path[0] === name)

const toPart = ({ name, path, allowed, description }: Property): string => {
  const told = (allowed.length <= maxChoices && allowed.join(', ')) || description
  return `${toLabel(path.at(-1) ?? name)}${told && ` (${told})`}`
}

/** What an object of which some members are known still lacks. Undefined for every other field. */
const stillNeeds = (requirement: Requirement, name: string, input: Input): string | undefined => {
  const parts = leavesOf(requirement, name).filter(it => it.path.length > 1 && it.required)
  const lacking = parts.filter(it => valueAt(input, it.path) === undefined)
  if (lacking.length === 0 || lacking.length === parts.length) return undefined
  return `What else belongs to the ${toLabel(name)}: ${lacking.map(toPart).join('; ')}?`
}

/** What an object, or each item of a list of objects, is made of. */
const partsOf = (requirement: Requirement, name: string): string => {
  const leaves = leavesOf(requirement, name)
  const [list] = leaves.filter(it => it.members.length > 0)
  const parts = (list?.members ?? leaves.filter(it => it.path.length > 1)).filter(it => it.required)
  return parts.length === 0 ? '' : `${list ? ', each with' : ':'} ${parts.map(toPart).join('; ')}`
}

/** What a value looks like, from its schema. */
const exampleOf = (form: Requirement, field: Field): string => {
  const { enum: choices, format = '' } = toForm(form, field)
  return (choices ?? [formatExample(format) ?? `(${field.description || 'your value'})`]).join(' or ')
}

/** The last answer of a run whose user was asked twice. It says how to go on. @param unpaid what the rows say about money */
export const toGivenUpText = (
  listing: Listing,
  { form, missing, unpaid }: { form: Requirement; missing: Field[]; unpaid: string },
) =>
  [
    `I asked twice and still miss what “${listing.name}” by ` +
      `${listing.agentName} (${listing.agentHandle}) needs, so I leave it here.`,
    unpaid,
    'To go on, write each value after its name:',
    ...missing.map(it => `${it.name}: ${exampleOf(form, it)}`),
  ]
    .filter(Boolean)
    .join('\n')
