import fc from 'fast-check'
import { z } from 'zod'

// Generates inputs for an operation from its own schema: valid ones, and valid ones with one fault.

const written = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
})

/** Texts that programs often handle wrongly. */
const oddTexts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\u200b',
  '__proto__',
  '../../etc/passwd',
  "' or 1=1 --",
  '%00%2e%2e',
  '%E0%A4%A',
  'http://[',
  '/x402/agents/%E0%A4%A',
  'eip155:1e9',
  `${2n ** 256n}`,
  `0x${'f'.repeat(65)}`,
  '<script>alert(1)</script>',
  '9'.repeat(400),
  'x'.repeat(5_000),
  'Agent Id: x##97:0x0000000000000000000000000000000000000001:1',
]
const oddValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1e308,
    -0,
    2 ** 53,
    0.1,
    [],
    {},
    '1',
    JSON.parse('{"__proto__":{"polluted":true}}'),
  ),
  fc.constantFrom(...oddTexts),
  fc.jsonValue(),
)

/** A placeholder that is replaced by an id from an earlier answer. */
export const earlier = (nth: number) => `earlier:${nth}`
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 3, arbitrary: fc.nat(1_000).map(earlier) },
)

/** A value that satisfies the JSON schema, or any JSON where a keyword is not supported here. */
const fitting = (schema: unknown): fc.Arbitrary<unknown> => {
  const read = written.safeParse(schema)
  if (!read.success) return fc.jsonValue()
  const { data } = read
  const choices = data.anyOf ?? data.oneOf
  if (choices && choices.length > 0) return fc.oneof(...choices.map(fitting))
  if (data.enum) return fc.constantFrom(...data.enum)
  if ('const' in data && data.const !== undefined) return fc.constant(data.const)
  const [type] = [data.type].flat()
  if (type === 'string') return text.map(it => it.slice(0, data.maxLength ?? 5_000).padEnd(data.minLength ?? 0, 'x'))
  if (type === 'integer') return fc.integer({ min: Math.max(data.minimum ?? -10, -1e6), max: Math.min(data.maximum ?? 1e6, 1e6) })
  if (type === 'number') return fc.double({ min: data.minimum ?? -1e6, max: data.maximum ?? 1e6, noNaN: true })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'array') return fc.array(fitting(data.items), { maxLength: 3 })
  return data.properties ? fittingObject(data.properties, data.required ?? []) : fc.jsonValue()
}

const fittingObject = (properties: Record<string, unknown>, required: string[]): fc.Arbitrary<unknown> =>
  fc.record(Object.fromEntries(Object.entries(properties).map(([name, it]) => [name, fitting(it)])), {
    requiredKeys: required.filter(it => it in properties),
  })

type Input = Record<string, unknown>
const asInput = z.record(z.string(), z.unknown())

/** Introduces one fault: a member removed, replaced by another type, or added. */
const spoiled = (inputs: fc.Arbitrary<Input>): fc.Arbitrary<Input> =>
  fc.tuple(inputs, fc.nat(), oddValues, fc.constantFrom('drop', 'replace', 'add')).map(([input, at, value, how]) => {
    const names = Object.keys(input)
    const name = names[at % Math.max(names.length, 1)] ?? 'extra'
    if (how === 'drop') return Object.fromEntries(Object.entries(input).filter(([it]) => it !== name))
    return { ...input, [how === 'add' ? '__proto__x' : name]: value }
  })

/** Inputs of an operation; about half of them have a fault. */
export const inputsOf = (schema: z.ZodType): fc.Arbitrary<Input> => {
  const inputs = fitting(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).map(
    it => asInput.safeParse(it).data ?? {},
  )
  return fc.oneof(inputs, spoiled(inputs))
}
