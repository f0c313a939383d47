import { isObject, type Json, type JsonObject, json, jsonObject } from '../../domain/json.ts'
import { checkInput } from '../../domain/schemas/inputCheck.ts'
import { type Field, fieldsOf } from '../../domain/schemas/schema.ts'

/** An input of an offering. `fits` says whether its schema allows a value. */
export type Property = Field & {
  format: string
  /** A regular expression that a text matches; empty without one. */
  pattern: string
  /** Allowed values; empty if any value is allowed. */
  allowed: Json[]
  /** Allowed items of a list; empty if any item is allowed. */
  allowedItems: Json[]
  /** The format of the items of a list. */
  itemFormat: string
  /** The property names from the input down to this one. */
  path: readonly string[]
  /** The members of each item, for a list of objects. */
  members: readonly Property[]
  fits(value: Json): boolean
}

const toSchema = (properties: Json | undefined, name: string): JsonObject =>
  jsonObject.catch({}).parse(new Map(Object.entries(jsonObject.catch({}).parse(properties))).get(name))

/** Leaves of one requirement that are read, and how deep they may lie. Deeper values are asked for as a whole. */
const most = { leaves: 64, depth: 4 }

const toProperty = (field: Field, schema: JsonObject, above: readonly string[]): Property => {
  // The schema is checked under a fixed property name, so that a stranger's property name is never part of a path.
  const rule = { type: 'object', properties: { value: schema } }
  const path = [...above, field.name]
  const items = isObject(schema.items) ? jsonObject.parse(schema.items) : {}
  return {
    ...field,
    name: path.join('.'),
    path,
    format: typeof schema.format === 'string' ? schema.format : '',
    pattern: typeof schema.pattern === 'string' ? schema.pattern : '',
    allowed: Array.isArray(schema.enum) ? schema.enum : [],
    allowedItems: Array.isArray(items.enum) ? items.enum : [],
    itemFormat: typeof items.format === 'string' ? items.format : '',
    members: field.type === 'array' && above.length < most.depth ? toLeaves(items) : [],
    fits: value => checkInput(rule, { value }).pass,
  }
}

/** Returns the inputs of a requirement, required ones first. The list is empty unless the schema describes an object. */
export const toProperties = (requirement: JsonObject): readonly Property[] => {
  const properties =
    known.get(requirement) ??
    fieldsOf(requirement).map(field => toProperty(field, toSchema(requirement.properties, field.name), []))
  known.set(requirement, properties)
  return properties
}

/** A requirement is compared many times in a turn, and never changed. */
const known = new WeakMap<JsonObject, readonly Property[]>()

const leavesIn = (requirement: JsonObject, above: readonly string[]): Property[] =>
  fieldsOf(requirement).flatMap(field => {
    const schema = toSchema(requirement.properties, field.name)
    const inside = field.type === 'object' && above.length < most.depth ? leavesIn(schema, [...above, field.name]) : []
    // A member of an optional object is optional, too: the object never holds up a hire.
    return inside.length > 0
      ? inside.map(it => ({ ...it, required: it.required && field.required }))
      : [toProperty(field, schema, above)]
  })

/** Returns the leaves of a requirement: its inputs, and of an input that is an object its members. */
export const toLeaves = (requirement: JsonObject): Property[] => leavesIn(requirement, []).slice(0, most.leaves)

/** The value of a leaf within an input; undefined when it has none. */
export const valueAt = (input: Json | undefined, path: readonly string[]): Json | undefined => {
  const [name, ...rest] = path
  if (name === undefined) return input
  return isObject(input) && Object.hasOwn(input, name) ? valueAt(jsonObject.parse(input)[name], rest) : undefined
}

type Valued = { path: readonly string[]; value: Json }
/** Builds an input from the values of its leaves, in their order. */
export const toInput = (leaves: readonly Valued[]): JsonObject => {
  const names = [...new Set(leaves.map(it => it.path[0] ?? ''))]
  return Object.fromEntries(
    names.map(name => {
      const under = leaves.flatMap(it => (it.path[0] === name ? [{ ...it, path: it.path.slice(1) }] : []))
      const whole = under.find(it => it.path.length === 0)
      return [name, whole ? whole.value : toInput(under)]
    }),
  )
}

/** Parses JSON; returns a text that is not JSON unchanged. */
export const readJson = (text: string): Json => {
  try {
    return json.parse(JSON.parse(text))
  } catch {
    return text
  }
}
