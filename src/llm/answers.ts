import { z } from 'zod'

// Strict structured output requires every property. Limits are checked after parsing.

export const phrased = z.object({ text: z.string() })

export const found = z.object({
  findings: z.array(z.object({ wish: z.number(), outcome: z.enum(['pass', 'fail', 'unverifiable']), evidence: z.string() })),
})
