import { z } from 'zod'
import { isObject, type Json, type JsonObject, jsonObject, parseJson } from '../domain/json.ts'
import { parseOrFault } from '../domain/schemas/inputFaults.ts'
import type { AgentInput } from './input.ts'

/** A requirement or deliverable as an author writes it: a JSON schema, or a zod schema. It becomes a JSON schema. */
export const writtenSchema = z
  .union([z.instanceof(z.ZodType), jsonObject])
  .default({})
  .transform(it => (it instanceof z.ZodType ? toJsonSchema(it) : it))

const toJsonSchema = (schema: z.ZodType): JsonObject => {
  const { $schema: _dialect, ...written } = z.toJSONSchema(schema, { io: 'input' })
  return jsonObject.parse(JSON.parse(JSON.stringify(written)))
}

/**
 * Returns an input in the type of a schema. A text is the value of the only field that a schema requires.
 * @throws Error that names the members that do not fit
 */
export const readTyped = <T>(schema: z.ZodType<T>, { text, topic }: AgentInput): T => {
  const parsed = parseJson(text)
  const result = parseOrFault(schema, isObject(parsed) ? parsed : toFields(schema, topic ?? text))
  if ('fault' in result) throw new Error(`The input does not fit. ${result.fault.words}`)
  return result.data
}

const named = z.object({ required: z.array(z.string()).catch([]) })
const toFields = (schema: z.ZodType, text: string): Json => {
  const written = toJsonSchema(schema)
  const [name, ...more] = named.parse(written).required
  return written.type === 'object' && name !== undefined && more.length === 0 ? { [name]: text } : text
}
