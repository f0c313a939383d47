import type { Json, JsonObject } from '../../../src/domain/json.ts'
import { createRandom } from '../../../src/domain/random.ts'

const toPoint: JsonObject = { $ref: '#/$defs/Point' }

/**
 * Schemas as owners and generators write them: nested, with choices, references, bounds, formats, and notes that other
 * validators read strictly. Equal seeds make equal schemas.
 */
export const createSchemas = (seed: number) => {
  const random = createRandom(seed)
  const below = (count: number) => Math.floor(random() * count)
  const oneOf = <T>(items: readonly [T, ...T[]]): T => items[below(items.length)] ?? items[0]
  const isLikely = (share: number) => random() < share

  const text = (): JsonObject =>
    oneOf<JsonObject>([
      { type: 'string' },
      { type: 'string', minLength: 3 + below(30), maxLength: 40 + below(40) },
      { type: 'string', maxLength: below(4) },
      { type: 'string', enum: ['red', 'green', 'blue'].slice(below(3)) },
      { type: 'string', const: 'v1' },
      { type: 'string', format: oneOf(['date', 'date-time', 'email', 'uri', 'uuid', 'ipv4', 'color', 'hostname']) },
      { type: 'string', pattern: oneOf(['^[A-Z]{3}$', '^(a+)+$', '[unclosed', '^\\d{4}-\\w+$']) },
      { type: ['string', 'null'], description: 'May be absent.', default: null },
    ])
  const number = (): JsonObject =>
    oneOf<JsonObject>([
      { type: 'integer', minimum: below(100), maximum: 100 + below(1_000) },
      { type: 'number', exclusiveMinimum: -1 + random(), exclusiveMaximum: 1 + random() },
      { type: 'integer', exclusiveMinimum: 7, exclusiveMaximum: 9 },
      { type: 'number', maximum: -below(50) - 0.5 },
      { type: ['integer', 'null'], enum: [3, 5, null] },
      { anyOf: [{ type: 'number', minimum: 5 }, { type: 'null' }] },
    ])
  const list = (depth: number): JsonObject => {
    const minItems = below(4)
    return { type: 'array', items: schema(depth - 1), minItems, maxItems: minItems + below(3) }
  }
  const choice = (depth: number): JsonObject =>
    oneOf<() => JsonObject>([
      () => ({ oneOf: [{ type: 'string', maxLength: 20 }, object(depth - 1)] }),
      () => ({ anyOf: [toPoint, { type: 'array', items: { type: 'number' }, minItems: 2 }] }),
      () => ({ allOf: [toPoint, { type: 'object', required: ['label'], properties: { label: text() } }] }),
      () => ({
        type: 'object',
        properties: { kind: { const: 'a' }, a: { type: 'string' }, b: { type: 'number' } },
        oneOf: [['kind', 'a'], ['b']].map(required => ({ required })),
      }),
    ])()
  const object = (depth: number): JsonObject => {
    const names = ['city', 'amount', 'items', 'options', 'to', '$comment', 'type'].slice(0, 1 + below(7))
    const properties = Object.fromEntries(names.map(name => [name, schema(depth - 1)]))
    const required = names.filter(() => isLikely(0.7))
    const additionalProperties = oneOf<Json>([true, false, { type: 'string' }])
    return { type: 'object', properties, required: [...required, ...required.slice(0, 1)], additionalProperties }
  }
  const schema = (depth: number): JsonObject => {
    if (depth <= 0 || isLikely(0.3)) return oneOf([text, number, () => ({ type: 'boolean' })])()
    return noted(oneOf([list, object, object, choice])(depth))
  }
  const noted = (of: JsonObject): JsonObject => ({
    ...of,
    ...(isLikely(0.3) && { title: 'A part', examples: oneOf<Json>(['no list', [{ $ref: 'x' }], [1, 'two']]) }),
    ...(isLikely(0.2) && { deprecated: 'yes', readOnly: 'never', $comment: 'https://example.com' }),
  })
  const point = {
    type: 'object',
    properties: { x: { type: 'number' }, y: { type: 'number' } },
    required: ['x', 'y'],
  } satisfies JsonObject

  /** A requirement with up to four levels. */
  return (): JsonObject => ({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $defs: { Point: point },
    ...noted(object(3)),
  })
}
