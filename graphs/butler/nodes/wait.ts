import { interrupt } from '@langchain/langgraph'
import { z } from 'zod'
import type { ButlerState, Update } from '../state.ts'

const reply = z.object({ news: z.literal(true) })

/** Pauses until a step of the plan begins or ends, as its rows say. */
export const wait = ({ seen, progress }: ButlerState): Update => {
  interrupt({ kind: 'plan', seen, words: progress }, { responseSchema: reply })
  return {}
}
