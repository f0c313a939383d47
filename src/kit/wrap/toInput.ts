import { isObject, type JsonObject, parseJson } from '../../domain/json.ts'
import { checkValue, fieldsOf, schemaTypeOf } from '../../domain/schemas/schema.ts'
import type { AgentInput } from '../input.ts'

/**
 * Converts a job's input of any form to an object. Plain text becomes the only required member, or the only member, if that is
 * a text.
 * @throws Error that says what is missing
 */
export const toInput = (requirement: JsonObject, input: AgentInput): JsonObject => {
  const value = isObject(parseJson(input.text)) ? input.fields : fromText(requirement, input)
  const { pass, errors } = checkValue(requirement, value)
  if (!pass) throw new Error(`The input does not fit: ${errors.join(' ')}`)
  return value
}

const fromText = (requirement: JsonObject, { text, topic }: AgentInput): JsonObject => {
  const fields = fieldsOf(requirement)
  const required = fields.filter(it => it.required)
  const [field, ...others] = required.length > 0 ? required : fields
  if (!field || others.length > 0 || schemaTypeOf(requirement, field.name) !== 'string') return {}
  return { [field.name]: topic ?? text }
}
