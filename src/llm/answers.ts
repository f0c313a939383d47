import { z } from 'zod'

// Strict structured output wants every property required, so what may be absent is null. Bounds are checked afterwards.

export const understood = z.object({
  intent: z.enum(['task', 'smalltalk', 'help']),
  task: z.string(),
  maxPrice: z.string().nullable(),
  agent: z.string().nullable(),
  // What a provider's schema mode does not enforce may be left out.
  deadline: z.string().nullable().default(null),
  category: z.string().nullable().default(null),
})

export const chosen = z.object({ pick: z.number(), reason: z.string() })

/** Values as JSON text: their types are the offering's, which no fixed schema can know. */
export const filled = z.object({ values: z.array(z.object({ name: z.string(), value: z.string() })) })

export const wished = z.object({ wishes: z.array(z.string()) })

export const found = z.object({
  findings: z.array(z.object({ wish: z.number(), outcome: z.enum(['pass', 'fail', 'unverifiable']), evidence: z.string() })),
})
