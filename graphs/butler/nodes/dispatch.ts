import { interrupt } from '@langchain/langgraph'
import { z } from 'zod'
import type { ButlerState, Update } from '../state.ts'

const reply = z.object({ delivered: z.boolean() })

/** Pauses until the deliverable arrives or can no longer arrive, as recorded in the job's row. */
export const dispatch = ({ jobId }: ButlerState): Update => {
  const { delivered } = interrupt<unknown, z.infer<typeof reply>>({ kind: 'delivery', jobId }, { responseSchema: reply })
  return { delivered, verdict: undefined, revised: false }
}
