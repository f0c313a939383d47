import type { Listing } from '../../../src/domain/offerings/offering.ts'
import { toChosenText } from '../../../src/domain/runTexts/butler.ts'
import type { ButlerDeps } from '../deps.ts'
import { isSame, pointAt } from '../offers/point.ts'
import { refuse } from '../offers/refuse.ts'
import { list, show, whichOne } from '../offers/show.ts'
import type { ButlerState, Update } from '../state.ts'

/** Minimum share (0–1) of the request's words that the best listing must contain for a list, and for a hire under a mandate. */
const minShare = 0.3

/**
 * Lets the model select among the offerings that the search found: one to propose, several to show, or none. The model answers
 * only with indexes. A listing's own text therefore cannot introduce another agent, another price or a second hire.
 */
export const choose =
  (deps: ButlerDeps) =>
  async (state: ButlerState): Promise<Update> => {
    const { found, missed, isList } = state
    const beyond = missed.filter(it => !found.some(one => isSame(one, it)))
    const pointed = await pointAt(deps, state, { refs: found, beyond })
    const { chosen, decision, reason } = pointed
    if (isList && pointed.live.length > 0 && (chosen || (pointed.live[0]?.ref.coverage ?? 0) >= minShare || state.agent))
      return list(deps, state, pointed)
    if (state.instead && decision !== 'propose') return { pick: undefined, stage: 'none', act: state.instead, to: 'answer' }
    if (!chosen || decision === 'none') return refuse(deps, state, pointed)
    if (decision === 'choices' && pointed.several.length > 1)
      return show(deps, state, { several: pointed.several, lead: whichOne })
    await deps.tell(state.runId, toEvent(state, chosen.listing, reason))
    // An offering that the search is unsure of is proposed too, but no mandate agrees to it.
    const isSure = decision === 'propose' && (state.agent !== undefined || chosen.ref.coverage >= minShare)
    return { pick: chosen.ref, reason, stage: 'none', ...(!isSure && { asked: true }) }
  }

const toEvent = ({ runId: _, turn, round }: ButlerState, listing: Listing, reason: string) => ({
  kind: 'chosen' as const,
  summary: toChosenText(listing, reason),
  data: { agent_id: listing.agentId, offering_id: listing.id, reason },
  key: `chosen:${turn}:${round}`,
})
