import { interrupt } from '@langchain/langgraph'
import { z } from 'zod'
import { limits } from '../../../src/domain/limits.ts'
import { tooLong } from '../phrases.ts'
import type { ButlerState, Update } from '../state.ts'

const reply = z.object({ text: z.string(), decision: z.literal('no').optional() })

const left = 'All right, I leave it. Nothing was hired and nothing was paid.'

/** Stops until the user has answered, or leaves the task. */
export const ask = ({ said, questions }: ButlerState): Update => {
  const { text, decision } = interrupt<unknown, z.infer<typeof reply>>({ kind: 'question', questions }, { responseSchema: reply })
  if (said.length >= limits.turns) return { decision: 'no', questions: [], answer: tooLong }
  return decision === 'no' ? { decision, questions: [], answer: left } : { said: [...said, text], questions: [] }
}
