import { z } from 'zod'

/** A part of an OpenAPI document that describes a value. */
export const described = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  maximum: z.number().optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
})

const words = Array.from({ length: 400 }, (_, at) => `translate${at} the city of Berlin by ${at} May`).join(', ')
/** What strings are made of: texts that matchers, splitters and normalisers may take long for. */
const materials: Readonly<Record<string, string>> = {
  letters: 'x',
  words,
  'short words': 'a b c d e f g h ',
  spaces: ' ',
  lines: '\n',
  digits: '1234567890',
  numbers: '1.5 USDC, 3 x 4 m, 12:30 ',
  'open brackets': '([{<',
  quotes: `"'“”«»\``,
  commas: ',;:',
  addresses: 'https://a.example/?q=1 0x52908400098527886E0F7030069857D2E4169EE7 ',
  yes: 'yes please ok ',
  alphabets: '東京 Москва שלום مرحبا Ελλάδα ',
  marks: 'e\u0301\u0301\u0301👩🏽‍🚀\u200b\u202e',
  json: '{"a":[1,{"b":"c"}]} ',
  dashes: '- * # | _ ~ ',
}
export const materialNames = Object.keys(materials)
export const textOf = (material: string, chars: number): string => {
  const unit = materials[material] ?? material
  return unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars)
}

type Filling = { material: string; chars: number; items: number; refs: Record<string, unknown>; known: Record<string, unknown> }

/** The largest value that a schema allows, of one material. Members that `known` names have those values. */
export const fill = (schema: unknown, of: Filling, depth = 0): unknown => {
  const it = described.safeParse(schema).data
  if (!it || depth > 6) return textOf(of.material, 20)
  if (it.$ref) return fill(of.refs[it.$ref.split('/').at(-1) ?? ''], of, depth + 1)
  if (it.const !== undefined) return it.const
  if (it.enum) return it.enum.at(-1)
  const [branch] = [...(it.anyOf ?? []), ...(it.oneOf ?? [])]
  if (branch) return fill(branch, of, depth + 1)
  const [type] = [it.type ?? 'string'].flat()
  if (type === 'object') {
    const entries = Object.entries(it.properties ?? {})
    return Object.fromEntries(entries.map(([name, inside]) => [name, of.known[name] ?? fill(inside, of, depth + 1)]))
  }
  if (type === 'array') {
    const one = fill(it.items ?? {}, { ...of, chars: Math.min(of.chars, 200) }, depth + 1)
    return Array.from({ length: Math.min(it.maxItems ?? of.items, of.items) }, () => one)
  }
  if (type === 'number' || type === 'integer') return Math.min(it.maximum ?? 1_000, 1_000_000)
  if (type === 'boolean') return true
  if (type === 'null') return null
  return textOf(of.material, Math.min(it.maxLength ?? of.chars, of.chars))
}
