import { interrupt } from '@langchain/langgraph'
import type { ButlerDeps } from '../deps.ts'
import { type Saying, saying, toHeard } from '../hear.ts'
import type { ButlerState, Update } from '../state.ts'

const lapsed = 'The proposal before was no longer open, so your yes hired nothing.'

/** Stops until the user has answered the proposal. A yes for other terms than these is a change, not a yes. */
export const consent =
  ({ agreeByWords }: Pick<ButlerDeps, 'agreeByWords'>) =>
  async ({ runId, proposal, target, ordered, act, heard: said }: ButlerState): Promise<Update> => {
    // To call an agent that costs nothing is to want it.
    if (target && proposal?.total === '0') return { decision: 'yes', notice: '' }
    // What covers it is decided again, by the write that opens the job.
    if (ordered || proposal?.mandate?.covers) return { decision: 'yes', notice: '' }
    // Words that were read as a yes bind to the terms that were open when they were said.
    if (said && act === 'yes' && proposal) {
      const { interruptId, isLapsed, mayAgree, digest } = said
      const fits = mayAgree && !isLapsed && digest === proposal.digest
      const isAgreed = fits && (await agreeByWords(runId, { interruptId, digest }))
      return isAgreed
        ? { heard: undefined, asked: true, decision: 'yes', notice: '' }
        : { heard: undefined, asked: true, decision: 'lapsed', stage: 'none', notice: lapsed }
    }
    const heard = interrupt<unknown, Saying>({ kind: 'proposal', proposal }, { responseSchema: saying })
    const words = { ...toHeard(heard), asked: true, stage: 'proposal' as const }
    if (heard.kind !== 'decision' || heard.decision === 'change') return words
    if (heard.decision === 'no') return { ...words, act: 'no', decision: 'no' }
    const isSame = heard.decision === 'yes' && heard.digest === proposal?.digest
    return isSame ? { ...words, act: 'yes', decision: 'yes' } : { ...words, decision: 'lapsed', stage: 'none', notice: lapsed }
  }
