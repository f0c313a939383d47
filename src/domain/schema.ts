import { Validator } from '@cfworker/json-schema'
import { z } from 'zod'
import { parseOrFault } from './inputFaults.ts'
import { isObject, isShallow, isWithinNumbers, type Json, type JsonObject } from './json.ts'
import { limits } from './limits.ts'
import { Problem } from './problem.ts'
import { forcefulKeywords, notingKeywords, referringKeywords, schemaTypes } from './schemaKeywords.ts'

const kind = z.enum(schemaTypes)
const count = z.number().int().min(0)
const branches = z.array(z.unknown()).min(1).max(limits.schemaProperties).optional()
const branching = ['anyOf', 'oneOf', 'allOf'] as const

/**
 * The enforced keywords and their valid values. Any other value would be a rule that is not enforced, or an unchecked schema.
 */
const rules = z.object({
  type: kind.or(z.array(kind).min(1).max(kind.options.length)).optional(),
  required: z.array(z.string()).max(limits.schemaProperties).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.boolean().or(z.record(z.string(), z.unknown())).optional(),
  enum: z
    .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .max(limits.schemaProperties)
    .optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
  minItems: count.optional(),
  maxItems: count.optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  const: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
  anyOf: branches,
  oneOf: branches,
  allOf: branches,
} satisfies Record<(typeof forcefulKeywords)[number], z.ZodType>)
const forceful = new Set<string>(rules.keyof().options)
const notes = new Set<string>(notingKeywords)

/**
 * Accepts the schemas that the specification describes and refuses all others. An ignored rule would let a bad deliverable be
 * paid, and a stranger's pattern or reference could take unbounded time.
 * @throws Problem schema-unsupported, schema-too-large, with a pointer
 */
export const checkSchema = (schema: JsonObject, pointer = ''): void => {
  if (!isShallow(schema) || JSON.stringify(schema).length > limits.schemaBytes)
    throw new Problem('schema-too-large', undefined, pointer)
  walk(schema, pointer, { depth: 0, nodes: { left: limits.schemaNodes } })
}

type Walk = { depth: number; nodes: { left: number } }

const walk = (schema: unknown, pointer: string, { depth, nodes }: Walk): void => {
  if (!isObject(schema)) throw new Problem('schema-unsupported', 'A schema must be an object.', pointer)
  nodes.left -= 1
  if (depth > limits.schemaDepth || nodes.left < 0)
    throw new Problem('schema-too-large', 'The schema is too deep or has too many parts.', pointer)
  checkKeywords(schema, pointer)
  const inside = isObject(schema.properties) ? Object.entries(schema.properties) : []
  if (inside.length > limits.schemaProperties)
    throw new Problem('schema-too-large', 'Too many properties.', `${pointer}/properties`)
  for (const [name, child] of inside) walk(child, `${pointer}/properties/${name}`, { depth: depth + 1, nodes })
  for (const name of ['items', 'additionalProperties'])
    if (schema[name] !== undefined && typeof schema[name] !== 'boolean')
      walk(schema[name], `${pointer}/${name}`, { depth: depth + 1, nodes })
  for (const name of branching)
    for (const [at, child] of branchesOf(schema, name).entries())
      walk(child, `${pointer}/${name}/${at}`, { depth: depth + 1, nodes })
}

const branchesOf = (schema: Record<string, unknown>, name: string): unknown[] => {
  const inside = schema[name]
  return Array.isArray(inside) ? inside : []
}

const checkKeywords = (schema: Record<string, unknown>, pointer: string): void => {
  const strange = Object.keys(schema)
    .find(keyword => !forceful.has(keyword) && !notes.has(keyword))
    ?.slice(0, 40)
  if (strange !== undefined)
    throw new Problem('schema-unsupported', `The keyword ${strange} is not supported. ${supported}`, `${pointer}/${strange}`)
  const parsed = parseOrFault(rules, schema)
  if ('data' in parsed) return
  const { pointer: at, words, isTooBig } = parsed.fault
  throw new Problem(isTooBig ? 'schema-too-large' : 'schema-unsupported', words.slice(0, 300), `${pointer}${at.slice(0, 100)}`)
}

const supported = `Supported are ${[...forcefulKeywords, ...notingKeywords, ...referringKeywords].join(', ')}.`

const maxErrors = 10

export type Verdict = { pass: boolean; errors: string[] }

/**
 * Validates a value by a schema, interpreted and never compiled. The errors name every wrong property of an object once, with
 * its first fault.
 */
export const checkValue = (schema: JsonObject, value: Json): Verdict => {
  if (!isShallow(value)) return { pass: false, errors: [`#: Nested more than ${limits.jsonDepth} levels deep.`] }
  if (!isWithinNumbers(value)) return { pass: false, errors: ['#: A number is too large.'] }
  const whole = toRules(schema)
  const first = firstFaults(whole, value)
  if (first.length === 0) return { pass: true, errors: [] }
  const each = Object.keys(propertiesOf(whole)).flatMap(name => firstFaults(ruleOf(whole, name), value))
  return { pass: false, errors: [...new Set([...first, ...each])].slice(0, maxErrors) }
}

