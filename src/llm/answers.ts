import { z } from 'zod'
import { act } from '../domain/runs/acts.ts'

// Strict structured output requires every property, so optional values are nullable. Limits are checked after parsing.

/** What a message is and states. `act` is of the closed set. */
export const turnRead = z.object({
  act,
  language: z.string(),
  tasks: z.array(z.object({ words: z.string(), search: z.string() })),
  // A provider that does not enforce the schema may omit these properties.
  choice: z.number().nullable().default(null),
  maxPrice: z.string().nullable().default(null),
  agent: z.string().nullable().default(null),
  deadline: z.string().nullable().default(null),
  category: z.string().nullable().default(null),
  inputs: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
})
export type TurnAnswer = z.infer<typeof turnRead>

export const phrased = z.object({ text: z.string() })

export const chosen = z.object({ pick: z.number(), reason: z.string() })

/** Values are JSON text because their types depend on the offering, and a fixed schema cannot describe them. */
export const filled = z.object({ values: z.array(z.object({ name: z.string(), value: z.string() })) })

export const wished = z.object({ wishes: z.array(z.string()) })

export const found = z.object({
  findings: z.array(z.object({ wish: z.number(), outcome: z.enum(['pass', 'fail', 'unverifiable']), evidence: z.string() })),
})
