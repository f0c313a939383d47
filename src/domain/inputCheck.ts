import { hasFormat } from './formats.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { matchesPattern } from './patterns.ts'
import { checkValue, isFitting, type Verdict } from './schema.ts'

// What is sent to an agent is checked more strictly than what it delivers: for an input, `format` and `pattern` are rules.

const listOf = (schema: JsonObject, name: string): Json[] => {
  const inside = schema[name]
  return Array.isArray(inside) ? inside : []
}

const textFaults = (schema: JsonObject, text: string, path: string): string[] => [
  ...(typeof schema.format === 'string' && !hasFormat(schema.format, text)
    ? [`${path}: has not the format ${schema.format}.`]
    : []),
  ...(typeof schema.pattern === 'string' && matchesPattern(schema.pattern, text) === false
    ? [`${path}: does not match its pattern.`]
    : []),
]

/** The faults of texts inside a value of valid structure. Of `anyOf` and `oneOf`, one fitting branch is enough. */
const formFaults = (schema: Json | undefined, value: Json, path: string): string[] => {
  if (!isObject(schema)) return []
  const rules: JsonObject = schema
  const properties = isObject(rules.properties) ? rules.properties : {}
  const isBranchFitting = (it: Json) => isObject(it) && checkValue(it, value).pass && formFaults(it, value, path).length === 0
  const branched = ['anyOf', 'oneOf'].map(name => listOf(rules, name)).filter(it => it.length > 0)
  return [
    ...(typeof value === 'string' ? textFaults(rules, value, path) : []),
    ...(Array.isArray(value) ? value.flatMap((it, at) => formFaults(rules.items, it, `${path}/${at}`)) : []),
    ...(isObject(value)
      ? Object.keys(value).flatMap(name =>
          Object.hasOwn(properties, name) ? formFaults(properties[name], value[name] ?? null, `${path}/${name}`) : [],
        )
      : []),
    ...listOf(rules, 'allOf').flatMap(it => formFaults(it, value, path)),
    ...branched.flatMap(it => (it.some(isBranchFitting) ? [] : [`${path}: has none of the allowed forms.`])),
  ]
}

/** Validates an input by a requirement, its formats and patterns included. */
export const checkInput = (requirement: JsonObject, value: Json): Verdict => {
  const verdict = checkValue(requirement, value)
  if (!verdict.pass) return verdict
  const errors = formFaults(requirement, value, '#')
  return { pass: errors.length === 0, errors }
}

/** Whether the value of one field satisfies its schema, its format and pattern included, apart from all other fields. */
export const isFieldFitting = (requirement: JsonObject, name: string, value: Json): boolean => {
  const properties = isObject(requirement.properties) ? requirement.properties : {}
  return (
    isFitting(requirement, name, value) &&
    (!Object.hasOwn(properties, name) || formFaults(properties[name], value, `#/${name}`).length === 0)
  )
}