/** Whether a property's value satisfies its schema, apart from all other properties. */
export const isFitting = (schema: JsonObject, name: string, value: Json): boolean =>
  checkValue(ruleOf(schema, name), { [name]: value }).pass

const propertiesOf = (schema: JsonObject): JsonObject => (isObject(schema.properties) ? schema.properties : {})

const ruleOf = (schema: JsonObject, name: string): JsonObject => {
  const properties = propertiesOf(schema)
  return Object.hasOwn(properties, name) ? { properties: { [name]: properties[name] ?? {} } } : {}
}

/** Keywords whose errors only repeat an error inside them. */
const containing = new Set(['properties', 'items', 'additionalProperties', 'allOf'])

const firstFaults = (schema: JsonObject, value: Json): string[] => {
  try {
    const { errors } = new Validator(schema, '2020-12').validate(value)
    const said = errors.filter(it => !containing.has(it.keyword))
    return said.slice(0, maxErrors).map(it => `${it.instanceLocation}: ${it.error}`.slice(0, 300))
  } catch {
    // The interpreter throws on names that are not valid Unicode. That counts as an error of the value.
    return ['#: The value cannot be checked.']
  }
}

/** Removes annotations, because the interpreter would apply some of them, such as `format` with patterns that can hang. */
const toRules = (schema: JsonObject): JsonObject => {
  const kept = Object.entries(schema).filter(([keyword]) => forceful.has(keyword))
  const inner = Object.entries(propertiesOf(schema)).map(([name, it]) => [name, isObject(it) ? toRules(it) : {}])
  return {
    ...Object.fromEntries(kept),
    ...(isObject(schema.properties) && { properties: Object.fromEntries(inner) }),
    ...(isObject(schema.items) && { items: toRules(schema.items) }),
    ...(isObject(schema.additionalProperties) && { additionalProperties: toRules(schema.additionalProperties) }),
    ...Object.fromEntries(branching.flatMap(name => toBranches(schema, name))),
  }
}

const toBranches = (schema: JsonObject, name: string): [string, Json[]][] => {
  const inside = schema[name]
  return Array.isArray(inside) ? [[name, inside.map(it => (isObject(it) ? toRules(it) : {}))]] : []
}

/** Validates a deliverable, which is a string. A schema with requirements applies to the JSON in it. */
export const checkDeliverable = (schema: JsonObject, deliverable: string): Verdict => {
  if (Object.keys(schema).length === 0)
    return { pass: deliverable.length > 0, errors: deliverable ? [] : ['The deliverable is empty.'] }
  let value: Json
  try {
    value = JSON.parse(deliverable)
  } catch {
    return { pass: false, errors: ['The deliverable is not JSON.'] }
  }
  return checkValue(schema, value)
}

/** The only type of a property besides null; undefined for none or several. */
export const schemaTypeOf = (schema: JsonObject, name: string): string | undefined => {
  const properties = propertiesOf(schema)
  const it = Object.hasOwn(properties, name) ? properties[name] : undefined
  return typeOf(it)
}

/** A nullable type counts as its other type. */
const typeOf = (it: unknown): string | undefined => {
  const [type, ...others] = isObject(it) ? [it.type ?? []].flat().filter(name => name !== 'null') : []
  return typeof type === 'string' && others.length === 0 ? type : undefined
}

/** A property of a requirement, described by its schema. */
export type Field = { name: string; type: string; description: string; required: boolean }

/**
 * The fields of an object schema, including required ones without a description. Required ones come first, in the order of
 * `required`, because stored schemas keep the order of lists but not of members.
 */
export const fieldsOf = (schema: JsonObject): Field[] => {
  const properties = propertiesOf(schema)
  const required = Array.isArray(schema.required) ? schema.required.filter(it => typeof it === 'string') : []
  const names = new Set([...Object.keys(properties), ...required])
  const fields = [...names].map(name => {
    const it = Object.hasOwn(properties, name) ? properties[name] : undefined
    return {
      name,
      type: typeOf(it) ?? 'string',
      description: isObject(it) && typeof it.description === 'string' ? it.description : '',
      required: required.includes(name),
    }
  })
  const placeOf = (field: Field) => (field.required ? required.indexOf(field.name) : required.length)
  return fields.sort((a, b) => placeOf(a) - placeOf(b))
}

/** Whether the schema describes a property of this name. */
export const isDescribed = (schema: JsonObject, name: string): boolean => Object.hasOwn(propertiesOf(schema), name)

/** The allowed values of a property; empty when any value is allowed. */
export const choicesOf = (schema: JsonObject, name: string): Json[] => {
  const properties = propertiesOf(schema)
  const it = Object.hasOwn(properties, name) ? properties[name] : undefined
  return isObject(it) && Array.isArray(it.enum) ? it.enum : []
}
