import { isObject, type Json, type JsonObject, json, jsonObject } from '../domain/json.ts'
import { checkValue, type Field, fieldsOf } from '../domain/schema.ts'

/** One input that an offering asks for. `fits` says whether its schema allows a value. */
export type Property = Field & {
  format: string
  /** Allowed values; empty when any is allowed. */
  allowed: Json[]
  /** Of a list: what each item may be; empty when anything. */
  allowedItems: Json[]
  /** Of a list: the format of its items. */
  itemFormat: string
  fits(value: Json): boolean
}

const toSchema = (properties: Json | undefined, name: string): JsonObject =>
  jsonObject.catch({}).parse(new Map(Object.entries(jsonObject.catch({}).parse(properties))).get(name))

/** The inputs of a requirement, required ones first; none when it is no schema of an object. */
export const toProperties = (requirement: JsonObject): Property[] =>
  fieldsOf(requirement).map(field => {
    const schema = toSchema(requirement.properties, field.name)
    return {
      ...field,
      format: typeof schema.format === 'string' ? schema.format : '',
      allowed: Array.isArray(schema.enum) ? schema.enum : [],
      allowedItems: isObject(schema.items) && Array.isArray(schema.items.enum) ? schema.items.enum : [],
      itemFormat: isObject(schema.items) && typeof schema.items.format === 'string' ? schema.items.format : '',
      // Asked of an object around it, so that a foreign property name is never part of a path.
      fits: value => checkValue({ type: 'object', properties: { value: schema } }, { value }).pass,
    }
  })

/** A value as JSON; a text that is no JSON stays a text. */
export const readJson = (text: string): Json => {
  try {
    return json.parse(JSON.parse(text))
  } catch {
    return text
  }
}
