import { interrupt } from '@langchain/langgraph'
import { type Saying, saying, toHeard } from '../hear.ts'
import type { ButlerState, Update } from '../state.ts'

const lapsed = 'The proposal before was no longer open, so your yes hired nothing.'

/** Stops until the user has answered the proposal. A yes for other terms than these is a change, not a yes. */
export const consent = ({ proposal, target, ordered }: ButlerState): Update => {
  // To call an agent that costs nothing is to want it.
  if (target && proposal?.total === '0') return { decision: 'yes', notice: '' }
  // What covers it is decided again, by the write that opens the job.
  if (ordered || proposal?.mandate?.covers) return { decision: 'yes', notice: '' }
  const heard = interrupt<unknown, Saying>({ kind: 'proposal', proposal }, { responseSchema: saying })
  const words = { ...toHeard(heard), asked: true, stage: 'proposal' as const }
  if (heard.kind !== 'decision' || heard.decision === 'change') return words
  if (heard.decision === 'no') return { ...words, act: 'no', decision: 'no' }
  const isSame = heard.decision === 'yes' && heard.digest === proposal?.digest
  return isSame ? { ...words, act: 'yes', decision: 'yes' } : { ...words, decision: 'lapsed', stage: 'none', notice: lapsed }
}
