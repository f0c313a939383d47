import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { examine } from '../../src/domain/jobs/deliverable.ts'
import type { Json, JsonObject } from '../../src/domain/json.ts'
import { limits } from '../../src/domain/limits.ts'
import { checkSchema, checkValue } from '../../src/domain/schemas/schema.ts'

const names = fc.constantFrom('a', 'b', 'constructor', 'ü#/~')
const scalars = fc.oneof(fc.integer({ min: -2, max: 3 }), fc.constantFrom('', 'x', 'yy', '🦊', true, null, 1.5))
const kinds = fc.constantFrom('object', 'string', 'number', 'integer', 'boolean', 'array', 'null')
const small = fc.integer({ min: 0, max: 3 })

const flat = {
  type: fc.oneof(kinds, fc.uniqueArray(kinds, { minLength: 1, maxLength: 3 })),
  required: fc.uniqueArray(names, { maxLength: 2 }),
  enum: fc.array(scalars, { maxLength: 3 }),
  const: scalars,
  ...{ minimum: small, maximum: small, exclusiveMinimum: small, exclusiveMaximum: small },
  ...{ minLength: small, maxLength: small, minItems: small, maxItems: small },
}
/** A few of the keywords at a time, because a schema with all of them accepts nothing. */
const someOf = (keywords: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<JsonObject> =>
  fc
    .subarray(Object.keys(keywords), { maxLength: 2 })
    .chain(chosen => fc.record(Object.fromEntries(chosen.map(name => [name, keywords[name] ?? fc.constant(null)]))))

const { schema: schemas } = fc.letrec<{ schema: JsonObject }>(tie => {
  const inner = tie('schema')
  const branches = fc.array(inner, { minLength: 1, maxLength: 3 })
  const deep = {
    properties: fc.dictionary(names, inner, { maxKeys: 2 }),
    items: inner,
    additionalProperties: fc.oneof(fc.boolean(), inner),
    ...{ anyOf: branches, oneOf: branches, allOf: branches },
  }
  const both = fc.tuple(someOf(flat), someOf(deep)).map(([one, other]) => ({ ...one, ...other }))
  return { schema: fc.oneof({ maxDepth: 3 }, someOf(flat), both) }
})
const { value: values } = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  ),
}))

const isSupported = (schema: JsonObject): boolean => {
  try {
    checkSchema(schema)
    return true
  } catch {
    return false
  }
}

test('a value passes exactly when an independent validator of JSON Schema accepts it', () => {
  fc.assert(
    fc.property(schemas.filter(isSupported), values, (schema, value) => {
      const other = new Validator(structuredClone(schema), '2020-12').validate(value)
      const { pass, errors } = checkValue(schema, value)
      expect([pass, errors.length === 0]).toEqual([other.valid, other.valid])
    }),
    { numRuns: 3_000 },
  )
})

const lengthy: JsonObject = { type: 'object', properties: { a: { type: 'string', minLength: 200_000 } } }

describe('the cost of a check is bounded, whatever schema and value are', () => {
  const choice = { anyOf: [...Array.from({ length: 63 }, (_, at) => ({ enum: [`x${at}`] })), { type: 'number' }] }
  const optional = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`p${at}`, {}]))
  const listOf = (items: JsonObject): JsonObject => ({ type: 'object', properties: { a: { type: 'array', items } } })
  const listed = (one: string) => `{"a":[${Array(Math.floor(250_000 / (one.length + 1))).fill(one)}]}`
  const long = JSON.stringify({ a: 'x'.repeat(250_000) })

  test.each<[string, JsonObject, string]>([
    ['a choice of 64 for each number', listOf(choice), listed('0')],
    ['three such choices', listOf({ allOf: [choice, choice, choice] }), listed('0')],
    ['exactly one of 64 for each number', listOf({ oneOf: choice.anyOf }), listed('0')],
    ['64 properties that each of many objects may have', listOf({ properties: optional }), listed('{}')],
    [
      '64 properties that each of many objects need not have',
      listOf({ anyOf: [{ required: Object.keys(optional) }, {}] }),
      listed('{}'),
    ],
    ['a long text that is counted by each part', { allOf: Array(60).fill(lengthy) }, long],
  ])('%s: the deliverable does not pass, and its agent is told what to do', (_what, schema, deliverable) => {
    expect(isSupported(schema)).toBe(true)
    const { verdict } = examine(schema, deliverable)
    expect(verdict).toMatchObject({ pass: false, errors: [expect.stringContaining('Send fewer values')] })
    expect(verdict.errors[0]).toContain(String(limits.checkSteps))
  })

  const eachOf = (it: object, schema: JsonObject): JsonObject => Object.fromEntries(Object.keys(it).map(name => [name, schema]))
  const row = Object.fromEntries('abcdefghij'.split('').map(name => [name, 1]))
  const rowSchema = { type: 'object', required: Object.keys(row), properties: eachOf(row, { type: 'number', minimum: 0 }) }
  test.each<[string, JsonObject, string]>([
    ['numbers', listOf({ type: 'number' }), listed('0')],
    ['rows with ten required numbers', listOf(rowSchema), listed(JSON.stringify(row))],
    ['a text', lengthy, long],
  ])('a deliverable of the largest size that contains %s is checked to its end', (_what, schema, deliverable) => {
    expect(examine(schema, deliverable).verdict).toMatchObject({ pass: true, errors: [] })
  })
})
