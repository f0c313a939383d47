import { isObject, type Json, type JsonObject } from '../../domain/json.ts'

/** Levels and parts of one schema after its references are followed. The market takes 256 parts of a schema. */
const maxLevels = 256
const maxParts = 20_000
/** Parts of all schemas of one document, which bounds the time of a document with many operations. */
const maxPartsOfAll = 1_000_000

const seenParts = new WeakMap<JsonObject, number>()

/**
 * Returns a part of an OpenAPI document with its local references resolved and without OpenAPI's own keywords. References to
 * references can double a part at each level, so the parts are counted.
 * @throws Error for a reference to another document or to itself, and for too many parts
 */
export const withReferences = (part: JsonObject, root: JsonObject): JsonObject => {
  const before = seenParts.get(root) ?? 0
  const left = { parts: Math.min(maxParts, maxPartsOfAll - before) }
  const given = left.parts
  try {
    const resolved = resolve(part, { root, open: [], levels: maxLevels, left })
    if (!isObject(resolved)) throw new Error('A reference leads to nothing.')
    return resolved
  } finally {
    seenParts.set(root, before + given - left.parts)
  }
}

type At = { root: JsonObject; open: string[]; levels: number; left: { parts: number } }

const resolve = (part: Json, at: At): Json => {
  at.left.parts -= 1
  if (at.levels < 0) throw new Error('The document is nested too deeply.')
  if (at.left.parts < 0) throw new Error('The schema has too many parts once its references are followed.')
  const inside = { ...at, levels: at.levels - 1 }
  if (Array.isArray(part)) return part.map(it => resolve(it, inside))
  if (!isObject(part)) return part
  const { $ref: ref, ...beside } = part
  if (typeof ref === 'string') {
    if (at.open.includes(ref)) throw new Error(`${ref} contains itself.`)
    const target = resolve(targetOf(ref, at.root), { ...inside, open: [...at.open, ref] })
    return isObject(target) ? { ...target, ...beside } : target
  }
  return toJsonSchema(Object.fromEntries(Object.entries(part).map(([name, it]) => [name, resolve(it, inside)])))
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
