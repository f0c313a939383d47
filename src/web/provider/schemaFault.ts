import { isObject } from '../../domain/objects.ts'
import { forcefulKeywords, notingKeywords, referringKeywords, schemaTypes } from '../../domain/schemas/schemaKeywords.ts'
import type { Schema } from '../client/shapes.ts'
import { t } from '../client/words.ts'

const allowed = new Set<string>([...forcefulKeywords, ...notingKeywords, ...referringKeywords])
const types = new Set<string>(schemaTypes)

/** Returns the first reason why the service would refuse a schema, judged by its keywords and types; otherwise undefined. */
const faultIn = (schema: unknown, place: string[]): string | undefined => {
  const at = { place: place.length > 0 ? ` (${place.join(' › ')})` : '' }
  if (!isObject(schema)) return t('A schema is a JSON object{place}.', at)
  const strange = Object.keys(schema).find(keyword => !allowed.has(keyword))
  if (strange !== undefined)
    return t('“{name}” is not supported{place}. You may use {names}.', {
      ...at,
      name: strange,
      names: forcefulKeywords.join(', '),
    })
  const wrong = [schema.type ?? []].flat().find(it => !types.has(String(it)))
  if (wrong !== undefined)
    return t('“{name}” is no type{place}. Types are {names}.', { ...at, name: String(wrong), names: schemaTypes.join(', ') })
  const required = schema.required ?? []
  if (!Array.isArray(required) || required.some(it => typeof it !== 'string'))
    return t('“required” is a list of names{place}.', at)
  if (schema.properties !== undefined && !isObject(schema.properties)) return t('“properties” is an object{place}.', at)
  const inside = Object.entries(isObject(schema.properties) ? schema.properties : {})
  const inner = [...inside, ...(schema.items === undefined ? [] : [['items', schema.items] as const])]
  for (const [name, it] of inner) {
    const fault = faultIn(it, [...place, name])
    if (fault) return fault
  }
  return undefined
}

export type Read = { schema: Schema; fault?: string | undefined }

/** Parses a schema and checks it as far as possible in the browser. The service checks it completely. */
export const readSchema = (text: string): Read => {
  if (!text.trim()) return { schema: {} }
  try {
    const schema: unknown = JSON.parse(text)
    const fault = faultIn(schema, [])
    // A schema with a fault is neither displayed nor sent.
    return fault || !isObject(schema) ? { schema: {}, fault } : { schema }
  } catch (error) {
    return { schema: {}, fault: t('This is not JSON: {why}', { why: error instanceof Error ? error.message : '' }) }
  }
}
