import { describe, expect, test } from 'vitest'
import { type JsonObject, jsonObject } from '../../src/domain/json.ts'
import { limits } from '../../src/domain/limits.ts'
import { Problem } from '../../src/domain/problem.ts'
import { checkDeliverable, checkSchema, checkValue, fieldsOf, isFitting } from '../../src/domain/schemas/schema.ts'
import { cpuMs } from '../cpu.ts'

const refusal = (schema: JsonObject): [string, string | undefined] | undefined => {
  try {
    checkSchema(schema)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return [error.type, error.pointer]
    throw error
  }
}

const notes: JsonObject = {
  type: 'object',
  title: 'Notes',
  required: ['notes'],
  properties: {
    notes: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, description: 'One line each' },
    language: { type: ['string', 'null'], enum: ['en', 'fr', null] },
    pages: { type: 'integer', minimum: 1, maximum: 9, format: 'int32', default: 1, examples: [{ any: ['thing'] }] },
  },
  additionalProperties: false,
}

describe('the keywords of a schema', () => {
  test.each([[notes], [{}], [{ type: 'object' }], [{ $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'x' }]])(
    '%j is accepted',
    schema => expect(refusal(schema)).toBeUndefined(),
  )

  const keywords = [
    ...['$ref', '$defs', '$id', '$dynamicRef', '$anchor', 'id', 'patternProperties', 'propertyNames'],
    ...['not', 'if', 'then', 'uniqueItems', 'contains', 'dependentRequired', 'dependentSchemas'],
    ...['unevaluatedProperties', 'prefixItems', 'multipleOf', 'minProperties', 'constructor', 'toString', ''],
  ]
  test.each(keywords)('the keyword "%s" is refused at any depth', keyword => {
    const hidden = { [keyword]: {} }
    expect(refusal(hidden)).toEqual(['schema-unsupported', `/${keyword}`])
    expect(refusal({ properties: { a: { items: hidden } } })).toEqual(['schema-unsupported', `/properties/a/items/${keyword}`])
  })

  test.each<[JsonObject, string]>([
    [{ additionalProperties: { not: {} } }, '/additionalProperties/not'],
    [{ anyOf: { type: 'string' } }, '/anyOf'],
    [{ oneOf: [{ not: {} }] }, '/oneOf/0/not'],
    [{ const: { a: 1 } }, '/const'],
    [{ properties: [{ type: 'string' }] }, '/properties'],
    [{ properties: { a: true } }, '/properties/a'],
    [{ items: [{ type: 'string' }] }, '/items'],
    [{ items: true }, '/items'],
    [{ type: 'date' }, '/type'],
    [{ type: [] }, '/type'],
    [{ required: 'a' }, '/required'],
    [{ required: [1] }, '/required/0'],
    [{ enum: 'abc' }, '/enum'],
    [{ enum: [{ a: 1 }] }, '/enum/0'],
    [{ minimum: '1' }, '/minimum'],
    [{ maxLength: -1 }, '/maxLength'],
    [{ minItems: 1.5 }, '/minItems'],
  ])('%j is refused, because a rule that the validator does not know would not be enforced', (schema, pointer) =>
    expect(refusal(schema)).toEqual(['schema-unsupported', pointer]),
  )

  const nest = (levels: number): JsonObject => JSON.parse(`${'{"items":'.repeat(levels)}{}${'}'.repeat(levels)}`)
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, {}]))
  test.each<[string, JsonObject, boolean]>([
    ['depth at the limit', nest(limits.schemaDepth), true],
    ['depth above the limit', nest(limits.schemaDepth + 1), false],
    ['ten thousand nested items', nest(10_000), false],
    ['a default that is nested seven thousand times', { default: JSON.parse('['.repeat(7000) + ']'.repeat(7000)) }, false],
    ['properties at the limit', { properties: many(limits.schemaProperties) }, true],
    ['properties above the limit', { properties: many(limits.schemaProperties + 1) }, false],
    ['an enum at the limit', { enum: Object.keys(many(limits.schemaProperties)) }, true],
    ['an enum of fifty thousand', { enum: Object.keys(many(50_000)) }, false],
    ['a million required names', { required: Array(1_000_000).fill('a') }, false],
    ['300 nodes', { properties: Object.fromEntries(Object.keys(many(60)).map(name => [name, { properties: many(4) }])) }, false],
    ['text above the limit', { description: 'x'.repeat(limits.schemaBytes) }, false],
  ])('%s', (_what, schema, isFine) => expect(refusal(schema)?.[0]).toBe(isFine ? undefined : 'schema-too-large'))
})

