import { z } from 'zod'

// Strict structured output requires every property, so optional values are nullable. Limits are checked after parsing.

export const understood = z.object({
  intent: z.enum(['task', 'smalltalk', 'help']),
  task: z.string(),
  maxPrice: z.string().nullable(),
  agent: z.string().nullable(),
  // A provider that does not enforce the schema may omit these properties.
  deadline: z.string().nullable().default(null),
  category: z.string().nullable().default(null),
})

export const chosen = z.object({ pick: z.number(), reason: z.string() })

/** Values are JSON text because their types depend on the offering, and a fixed schema cannot describe them. */
export const filled = z.object({ values: z.array(z.object({ name: z.string(), value: z.string() })) })

export const wished = z.object({ wishes: z.array(z.string()) })

export const found = z.object({
  findings: z.array(z.object({ wish: z.number(), outcome: z.enum(['pass', 'fail', 'unverifiable']), evidence: z.string() })),
})
