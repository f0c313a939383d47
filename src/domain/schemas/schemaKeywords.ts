import { z } from 'zod'
import { fileKeywords } from '../files/fileRules.ts'
import { limits } from '../limits.ts'

export const forcefulKeywords = [
  'type',
  'required',
  'properties',
  'items',
  'additionalProperties',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'const',
  'anyOf',
  'oneOf',
  'allOf',
] as const
/** Keywords that are only annotations here. A stranger's pattern could take unbounded time and is not checked. */
export const notingKeywords = [
  'title',
  'description',
  'default',
  'examples',
  'example',
  'format',
  'pattern',
  'contentMediaType',
  ...fileKeywords,
  'deprecated',
  'readOnly',
  'writeOnly',
  '$schema',
  '$comment',
] as const
/** Keywords of references inside one schema. References are replaced by their targets at the registration. */
export const referringKeywords = ['$ref', '$defs', 'definitions'] as const
export const schemaTypes = ['object', 'string', 'number', 'integer', 'boolean', 'array', 'null'] as const

const kind = z.enum(schemaTypes)
const count = z.number().int().min(0)
const branches = z.array(z.unknown()).min(1).max(limits.schemaProperties).optional()
export const branching = ['anyOf', 'oneOf', 'allOf'] as const

/** The enforced keywords and their valid values. Any other value would be a rule that is not enforced, or an unchecked schema. */
export const keywords = z.object({
  type: kind.or(z.array(kind).min(1).max(kind.options.length)).optional(),
  required: z.array(z.string()).max(limits.schemaProperties).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.boolean().or(z.record(z.string(), z.unknown())).optional(),
  enum: z
    .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .max(limits.schemaProperties)
    .optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
  minItems: count.optional(),
  maxItems: count.optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  const: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
  anyOf: branches,
  oneOf: branches,
  allOf: branches,
} satisfies Record<(typeof forcefulKeywords)[number], z.ZodType>)

export type Branching = (typeof branching)[number]
export type Keywords = z.infer<typeof keywords>
