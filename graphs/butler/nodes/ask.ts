import { interrupt } from '@langchain/langgraph'
import { z } from 'zod'
import type { ButlerState, Update } from '../state.ts'

const reply = z.object({ text: z.string() })

/** Stops until the user has answered. */
export const ask = ({ said, questions }: ButlerState): Update => {
  const { text } = interrupt<unknown, z.infer<typeof reply>>({ kind: 'question', questions }, { responseSchema: reply })
  return { said: [...said, text], questions: [] }
}
