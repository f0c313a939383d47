import { interrupt } from '@langchain/langgraph'
import { type Saying, saying, toHeard } from '../hear.ts'
import type { ButlerState, Update } from '../state.ts'

/** Pauses until the user picks one of the offerings shown or says something else. */
export const offer = ({ choices, offered }: ButlerState): Update => {
  const heard = interrupt<unknown, Saying>({ kind: 'choices', choices, words: offered }, { responseSchema: saying })
  return { ...toHeard(heard), stage: 'choices' }
}
