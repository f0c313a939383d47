import { interrupt } from '@langchain/langgraph'
import type { ButlerDeps } from '../deps.ts'
import { type Saying, saying, toHeard } from '../hear.ts'
import type { ButlerState, Update } from '../state.ts'

const replaced = 'A newer proposal took the place of this one. Nothing was hired and nothing was paid for it.'
const lapsed = 'The earlier proposal was no longer open, so your yes did nothing.'

/**
 * Pauses until the user replies to the proposal. A yes to other terms does nothing; the offering is searched, or the price
 * asked, and proposed again.
 */
export const consent =
  ({ agreeByWords, declinePurchase }: Pick<ButlerDeps, 'agreeByWords' | 'declinePurchase'>) =>
  async ({ runId, proposal: hire, purchase, planned, target, ordered, act, heard: said }: ButlerState): Promise<Update> => {
    const proposal = planned ?? hire ?? purchase
    // Calling a free agent directly is consent.
    if (target && proposal?.total === '0') return { decision: 'yes', notice: '' }
    // The write that opens the job checks again that the order or mandate covers it.
    if (ordered || proposal?.mandate?.covers) return { decision: 'yes', notice: '' }
    // A yes in words applies only to the terms that were open at that time.
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
    if (heard.decision === 'replaced') {
      if (purchase) await declinePurchase(runId)
      return { ...words, act: 'none', stage: 'none', decision: 'no', content: replaced }
    }
    if (heard.decision === 'no') return { ...words, act: 'no', decision: 'no' }
    const isSame = heard.decision === 'yes' && heard.digest === proposal?.digest
    return isSame ? { ...words, act: 'yes', decision: 'yes' } : { ...words, decision: 'lapsed', stage: 'none', notice: lapsed }
  }
