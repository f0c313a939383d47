import { interrupt } from '@langchain/langgraph'
import { z } from 'zod'
import type { ButlerState, Update } from '../state.ts'

const reply = z.object({ delivered: z.boolean() })

/** Stops until the deliverable is in or will never come. The job's own row says which. */
export const dispatch = ({ jobId }: ButlerState): Update => {
  const { delivered } = interrupt<unknown, z.infer<typeof reply>>({ kind: 'delivery', jobId }, { responseSchema: reply })
  return { delivered, verdict: undefined, revised: false }
}
