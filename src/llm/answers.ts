import { z } from 'zod'
import { act } from '../domain/acts.ts'

// Strict structured output wants every property required, so what may be absent is null. Bounds are checked afterwards.

/** What a message is and states. `act` is of the closed set. */
export const turnRead = z.object({
  act,
  language: z.string(),
  tasks: z.array(z.object({ words: z.string(), search: z.string() })),
  // What a provider's schema mode does not enforce may be left out.
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

/** Values as JSON text: their types are the offering's, which no fixed schema can know. */
export const filled = z.object({ values: z.array(z.object({ name: z.string(), value: z.string() })) })

export const wished = z.object({ wishes: z.array(z.string()) })

export const found = z.object({
  findings: z.array(z.object({ wish: z.number(), outcome: z.enum(['pass', 'fail', 'unverifiable']), evidence: z.string() })),
})
