import { z } from 'zod'
import { limits } from '../limits.ts'
import { type forcefulKeywords, schemaTypes } from './schemaKeywords.ts'

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
