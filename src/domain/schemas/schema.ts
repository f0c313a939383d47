import { isObject, isShallow, isWithinNumbers, type Json, type JsonObject } from '../json.ts'
import { limits } from '../limits.ts'
import { Problem } from '../problem.ts'
import { parseOrFault } from './inputFaults.ts'
import { type Budget, type Check, type Fault, type Rule, type Spot, satisfies, TooCostly, toRule } from './schemaCheck.ts'
import { forcefulKeywords, notingKeywords, referringKeywords } from './schemaKeywords.ts'
import { branching, keywords } from './schemaRules.ts'

const forceful = new Set<string>(keywords.keyof().options)
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
  const parsed = parseOrFault(keywords, schema)
  if ('data' in parsed) return
  const { pointer: at, words, isTooBig } = parsed.fault
  throw new Problem(isTooBig ? 'schema-too-large' : 'schema-unsupported', words.slice(0, 300), `${pointer}${at.slice(0, 100)}`)
}

const supported = `Supported are ${[...forcefulKeywords, ...notingKeywords, ...referringKeywords].join(', ')}.`

const maxErrors = 10

/** `wrong`: names of properties that do not satisfy their own part of the schema; empty when the value passes. */
export type Verdict = { pass: boolean; errors: string[]; wrong: readonly string[] }

export const fullBudget = (): Budget => ({ left: limits.checkSteps })

/**
 * Validates a value by a schema, interpreted and never compiled, in a limited number of steps. The errors name every wrong
 * property of an object once, with its first fault. A value that needs more steps does not pass.
 */
export const checkValue = (schema: JsonObject, value: Json, budget: Budget = fullBudget()): Verdict => {
  const unfit = unfitnessOf(value)
  if (unfit) return refuse(unfit)
  const rule = readRule(schema)
  return rule ? judge(rule, value, budget) : refuse('The value cannot be checked.')
}

const unfitnessOf = (value: Json): string | undefined => {
  if (!isShallow(value)) return `Nested more than ${limits.jsonDepth} levels deep.`
  return isWithinNumbers(value) ? undefined : 'A number is too large.'
}

const passed: Verdict = { pass: true, errors: [], wrong: [] }
const refuse = (error: string): Verdict => ({ ...passed, pass: false, errors: [`#: ${error}`] })

/** Undefined for a schema that was never checked and has a keyword with a wrong value. */
const readRule = (schema: JsonObject): Rule | undefined => {
  try {
    return toRule(schema)
  } catch {
    return undefined
  }
}

const judge = (root: Rule, value: Json, budget: Budget): Verdict => {
  const check: Check = { root, budget, faults: [], mostFaults: maxErrors, wrong: new Set() }
  try {
    if (satisfies(root, { value }, check)) return passed
    return { pass: false, errors: [...new Set(check.faults.map(toLine))], wrong: [...check.wrong] }
  } catch (error) {
    if (error instanceof TooCostly) return { ...passed, pass: false, errors: [tooCostly] }
    throw error
  }
}

/** The fault of a value that takes too long to check. Its values and the parts of its schema multiply. */
export const tooCostly = `#: Checking it takes more than ${limits.checkSteps} steps. Send fewer values, or simplify the schema.`

/** Whether a value did not pass because its check takes too long. */
export const isTooCostly = ({ errors }: Verdict): boolean => errors[0] === tooCostly

const toLine = ({ spot, toText }: Fault): string => `#${pointerOf(spot)}: ${toText()}`.slice(0, 300)

const pointerOf = ({ around, step }: Spot): string =>
  around ? `${pointerOf(around)}/${encodeURI(toPointerStep(`${step}`)).replaceAll('#', '%23')}` : ''

/** RFC 6901, section 4. A name that is not valid Unicode cannot be encoded. */
const toPointerStep = (name: string): string => name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')

export const isFitting = (schema: JsonObject, name: string, value: Json): boolean =>
  checkValue(ruleOf(schema, name), { [name]: value }).pass

const propertiesOf = (schema: JsonObject): JsonObject => (isObject(schema.properties) ? schema.properties : {})

const ruleOf = (schema: JsonObject, name: string): JsonObject => {
  const properties = propertiesOf(schema)
  return Object.hasOwn(properties, name) ? { properties: { [name]: properties[name] ?? {} } } : {}
}

/** Validates a deliverable, which is a string. A schema with requirements applies to the JSON in it. */
export const checkDeliverable = (schema: JsonObject, deliverable: string): Verdict => {
  if (Object.keys(schema).length === 0)
    return deliverable ? passed : { ...passed, pass: false, errors: ['The deliverable is empty.'] }
  try {
    return checkValue(schema, JSON.parse(deliverable))
  } catch {
    return { ...passed, pass: false, errors: ['The deliverable is not JSON.'] }
  }
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

export const isDescribed = (schema: JsonObject, name: string): boolean => Object.hasOwn(propertiesOf(schema), name)

export const choicesOf = (schema: JsonObject, name: string): Json[] => {
  const properties = propertiesOf(schema)
  const it = Object.hasOwn(properties, name) ? properties[name] : undefined
  return isObject(it) && Array.isArray(it.enum) ? it.enum : []
}
