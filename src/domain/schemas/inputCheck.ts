import { isObject, type Json, type JsonObject } from '../json.ts'
import { hasFormat } from './formats.ts'
import { matchesPattern } from './patterns.ts'
import { checkValue, fullBudget, isFitting, tooCostly, type Verdict } from './schema.ts'
import { type Budget, TooCostly } from './schemaCheck.ts'

// What is sent to an agent is checked more strictly than what it delivers: for an input, `format` and `pattern` are rules.

const listOf = (schema: JsonObject, name: string): Json[] => {
  const inside = schema[name]
  return Array.isArray(inside) ? inside : []
}

const textFaults = (schema: JsonObject, text: string, { path, budget }: At): string[] => [
  ...(typeof schema.format === 'string' && !hasFormat(schema.format, text)
    ? [`${path}: has not the format ${schema.format}.`]
    : []),
  ...(typeof schema.pattern === 'string' && matchesPattern(schema.pattern, text, budget) === false
    ? [`${path}: does not match its pattern.`]
    : []),
]

/** A place in the input, and the steps that are left for the whole check: schema and input are a stranger's both. */
type At = { path: string; budget: Budget }

/**
 * The faults of texts inside a value of valid structure. Of `anyOf` and `oneOf`, one fitting branch is enough.
 * @throws TooCostly
 */
const formFaults = (schema: Json | undefined, value: Json, { path, budget }: At): string[] => {
  budget.left -= 1
  if (budget.left < 0) throw new TooCostly()
  if (!isObject(schema)) return []
  const rules: JsonObject = schema
  const properties = isObject(rules.properties) ? rules.properties : {}
  const at = { path, budget }
  const under = (step: string | number) => ({ path: `${path}/${step}`, budget })
  const isBranchFitting = (it: Json) =>
    isObject(it) && checkValue(it, value, budget).pass && formFaults(it, value, at).length === 0
  const branched = ['anyOf', 'oneOf'].map(name => listOf(rules, name)).filter(it => it.length > 0)
  return [
    ...(typeof value === 'string' ? textFaults(rules, value, at) : []),
    ...(Array.isArray(value) ? value.flatMap((it, index) => formFaults(rules.items, it, under(index))) : []),
    ...(isObject(value)
      ? Object.keys(value).flatMap(name =>
          Object.hasOwn(properties, name) ? formFaults(properties[name], value[name] ?? null, under(name)) : [],
        )
      : []),
    ...listOf(rules, 'allOf').flatMap(it => formFaults(it, value, at)),
    ...branched.flatMap(it => (it.some(isBranchFitting) ? [] : [`${path}: has none of the allowed forms.`])),
  ]
}

/** Validates an input by a requirement, its formats and patterns included, in a limited number of steps. */
export const checkInput = (requirement: JsonObject, value: Json, budget: Budget = fullBudget()): Verdict => {
  const verdict = checkValue(requirement, value, budget)
  if (!verdict.pass) return verdict
  const errors = inSteps(() => formFaults(requirement, value, { path: '#', budget }))
  const wrong = errors.flatMap(it => /^#\/([^/]+?)(?:\/|: )/.exec(it)?.[1] ?? [])
  return { pass: errors.length === 0, errors, wrong: [...new Set(wrong)] }
}

const inSteps = (read: () => string[]): string[] => {
  try {
    return read()
  } catch (error) {
    if (error instanceof TooCostly) return [tooCostly]
    throw error
  }
}

/** Whether the value of one field satisfies its schema, its format and pattern included, apart from all other fields. */
export const isFieldFitting = (requirement: JsonObject, name: string, value: Json): boolean => {
  const properties = isObject(requirement.properties) ? requirement.properties : {}
  if (!isFitting(requirement, name, value)) return false
  if (!Object.hasOwn(properties, name)) return true
  return inSteps(() => formFaults(properties[name], value, { path: `#/${name}`, budget: fullBudget() })).length === 0
}
