import { isObject, type Json, type JsonObject } from '../json.ts'
import { type Branching, type Keywords, keywords } from './schemaRules.ts'

/** A value and its place: the value around it, and its name or index there. */
export type Spot = { value: Json; around?: Spot; step?: string | number }

export type Fault = { spot: Spot; toText(): string }

/**
 * The steps left for one check or several. One step compares a value with one part of a schema, looks up a name, or counts
 * `charsOfStep` characters.
 */
export type Budget = { left: number }

export type Check = {
  budget: Budget
  /** The first faults, at most `mostFaults`. */
  faults: Fault[]
  mostFaults: number
  /** Properties of the whole value that do not satisfy their own part of the schema. */
  wrong: Set<string>
  root: Rule
}

/** A schema in the form in which values are checked: one test for each enforced keyword. */
export type Rule = { tests: readonly Test[] }
type Test = (spot: Spot, check: Check) => boolean

/** Thrown when a check has no steps left. */
export class TooCostly extends Error {}

const charsOfStep = 16

const spend = ({ budget }: Check, steps: number): void => {
  budget.left -= steps
  if (budget.left < 0) throw new TooCostly()
}

const fail = ({ faults, mostFaults }: Check, spot: Spot, toText: () => string): false => {
  if (faults.length < mostFaults) faults.push({ spot, toText })
  return false
}

/**
 * Whether a value satisfies a rule. Inside the value, a list or an object is left at its first wrong member. The wrong members of
 * the whole value are all named.
 * @throws TooCostly
 */
export const satisfies = ({ tests }: Rule, spot: Spot, check: Check): boolean => {
  spend(check, 1)
  let isRight = true
  // Every test runs, because each names its own fault.
  for (const test of tests) if (!test(spot, check)) isRight = false
  return isRight
}

const known = new WeakMap<JsonObject, Rule>()

/**
 * Converts a schema to a rule, once for each schema object.
 * @throws ZodError for a schema that `checkSchema` would refuse
 */
export const toRule = (schema: JsonObject): Rule => {
  const rule = known.get(schema) ?? convert(schema)
  known.set(schema, rule)
  return rule
}

const convert = (schema: unknown): Rule => {
  const given = keywords.parse(schema)
  // Zod leaves out a member with the name __proto__, so members are taken from the schema itself.
  const inside = isObject(schema) && isObject(schema.properties) ? Object.entries(schema.properties) : []
  const properties = new Map(inside.map(([name, it]) => [name, convert(it)]))
  const rule: Rule = { tests: [] }
  const tests = [
    ...simple.map(toTest => toTest(given)),
    ...(['anyOf', 'allOf', 'oneOf'] as const).map(name => combine(name, given[name]?.map(convert))),
    membersOf(rule, { properties, others: toOthers(given.additionalProperties) }),
    itemsOf(given.items && convert(given.items)),
  ]
  return Object.assign(rule, { tests: tests.filter(it => it !== undefined) })
}

const toOthers = (given: Keywords['additionalProperties']): Rule | boolean => (isObject(given) ? convert(given) : (given ?? true))

type ToTest = (given: Keywords) => Test | undefined

const typeOf = (value: Json): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const typeTest: ToTest = ({ type }) => {
  if (type === undefined) return undefined
  const types = new Set<string>([type].flat())
  return (spot, check) => {
    const own = typeOf(spot.value)
    if (types.has(own) || (types.has('integer') && Number.isInteger(spot.value))) return true
    return fail(check, spot, () => `Instance type "${own}" is invalid. Expected "${[...types].join('", "')}".`)
  }
}

const constTest: ToTest = ({ const: only }) => {
  if (only === undefined) return undefined
  return (spot, check) => spot.value === only || fail(check, spot, () => `Instance does not match ${JSON.stringify(only)}.`)
}

const enumTest: ToTest = ({ enum: given }) => {
  if (!given) return undefined
  const allowed = new Set<Json>(given)
  return (spot, check) =>
    allowed.has(spot.value) || fail(check, spot, () => `Instance does not match any of ${JSON.stringify(given)}.`)
}

const requiredTest: ToTest = ({ required }) => {
  if (!required) return undefined
  return (spot, check) => {
    const { value } = spot
    if (!isObject(value)) return true
    spend(check, required.length)
    const missing = required.filter(it => !Object.hasOwn(value, it))
    for (const name of missing) fail(check, spot, () => `Instance does not have required property "${name}".`)
    return missing.length === 0
  }
}

