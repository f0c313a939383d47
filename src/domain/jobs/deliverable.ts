import { canonical, isObject, type Json, type JsonObject, parseJson } from '../json.ts'
import { limits } from '../limits.ts'
import { checkDeliverable, checkValue, fieldsOf, isTooCostly, schemaTypeOf, type Verdict } from '../schemas/schema.ts'
import { toQuotable } from '../text/quotableText.ts'

/** A deliverable after its only check by the schema. */
export type Examined = {
  /** The deliverable as the agent sent it, and as its buyer gets it. */
  sent: string
  text: string
  /** The member that plain text was put into. */
  wrappedInto?: string
  /** The JSON in the text; undefined when it is none. */
  value: Json | undefined
  verdict: Verdict
}

/**
 * Fits a deliverable to its schema and checks it, once: the cost of a check is the size of the schema times that of the
 * deliverable. Plain text becomes the only required member of an object, if that member is a string. Any other text stays
 * unchanged.
 */
export const examine = (schema: JsonObject, sent: string): Examined => {
  const value = parseJson(sent)
  return examineWrapped(schema, sent, value) ?? { sent, text: sent, value, verdict: checkDeliverable(schema, sent) }
}

const examineWrapped = (schema: JsonObject, sent: string, value: Json | undefined): Examined | undefined => {
  const [field, ...others] = fieldsOf(schema).filter(it => it.required)
  if (!field || others.length > 0 || schemaTypeOf(schema, field.name) !== 'string' || sent.trim() === '') return undefined
  if (typeof value === 'object') return undefined
  const wrapped = { [field.name]: typeof value === 'string' ? value : sent }
  const verdict = checkValue(schema, wrapped)
  return verdict.pass ? { sent, text: JSON.stringify(wrapped), wrappedInto: field.name, value: wrapped, verdict } : undefined
}

/** Describes the wrapping for buyer and agent; undefined when nothing was wrapped. */
export const describeWrapping = ({ wrappedInto }: Examined): string | undefined =>
  wrappedInto === undefined ? undefined : `The plain text was put into the required member ${wrappedInto}.`

/** Levels of objects below which content is not looked for. */
const mostLevels = 32

/** Whether an object has members, and all of them are texts without characters, at any level. */
const isBlankObject = (value: JsonObject, levels = mostLevels): boolean => {
  const members = Object.values(value)
  const isBlank = (it: Json | undefined) =>
    typeof it === 'string' ? it.trim() === '' : isObject(it) && levels > 0 && isBlankObject(it, levels - 1)
  return members.length > 0 && members.every(isBlank)
}

/**
 * Whether a deliverable has no content: no characters, or JSON without values or with empty texts alone. A list may be empty
 * where a schema describes it.
 */
export const isEmptyDeliverable = (schema: JsonObject, { text, value }: Examined): boolean => {
  if (text.trim() === '') return true
  if (Array.isArray(value)) return value.length === 0 && Object.keys(schema).length === 0
  if (isObject(value)) return Object.keys(value).length === 0 || isBlankObject(value)
  return value === null || (typeof value === 'string' && value.trim() === '')
}

export const isInputAgain = (input: string, { text, value }: Examined): boolean => {
  if (text.trim() === input.trim()) return true
  const sent = parseJson(input)
  if (!isObject(sent) || !isObject(value)) return false
  // The order of members does not change the length, and writing them in order takes long.
  return JSON.stringify(sent).length === JSON.stringify(value).length && canonical(sent) === canonical(value)
}

const quotedChars = 300
/** Maximum number of members named in one sentence. */
const namedFields = 2

/**
 * Why a deliverable does not satisfy its schema, for people. The agent's own member `error` replaces our text (specification,
 * Errors).
 */
export const describeFault = (schema: JsonObject, { value, verdict }: Examined): string => {
  if (isTooCostly(verdict)) return 'The deliverable has too many values to be checked by its schema.'
  if (value === undefined) return 'The deliverable is not JSON.'
  if (!isObject(value)) return 'The deliverable is not what the deliverable schema asks for.'
  const said = typeof value.error === 'string' ? toQuotable(value.error, quotedChars) : ''
  return said ? `The agent says: “${said}”.` : describeMembers(schema, value, verdict)
}

const describeMembers = (schema: JsonObject, value: JsonObject, { wrong }: Verdict): string => {
  const required = fieldsOf(schema).flatMap(it => (it.required ? it.name : []))
  const missing = required.filter(name => !Object.hasOwn(value, name))
  if (missing.length > 0) return `It lacks ${toList(missing)}.`
  return wrong.length > 0
    ? `Its value of ${toList(wrong)} is not what the deliverable schema asks for.`
    : 'The deliverable is not what the deliverable schema asks for.'
}

const toList = (names: readonly string[]): string => {
  const shown = names.slice(0, namedFields).map(it => toQuotable(it, 40))
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(' and ')
}

/** The reference that replaces a long deliverable in texts. */
export const toDeliverableReference = (runId: string): string => `[deliverable: GET /runs/${runId}]`

/** Replaces a long deliverable in a text by its reference. */
export const quoteByReference = (text: string, of: { runId: string; deliverable: string | undefined }): string =>
  of.deliverable !== undefined && of.deliverable.length > limits.listedDeliverableChars
    ? text.replaceAll(of.deliverable, () => toDeliverableReference(of.runId))
    : text
