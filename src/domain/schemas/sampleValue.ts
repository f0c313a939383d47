import { isObject, type Json, type JsonObject } from '../json.ts'
import { formatExample } from './formats.ts'
import { checkValue } from './schema.ts'

/** Values that one sample may have, and the length of its longest text. A sample is read by people and sent in headers. */
const sampleValues = 100
const sampleChars = 500
/**
 * All validations for one sample together, as the sum of schema characters times value characters: about 0.2 s for the worst
 * schema that a stranger can register, and a few ms for a usual one.
 */
const sampleCost = 5_000_000

type Left = { values: number; cost: number }

/**
 * Makes a value that satisfies a schema, from its examples, defaults and choices where it has them. Only required members are
 * filled. Undefined for a schema that no short value satisfies, or none that is found.
 * @param preferred values that are taken first, where they satisfy the schema
 */
export const toSampleValue = (schema: JsonObject, preferred: Json[] = []): Json | undefined => {
  const left = { values: sampleValues, cost: sampleCost }
  const known = preferred.find(it => fits(schema, it, left))
  if (known !== undefined) return known
  const made = make(schema, left)
  return made !== undefined && fits(schema, made, left) ? made : undefined
}

const fits = (schema: JsonObject, value: Json, left: Left): boolean => {
  left.cost -= JSON.stringify(schema).length * JSON.stringify(value).length
  return left.cost >= 0 && checkValue(schema, value).pass
}

const make = (schema: JsonObject, left: Left): Json | undefined => {
  left.values -= 1
  if (left.values < 0) return undefined
  const named = namedBy(schema).find(it => fits(schema, it, left))
  if (named !== undefined) return named
  if (schema.allOf !== undefined) return make(withAll(schema), left)
  const branches = [...schemasOf(schema.anyOf), ...schemasOf(schema.oneOf)]
  if (branches.length === 0) return makeTyped(schema, left)
  return branches.reduce<Json | undefined>((found, branch) => found ?? makeWith(schema, branch, left), undefined)
}

const makeWith = (schema: JsonObject, branch: JsonObject, left: Left): Json | undefined => {
  const { anyOf, oneOf, ...base } = schema
  const value = make(merged(base, branch), left)
  return value !== undefined && fits(schema, value, left) ? value : undefined
}

const withAll = ({ allOf, ...base }: JsonObject): JsonObject => schemasOf(allOf).reduce(merged, base)

/** Both schemas in one. Where both have the same rule, the one of `more` counts. */
const merged = (base: JsonObject, more: JsonObject): JsonObject => ({
  ...base,
  ...more,
  properties: { ...membersOf(base.properties), ...membersOf(more.properties) },
  required: [...listOf(base.required), ...listOf(more.required)],
})

const namedBy = ({ examples, example, default: usual, const: only, enum: choices }: JsonObject): Json[] =>
  [...listOf(examples), example, usual, only, ...listOf(choices)].filter(it => it !== undefined)

const makeTyped = (schema: JsonObject, left: Left): Json | undefined => {
  const type = typeOf(schema)
  if (type === 'object') return makeObject(schema, left)
  if (type === 'array') return makeList(schema, left)
  if (type === 'number' || type === 'integer') return makeNumber(schema, type === 'integer')
  if (type === 'boolean') return true
  return type === 'null' ? null : makeText(schema)
}

const typeOf = ({ type, properties, required, items }: JsonObject): Json => {
  const named = [type ?? []].flat().find(it => it !== 'null') ?? type
  if (typeof named === 'string') return named
  if (Object.keys(membersOf(properties)).length > 0 || listOf(required).length > 0) return 'object'
  return items === undefined ? 'string' : 'array'
}

const makeObject = ({ properties, required, additionalProperties }: JsonObject, left: Left): Json | undefined => {
  const schemas = membersOf(properties)
  const others = isObject(additionalProperties) ? additionalProperties : {}
  const members: [string, Json][] = []
  for (const name of new Set(listOf(required).map(String))) {
    const of = Object.hasOwn(schemas, name) ? schemas[name] : others
    const value = make(isObject(of) ? of : {}, left)
    if (value === undefined) return undefined
    members.push([name, value])
  }
  return Object.fromEntries(members)
}

const makeList = ({ items, minItems, maxItems }: JsonObject, left: Left): Json | undefined => {
  const length = Math.min(Math.max(toNumber(minItems) ?? 1, 1), toNumber(maxItems) ?? sampleValues)
  if (length > left.values) return toNumber(minItems) ? undefined : []
  const values = Array.from({ length }, () => make(isObject(items) ? items : {}, left))
  const made = values.filter(it => it !== undefined)
  return made.length === length ? made : undefined
}

const makeNumber = (schema: JsonObject, isWhole: boolean): number => {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = numbersOf(schema)
  const [from, to] = [Math.max(minimum, exclusiveMinimum), Math.min(maximum, exclusiveMaximum)]
  const near = [1, from, Math.ceil(from), Math.floor(from) + 1, (from + to) / 2, to, Math.floor(to), Math.ceil(to) - 1]
  const isWithin = (it: number) =>
    Number.isFinite(it) &&
    (!isWhole || Number.isInteger(it)) &&
    it >= minimum &&
    it <= maximum &&
    it > exclusiveMinimum &&
    it < exclusiveMaximum
  return near.find(isWithin) ?? 1
}

const numbersOf = (schema: JsonObject): Record<string, number> =>
  Object.fromEntries(Object.entries(schema).filter((it): it is [string, number] => typeof it[1] === 'number'))

const makeText = ({ format, minLength, maxLength }: JsonObject): string | undefined => {
  const least = toNumber(minLength) ?? 0
  if (least > sampleChars) return undefined
  const usual = (typeof format === 'string' && formatExample(format)) || 'text'
  return usual.padEnd(least, ' text').slice(0, toNumber(maxLength) ?? sampleChars)
}

const toNumber = (it: Json | undefined): number | undefined => (typeof it === 'number' ? it : undefined)
/** The items of a list; none of anything else. */
export const listOf = (it: Json | undefined): Json[] => (Array.isArray(it) ? it : [])
const membersOf = (it: Json | undefined): JsonObject => (isObject(it) ? it : {})
const schemasOf = (it: Json | undefined): JsonObject[] => listOf(it).flatMap(each => (isObject(each) ? [each] : []))
