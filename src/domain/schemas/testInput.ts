import { isObject, type Json, type JsonObject, parseJson } from '../json.ts'
import { formatExample } from './formats.ts'
import { listOf } from './sampleValue.ts'

/** Whether an offering takes plain text: it has no requirement, or one without properties. */
export const takesPlainText = (requirement: JsonObject | null | undefined): boolean =>
  !isObject(requirement?.properties) || Object.keys(requirement.properties).length === 0

/** The input as sent to the provider: plain text where the offering takes it, otherwise JSON text. */
export const toInputText = (requirement: JsonObject | null | undefined, values: JsonObject): string =>
  takesPlainText(requirement) && typeof values.text === 'string' ? values.text : JSON.stringify(values)

/** The form of an offering. One that takes plain text has a single text. */
export const toForm = (requirement: JsonObject): JsonObject =>
  takesPlainText(requirement)
    ? {
        type: 'object',
        required: ['text'],
        properties: { text: { type: 'string', description: 'what it is to work on, in your words' } },
      }
    : requirement

/** Returns the JSON object in the description of an input, such as `for example {"city": "Tokyo"}`. */
export const sampleInputOf = (text: string): JsonObject | undefined => {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')]
  const value = from < 0 || to < from ? undefined : parseJson(text.slice(from, to + 1))
  return isObject(value) ? value : undefined
}

/** The members of an offering from which test inputs are made. */
export type Exampled = { name: string; jobInput: string; requirement: JsonObject; examples?: string[] | undefined }

/**
 * Inputs for a test job from the examples of an offering, the best first: the sample in the description of its input, the
 * examples of its schema, and one composed of the examples of its properties. They are not checked against the requirement.
 */
export const toExampleInputs = ({ name, jobInput, requirement, examples = [] }: Exampled): Json[] => {
  const request = examples[0] ?? name
  if (takesPlainText(requirement)) return [request]
  return [sampleInputOf(jobInput) ?? [], listOf(requirement.examples), compose(requirement, request)].flat()
}

/** Composes an input of the required properties. The example request is the value of a text without an example. */
const compose = ({ properties, required }: JsonObject, request: string): JsonObject => {
  const schemas = isObject(properties) ? properties : {}
  const values = listOf(required).flatMap(name => {
    const schema = schemas[String(name)]
    const value = isObject(schema)
      ? (exampleOf(schema) ?? (schema.type === 'string' ? textOf(schema, request) : undefined))
      : undefined
    return value === undefined ? [] : [[String(name), value] as const]
  })
  return Object.fromEntries(values)
}

const textOf = ({ format }: JsonObject, request: string) => (typeof format === 'string' && formatExample(format)) || request

const exampleOf = ({ examples, default: usual, const: only, enum: choices }: JsonObject): Json | undefined =>
  [...listOf(examples), usual, only, ...listOf(choices)].find(it => it !== undefined)
