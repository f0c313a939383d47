import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseOrFault } from '../../src/domain/schemas/inputFaults.ts'

const input = z.object({
  query: z.string().min(1).max(10),
  limit: z.coerce.number().int().min(1).max(50).default(10),
  max_price: z.union([z.string(), z.number()]).nullish(),
  order: z.enum(['newest', 'price']).optional(),
  tags: z.array(z.string().max(5)).min(1).max(3).optional(),
  at: z.iso.datetime().optional(),
  url: z.url().optional(),
  own: z
    .string()
    .refine(it => it !== 'x', 'must not be x')
    .optional(),
  nested: z.object({ flag: z.boolean() }).optional(),
  version: z.literal(1).optional(),
  either: z.union([z.object({ name: z.string() }), z.array(z.number())]).optional(),
})
const faultOf = (raw: unknown, schema: z.ZodType = input) => {
  const parsed = parseOrFault(schema, raw)
  return 'fault' in parsed ? `${parsed.fault.pointer}: ${parsed.fault.words}` : undefined
}

test.each<[unknown, string]>([
  [{}, '/query: query is missing. It must be a text.'],
  [{ q: 'time' }, '/query: query is missing. It must be a text. q is not known here; did you mean query?'],
  [{ Query: 'time' }, '/query: query is missing. It must be a text. Query is not known here; did you mean query?'],
  [{ qeury: 'time' }, '/query: query is missing. It must be a text. qeury is not known here; did you mean query?'],
  [{ text: 'time', foo: 1 }, '/query: query is missing. It must be a text. Not known here: text, foo.'],
  [{ query: 5 }, '/query: query must be a text.'],
  [{ query: null }, '/query: query must be a text.'],
  [{ query: '' }, '/query: query must not be empty.'],
  [{ query: 'x'.repeat(11) }, '/query: That is too long: 11 of 10 characters.'],
  [{ query: 'a', limit: 'many' }, '/limit: limit must be a number.'],
  [{ query: 'a', limit: 1.5 }, '/limit: limit must be a whole number.'],
  [{ query: 'a', limit: 0 }, '/limit: limit must be at least 1.'],
  [{ query: 'a', limit: 51 }, '/limit: limit must be at most 50.'],
  [{ query: 'a', max_price: true }, '/max_price: max_price must be a text or a number.'],
  [{ query: 'a', order: 'best' }, '/order: order must be one of newest, price.'],
  [{ query: 'a', tags: 'x' }, '/tags: tags must be a list.'],
  [{ query: 'a', tags: [] }, '/tags: tags must have at least 1 entry.'],
  [{ query: 'a', tags: ['a', 'b', 'c', 'd'] }, '/tags: tags must have at most 3 entries.'],
  [{ query: 'a', tags: ['a', 2] }, '/tags/1: Entry 2 of tags must be a text.'],
  [{ query: 'a', at: 'today' }, '/at: at must be a time by ISO 8601, as 2026-03-14T09:30:00Z.'],
  [{ query: 'a', url: 'here' }, '/url: url must be a URL.'],
  [{ query: 'a', own: 'x' }, '/own: must not be x'],
  [{ query: 'a', nested: {} }, '/nested/flag: flag is missing. It must be true or false.'],
  [{ query: 'a', nested: 'x' }, '/nested: nested must be an object.'],
  [{ query: 'a', version: 2 }, '/version: version must be 1.'],
  [{ query: 'a', either: 5 }, '/either: either must be an object or a list.'],
  [{ query: 'a', either: { name: 5 } }, '/either: name must be a text.'],
  ['text', '/: The input must be an object.'],
  [undefined, '/: The input must be an object.'],
])('the fault of %j is told in a sentence that names the member', (raw, words) => {
  expect(faultOf(raw)).toBe(words)
})

test('names that a caller sent are told as one clean line, and a valid input has no fault', () => {
  expect(faultOf({ 'a\nb\u202e': 1 })).toBe('/query: query is missing. It must be a text. Not known here: a b.')
  expect(faultOf({ query: 'a' })).toBeUndefined()
  expect(faultOf({ strange: 1 }, z.strictObject({}))).toBe('/strange: Not known here: strange.')
})
