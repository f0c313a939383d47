import { Validator } from '@cfworker/json-schema'
import { isObject, type Json, type JsonObject } from './json.ts'
import { limits } from './limits.ts'
import { Problem } from './problem.ts'

const forceful = new Set(['type', 'required', 'properties', 'items', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength'])
for (const more of ['minItems', 'maxItems', 'additionalProperties']) forceful.add(more)
const notes = new Set(['title', 'description', 'default', 'examples', 'example', 'format', '$schema'])

/**
 * Accepts the schemas that the specification describes and refuses the rest loudly: a rule that is ignored would let a
 * bad deliverable be paid, and a pattern or reference of a stranger would cost unbounded time.
 * @throws Problem schema-unsupported, schema-too-large; the pointer says where
 */
export const checkSchema = (schema: JsonObject, pointer = ''): void => {
  if (JSON.stringify(schema).length > limits.schemaBytes) throw new Problem('schema-too-large', undefined, pointer)
  const nodes = { left: limits.schemaNodes }
  walk(schema, pointer, { depth: 0, nodes })
}

type Walk = { depth: number; nodes: { left: number } }

const walk = (schema: unknown, pointer: string, { depth, nodes }: Walk): void => {
  if (!isObject(schema)) throw new Problem('schema-unsupported', 'A schema must be an object.', pointer)
  nodes.left -= 1
  if (depth > limits.schemaDepth || nodes.left < 0)
    throw new Problem('schema-too-large', 'The schema is too deep or has too many parts.', pointer)
  for (const keyword of Object.keys(schema)) {
    if (!forceful.has(keyword) && !notes.has(keyword))
      throw new Problem(
        'schema-unsupported',
        `The keyword ${keyword.slice(0, 40)} is not supported.`,
        `${pointer}/${keyword.slice(0, 40)}`,
      )
  }
  if (Array.isArray(schema.enum) && schema.enum.length > limits.schemaProperties)
    throw new Problem('schema-too-large', 'The enum is too long.', `${pointer}/enum`)
  const inside: [string, unknown][] = isObject(schema.properties) ? Object.entries(schema.properties) : []
  if (inside.length > limits.schemaProperties)
    throw new Problem('schema-too-large', 'Too many properties.', `${pointer}/properties`)
  for (const [name, child] of inside) walk(child, `${pointer}/properties/${name}`, { depth: depth + 1, nodes })
  if (schema.items !== undefined) walk(schema.items, `${pointer}/items`, { depth: depth + 1, nodes })
}

export type Verdict = { pass: boolean; errors: string[] }

/** Whether a value satisfies a schema, interpreted, never compiled. */
export const checkValue = (schema: JsonObject, value: Json): Verdict => {
  const { valid, errors } = new Validator(schema, '2020-12', false).validate(value)
  const said = errors.filter(it => it.keyword !== 'properties' && it.keyword !== 'items')
  return { pass: valid, errors: said.slice(0, 10).map(it => `${it.instanceLocation}: ${it.error}`.slice(0, 300)) }
}

/** A deliverable is one string; a schema that asks for something is asked of the JSON in it. */
export const checkDeliverable = (schema: JsonObject, deliverable: string): Verdict => {
  if (Object.keys(schema).length === 0)
    return { pass: deliverable.length > 0, errors: deliverable ? [] : ['The deliverable is empty.'] }
  try {
    return checkValue(schema, JSON.parse(deliverable))
  } catch {
    return { pass: false, errors: ['The deliverable is not JSON.'] }
  }
}

/** A property that the requirement asks for, in the words of its schema. */
export type Field = { name: string; type: string; description: string; required: boolean }

/** The fields of an object schema, required ones first. */
export const fieldsOf = (schema: JsonObject): Field[] => {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const fields = Object.entries(properties).map(([name, it]) => ({
    name,
    type: isObject(it) && typeof it.type === 'string' ? it.type : 'string',
    description: isObject(it) && typeof it.description === 'string' ? it.description : '',
    required: required.includes(name),
  }))
  return fields.sort((a, b) => Number(b.required) - Number(a.required))
}
