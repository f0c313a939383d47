import { isObject, isShallow, type Json, type JsonObject } from '../json.ts'
import { limits } from '../limits.ts'
import { Problem } from '../problem.ts'

/**
 * Resolves the references of a schema: `$ref` is replaced by its target under `$defs` or `definitions`. A choice between types
 * becomes one list of types, so that readers handle fewer forms. Schema generators write a reference for each class. A
 * recursive schema is refused.
 * @throws Problem schema-unsupported, schema-too-large
 */
export const withoutReferences = (schema: JsonObject, pointer = ''): JsonObject => {
  if (!isShallow(schema) || JSON.stringify(schema).length > limits.schemaBytes)
    throw new Problem('schema-too-large', undefined, pointer)
  return inline(schema, { root: schema, pointer, open: [], parts: { left: limits.schemaNodes * 4 } })
}

type At = { root: JsonObject; pointer: string; open: string[]; parts: { left: number } }

/** Members that contain data, in which nothing is a reference. */
const data = new Set(['default', 'examples', 'example', 'enum', 'const', 'required'])
const definitions = new Set(['$defs', 'definitions'])

const inline = (schema: JsonObject, at: At): JsonObject => {
  at.parts.left -= 1
  if (at.parts.left < 0) throw new Problem('schema-too-large', 'The schema has too many parts.', at.pointer)
  if ('$ref' in schema) return follow(schema, at)
  const members = Object.entries(schema).filter(([name]) => schema !== at.root || !definitions.has(name))
  return toTypeList(Object.fromEntries(members.map(([name, it]) => [name, inMember(name, it, below(at, name))])))
}

const below = (at: At, name: string | number): At => ({ ...at, pointer: `${at.pointer}/${name}` })

const inMember = (name: string, it: Json, at: At): Json => {
  if (data.has(name)) return it
  // Members of `properties` are property names, even when they look like keywords.
  if (name === 'properties' && isObject(it))
    return Object.fromEntries(Object.entries(it).map(([property, each]) => [property, inside(each, below(at, property))]))
  return inside(it, at)
}

const inside = (it: Json, at: At): Json => {
  if (Array.isArray(it)) return it.map((each, index) => inside(each, below(at, index)))
  return isObject(it) ? inline(it, at) : it
}

const follow = ({ $ref: ref, ...beside }: JsonObject, at: At): JsonObject => {
  const pointer = `${at.pointer}/$ref`
  const [, group, name] = typeof ref === 'string' ? (/^#\/(\$defs|definitions)\/([^/]+)$/.exec(ref) ?? []) : []
  const defined = group && name ? at.root[group] : undefined
  const target = isObject(defined) && name && Object.hasOwn(defined, name) ? defined[name] : undefined
  if (!isObject(target) || typeof ref !== 'string')
    throw new Problem(
      'schema-unsupported',
      'The keyword $ref may name a schema under $defs or definitions of the same schema.',
      pointer,
    )
  if (at.open.includes(ref)) throw new Problem('schema-unsupported', 'A schema must not refer to itself by $ref.', pointer)
  return { ...inline(target, { ...at, pointer, open: [...at.open, ref] }), ...beside }
}

/** Generators write optional values as `anyOf` of a type and null. */
const toTypeList = ({ anyOf, ...rest }: JsonObject): JsonObject => {
  if (anyOf === undefined) return rest
  const branches = Array.isArray(anyOf) ? anyOf : []
  const nullable =
    branches.length === 2 && branches.some(it => isObject(it) && it.type === 'null' && Object.keys(it).length === 1)
  const other = branches.find(it => isObject(it) && it.type !== 'null')
  if (
    !nullable ||
    !isObject(other) ||
    typeof other.type !== 'string' ||
    rest.type !== undefined ||
    'enum' in other ||
    'const' in other
  )
    return { ...rest, anyOf }
  return { ...other, ...rest, type: [other.type, 'null'] }
}
