import { interrupt } from '@langchain/langgraph'
import { type Saying, saying, toHeard } from '../hear.ts'
import type { ButlerState, Update } from '../state.ts'

/** Stops until the user has picked one of the offerings that are shown, or said something else. */
export const offer = ({ choices, offered }: ButlerState): Update => {
  const heard = interrupt<unknown, Saying>({ kind: 'choices', choices, words: offered }, { responseSchema: saying })
  return { ...toHeard(heard), stage: 'choices' }
}
