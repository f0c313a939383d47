import { interrupt } from '@langchain/langgraph'
import { type Saying, saying, toHeard } from '../hear.ts'
import type { ButlerState, Update } from '../state.ts'

/** Pauses until the user replies to the questions. */
export const ask = ({ questions, lead }: ButlerState): Update => {
  const heard = interrupt<unknown, Saying>({ kind: 'question', questions, lead }, { responseSchema: saying })
  if (heard.kind === 'decision' && heard.decision === 'no') return { ...toHeard(heard), stage: 'ask', act: 'no', decision: 'no' }
  return { ...toHeard(heard), stage: 'ask' }
}
