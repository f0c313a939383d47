import { canonical, isObject, type JsonObject, parseJson } from './json.ts'
import { toQuotable } from './quotableText.ts'
import { checkValue, fieldsOf, isFitting, schemaTypeOf } from './schema.ts'

/** A deliverable as its buyer gets it. `wrappedInto` names the member that plain text was put into. */
export type Fitted = { text: string; wrappedInto?: string }

/**
 * Fits a deliverable to its schema: plain text becomes the only required member of an object, if that member is a string. Any
 * other text stays unchanged.
 */
export const fitDeliverable = (schema: JsonObject, text: string): Fitted => {
  const [field, ...others] = fieldsOf(schema).filter(it => it.required)
  if (!field || others.length > 0 || schemaTypeOf(schema, field.name) !== 'string' || text.trim() === '') return { text }
  const value = parseJson(text)
  if (typeof value === 'object') return { text }
  const wrapped = { [field.name]: typeof value === 'string' ? value : text }
  return checkValue(schema, wrapped).pass ? { text: JSON.stringify(wrapped), wrappedInto: field.name } : { text }
}

/** Describes the wrapping for buyer and agent; undefined when nothing was wrapped. */
export const describeWrapping = ({ wrappedInto }: Fitted): string | undefined =>
  wrappedInto === undefined ? undefined : `The plain text was put into the required member ${wrappedInto}.`

/**
 * Whether a deliverable has no content: no characters, or JSON without values. A list may be empty where a schema describes it.
 */
export const isEmptyDeliverable = (schema: JsonObject, text: string): boolean => {
  if (text.trim() === '') return true
  const value = parseJson(text)
  if (Array.isArray(value)) return value.length === 0 && Object.keys(schema).length === 0
  if (isObject(value)) return Object.keys(value).length === 0
  return value === null || (typeof value === 'string' && value.trim() === '')
}

/** Whether the deliverable repeats the input: the same text, or the same JSON in another spelling. */
export const isInputAgain = (input: string, text: string): boolean => {
  if (text.trim() === input.trim()) return true
  const [sent, came] = [parseJson(input), parseJson(text)]
  return isObject(sent) && isObject(came) && canonical(sent) === canonical(came)
}

const quotedChars = 300
/** Maximum number of members named in one sentence. */
const namedFields = 2

/**
 * Why a deliverable does not satisfy its schema, for people. The agent's own member `error` replaces our text (specification,
 * Errors).
 */
export const describeFault = (schema: JsonObject, text: string): string => {
  const value = parseJson(text)
  if (value === undefined) return 'The deliverable is not JSON.'
  if (!isObject(value)) return 'The deliverable is not what the deliverable schema asks for.'
  const said = typeof value.error === 'string' ? toQuotable(value.error, quotedChars) : ''
  return said ? `The agent says: “${said}”.` : describeMembers(schema, value)
}

const describeMembers = (schema: JsonObject, value: JsonObject): string => {
  const required = fieldsOf(schema).flatMap(it => (it.required ? it.name : []))
  const missing = required.filter(name => !Object.hasOwn(value, name))
  if (missing.length > 0) return `It lacks ${toList(missing)}.`
  const wrong = Object.keys(value).filter(name => !isFitting(schema, name, value[name] ?? null))
  return wrong.length > 0
    ? `Its value of ${toList(wrong)} is not what the deliverable schema asks for.`
    : 'The deliverable is not what the deliverable schema asks for.'
}

const toList = (names: string[]): string => {
  const shown = names.slice(0, namedFields).map(it => toQuotable(it, 40))
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(' and ')
}
