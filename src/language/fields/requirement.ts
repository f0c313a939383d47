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
  fits(value: Json): boolean
}

const toSchema = (properties: Json | undefined, name: string): JsonObject =>
  jsonObject.catch({}).parse(new Map(Object.entries(jsonObject.catch({}).parse(properties))).get(name))

/** Returns the inputs of a requirement, required ones first. The list is empty unless the schema describes an object. */
export const toProperties = (requirement: JsonObject): Property[] =>
  fieldsOf(requirement).map(field => {
    const schema = toSchema(requirement.properties, field.name)
    // The schema is checked under a fixed property name, so that a stranger's property name is never part of a path.
    const rule = { type: 'object', properties: { value: schema } }
    return {
      ...field,
      format: typeof schema.format === 'string' ? schema.format : '',
      pattern: typeof schema.pattern === 'string' ? schema.pattern : '',
      allowed: Array.isArray(schema.enum) ? schema.enum : [],
      allowedItems: isObject(schema.items) && Array.isArray(schema.items.enum) ? schema.items.enum : [],
      itemFormat: isObject(schema.items) && typeof schema.items.format === 'string' ? schema.items.format : '',
      fits: value => checkInput(rule, { value }).pass,
    }
  })

/** Parses JSON; returns a text that is not JSON unchanged. */
export const readJson = (text: string): Json => {
  try {
    return json.parse(JSON.parse(text))
  } catch {
    return text
  }
}
