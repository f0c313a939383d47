import { isObject, type Json, type JsonObject } from '../../domain/json.ts'

/**
 * Returns a part of an OpenAPI document with its local references resolved and without OpenAPI's own keywords.
 * @throws Error for a reference to another document, or to itself
 */
export const withReferences = (part: JsonObject, root: JsonObject): JsonObject => {
  const resolved = resolve(part, root, [])
  if (!isObject(resolved)) throw new Error('A reference leads to nothing.')
  return resolved
}

const maxLevels = 32

const resolve = (part: Json, root: JsonObject, open: string[]): Json => {
  if (open.length > maxLevels) throw new Error('The document is nested too deeply.')
  if (Array.isArray(part)) return part.map(it => resolve(it, root, open))
  if (!isObject(part)) return part
  const { $ref: ref, ...beside } = part
  if (typeof ref === 'string') {
    if (open.includes(ref)) throw new Error(`${ref} contains itself.`)
    const target = resolve(targetOf(ref, root), root, [...open, ref])
    return isObject(target) ? { ...target, ...beside } : target
  }
  return toJsonSchema(Object.fromEntries(Object.entries(part).map(([name, it]) => [name, resolve(it, root, open)])))
}

const targetOf = (ref: string, root: JsonObject): Json => {
  if (!ref.startsWith('#/')) throw new Error(`Only references inside the document are followed, not ${ref}.`)
  const path = ref
    .slice(2)
    .split('/')
    .map(it => decodeURIComponent(it).replaceAll('~1', '/').replaceAll('~0', '~'))
  return path.reduce<Json>((at, name) => {
    const next = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
    if (next === undefined) throw new Error(`${ref} leads to nothing.`)
    return next
  }, root)
}

/** OpenAPI 3.0 has `nullable` where JSON Schema lists the type null. */
const toJsonSchema = ({ nullable, ...rest }: JsonObject): JsonObject =>
  nullable === true && typeof rest.type === 'string' ? { ...rest, type: [rest.type, 'null'] } : rest