const sizeTest: ToTest = ({ minItems = 0, maxItems = Infinity }) => {
  if (minItems === 0 && maxItems === Infinity) return undefined
  return (spot, check) => {
    if (!Array.isArray(spot.value)) return true
    const { length } = spot.value
    if (length > maxItems) return fail(check, spot, () => `Array has too many items (${length} > ${maxItems}).`)
    return length >= minItems || fail(check, spot, () => `Array has too few items (${length} < ${minItems}).`)
  }
}

const rangeTest: ToTest = given => {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = given
  if (Math.max(minimum, exclusiveMinimum) === -Infinity && Math.min(maximum, exclusiveMaximum) === Infinity) return undefined
  return (spot, check) => {
    const { value } = spot
    if (typeof value !== 'number') return true
    if (value < minimum) return fail(check, spot, () => `${value} is less than ${minimum}.`)
    if (value > maximum) return fail(check, spot, () => `${value} is greater than ${maximum}.`)
    if (value <= exclusiveMinimum) return fail(check, spot, () => `${value} is less than or equal to ${exclusiveMinimum}.`)
    return value < exclusiveMaximum || fail(check, spot, () => `${value} is greater than or equal to ${exclusiveMaximum}.`)
  }
}

const lengthTest: ToTest = ({ minLength = 0, maxLength = Infinity }) => {
  if (minLength === 0 && maxLength === Infinity) return undefined
  return (spot, check) => {
    const { value } = spot
    // A character has one or two units of a JavaScript string, so many texts need not be counted.
    if (typeof value !== 'string' || (value.length <= maxLength && value.length >= 2 * minLength)) return true
    spend(check, value.length / charsOfStep)
    const length = countChars(value)
    if (length < minLength) return fail(check, spot, () => `String is too short (${length} < ${minLength}).`)
    return length <= maxLength || fail(check, spot, () => `String is too long (${length} > ${maxLength}).`)
  }
}

/** A pair of surrogates is one character. */
const countChars = (text: string): number => {
  let count = text.length
  for (let at = 1; at < text.length; at += 1) if (isLow(text, at) && isHigh(text, at - 1)) count -= 1
  return count
}
const isHigh = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xd800
const isLow = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00

const simple = [typeTest, constTest, enumTest, requiredTest, sizeTest, rangeTest, lengthTest]

type Combining = { isRight(count: number, of: number): boolean; toText?(count: number): string }

/** For each keyword that combines schemas: whether a number of satisfied branches is right, and the fault when it is not. */
const combining: Record<Branching, Combining> = {
  anyOf: { isRight: count => count > 0, toText: () => 'Instance does not match any subschemas.' },
  // The faults of its branches say enough.
  allOf: { isRight: (count, of) => count === of },
  oneOf: { isRight: count => count === 1, toText: count => `Instance does not match exactly one subschema (${count} matches).` },
}

const combine = (name: Branching, branches: readonly Rule[] | undefined): Test | undefined => {
  if (!branches) return undefined
  const { isRight, toText } = combining[name]
  return (spot, check) => {
    const before = check.faults.length
    let count = 0
    if (toText) fail(check, spot, () => toText(count))
    for (const it of branches) if (satisfies(it, spot, check)) count += 1
    if (!isRight(count, branches.length)) return false
    check.faults.length = before
    return true
  }
}

const itemsOf = (items: Rule | undefined): Test | undefined =>
  items &&
  ((spot, check) => {
    const { value } = spot
    return !Array.isArray(value) || value.every((it, step) => satisfies(items, { value: it, around: spot, step }, check))
  })

type Members = { properties: ReadonlyMap<string, Rule>; others: Rule | boolean }

const membersOf = (rule: Rule, { properties, others }: Members): Test | undefined => {
  if (properties.size === 0 && others === true) return undefined
  return (spot, check) => {
    const { value } = spot
    if (!isObject(value)) return true
    spend(check, properties.size)
    const isRoot = rule === check.root
    let isRight = true
    for (const [name, inside] of properties) {
      if (!Object.hasOwn(value, name) || satisfies(inside, { value: value[name] ?? null, around: spot, step: name }, check))
        continue
      if (isRoot) check.wrong.add(name)
      isRight = false
      if (!isRoot) break
    }
    return isRight && fitsOthers({ properties, others }, { ...spot, value }, check)
  }
}

/** Checks the members that a schema does not name. */
const fitsOthers = ({ properties, others }: Members, spot: Spot & { value: JsonObject }, check: Check): boolean => {
  if (others === true) return true
  let isRight = true
  for (const step of Object.keys(spot.value)) {
    if (properties.has(step)) continue
    spend(check, 1)
    const member = { value: spot.value[step] ?? null, around: spot, step }
    if (others === false) isRight = fail(check, member, () => 'The schema allows no such property.')
    else if (!satisfies(others, member, check)) isRight = false
  }
  return isRight
}