describe('the values of a schema', () => {
  test.each([
    [{ notes: ['a'] }, []],
    [{ notes: ['a'], language: null, pages: 9 }, []],
    [{}, ['#: Instance does not have required property "notes".']],
    [{ notes: [] }, ['#/notes: Array has too few items (0 < 1).']],
    [{ notes: ['a', ''] }, ['#/notes/1: String is too short (0 < 1).']],
    [{ notes: ['a'], language: 'de' }, ['#/language: Instance does not match any of ["en","fr",null].']],
    [{ notes: 'a', pages: 1.5 }, [expect.stringContaining('#/notes: '), expect.stringContaining('#/pages: ')]],
    [[], [expect.stringContaining('Instance type "array" is invalid')]],
    [null, [expect.stringContaining('Instance type "null" is invalid')]],
  ])('%j has the faults %j', (value, errors) =>
    expect(checkValue(notes, value)).toMatchObject({ pass: errors.length === 0, errors }),
  )

  test('every invalid member is named, and unknown members once the rest is valid', () => {
    const { errors } = checkValue(notes, { notes: 5, language: 'de', pages: 0, more: true })
    expect(errors.map(line => line.split(':')[0])).toEqual(['#/notes', '#/language', '#/pages'])
    expect(checkValue(notes, { notes: ['a'], more: true }).errors.join()).toContain('more')
  })

  test('annotations of a schema have no effect', () => {
    const schema = {
      type: 'object',
      properties: { a: { format: 'date', default: { $ref: '#/x' }, examples: { $id: 'http://[' } } },
    }
    expect(checkValue(schema, { a: 'tomorrow' }).pass).toBe(true)
  })

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', '', 'a/b~c', 'größe', 'a b', '0', 'length'])(
    'a property may be called "%s"',
    name => {
      const schema = jsonObject.parse({ type: 'object', required: [name], properties: { x: { type: 'string' } } })
      schema.properties = Object.fromEntries([[name, { type: 'string' }]])
      const value = (it: unknown) => JSON.parse(JSON.stringify(Object.fromEntries([[name, it]])))
      expect(refusal(schema)).toBeUndefined()
      expect(checkValue(schema, {}).pass).toBe(false)
      expect(checkValue(schema, value('text')).pass).toBe(true)
      expect(checkValue(schema, value(5)).pass).toBe(false)
      expect(isFitting(schema, name, 'text')).toBe(true)
      expect(isFitting(schema, name, 5)).toBe(false)
      expect(fieldsOf(schema)).toMatchObject([{ name, required: true, type: 'string' }])
    },
  )

  test('a required field without a description is asked for as well, in the order of the list', () => {
    expect(fieldsOf({ required: ['b', 'a'], properties: { c: {}, a: { type: 'number', description: 'A' } } })).toEqual([
      { name: 'b', type: 'string', description: '', required: true },
      { name: 'a', type: 'number', description: 'A', required: true },
      { name: 'c', type: 'string', description: '', required: false },
    ])
  })
})

describe('deliverables', () => {
  test.each<[JsonObject, string, boolean]>([
    [{}, 'anything', true],
    [{}, '', false],
    [{ title: 'Notes' }, 'not JSON', false],
    [{ type: 'string' }, '"text"', true],
    [{ type: 'string' }, 'text', false],
    [notes, '{"notes":["a"]}', true],
    [notes, ' {"notes":["a"]}\n', true],
    [notes, '{"notes":["a"]} and more', false],
    [notes, '```json\n{"notes":["a"]}\n```', false],
    [notes, '{"notes":["a"],"approved":true}', false],
    [notes, '', false],
    [notes, 'null', false],
  ])('%j, %s: %s', (schema, deliverable, pass) => {
    const verdict = checkDeliverable(schema, deliverable)
    expect(verdict.pass).toBe(pass)
    expect(verdict.errors.length > 0).toBe(!pass)
  })

  const size = limits.deliverableBytes
  const keys = JSON.stringify(Object.fromEntries(Array.from({ length: 28_000 }, (_, at) => [`a${at}`, 1])))
  test.each<[string, JsonObject, string, boolean]>([
    ['an open bracket, again and again', { type: 'array' }, '['.repeat(size), false],
    ['arrays in arrays', { type: 'array' }, '['.repeat(size / 2) + ']'.repeat(size / 2), false],
    ['an array of nulls', { items: { type: 'number' } }, `[${'null,'.repeat(52_000)}null]`, false],
    ['a number beyond all numbers', { type: 'number', maximum: 9 }, '1e400', false],
    ['a text of 256 KiB', { type: 'string', maxLength: 5 }, JSON.stringify('x'.repeat(size)), false],
    ['a text that a format would hang on', { type: 'string', format: 'url' }, JSON.stringify(`http://${'a'.repeat(60)}`), true],
    ['thousands of members', { type: 'object', additionalProperties: false }, keys, false],
    ['members that are no Unicode', { type: 'object', additionalProperties: false }, '{"\\ud800":1}', false],
    ['a schema that was never checked', { required: 5, properties: { a: 7 } }, '{"a":1}', false],
    ['a proto', { type: 'object', additionalProperties: false }, '{"__proto__":{"a":1}}', false],
  ])('%s is validated at once', (_what, schema, deliverable, pass) => {
    // The limit allows for code that is not compiled yet; a runaway validation takes seconds.
    expect(cpuMs(() => checkDeliverable(schema, deliverable))).toBeLessThan(500)
    const { pass: judged, errors } = checkDeliverable(schema, deliverable)
    expect(judged).toBe(pass)
    expect(errors.length).toBeLessThanOrEqual(10)
    expect(errors.join('').length).toBeLessThan(4000)
  })
})
