import type { Listing } from '../../../src/domain/offerings/offering.ts'
import { toChosenText } from '../../../src/domain/runTexts/butler.ts'
import { readSteps } from '../../../src/language/tasks/steps.ts'
import type { ButlerDeps } from '../deps.ts'
import { isSame, type Live, pointAt } from '../offers/point.ts'
import { refuse } from '../offers/refuse.ts'
import { list, show, whichOne } from '../offers/show.ts'
import { toOffering } from '../offers/toOffering.ts'
import type { ButlerState, Update } from '../state.ts'
import { toDraft } from '../turns/begin.ts'

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
    const several = state.act === 'task' && state.target === undefined ? toSeveral(deps, state, chosen) : undefined
    if (several) return { ...several, reason }
    return { pick: chosen.ref, reason, stage: 'none', ...(!isSure && { asked: true }) }
  }

/** A task that its offering takes several calls for, such as the time in two cities, is a plan. */
const toSeveral = ({ now }: ButlerDeps, { said, drafts }: ButlerState, { ref, listing }: Live): Update | undefined => {
  const [words = '', ...more] = said
  if (more.length > 0 || drafts.length > 0) return undefined
  const calls = readSteps([{ words, offering: toOffering(listing) }], now())
  if (calls.length < 2) return undefined
  return { to: 'plan', pick: undefined, drafts: calls.map((it, at) => ({ ...toDraft(it, at), pick: ref, values: it.input })) }
}

const toEvent = ({ runId: _, turn, round }: ButlerState, listing: Listing, reason: string) => ({
  kind: 'chosen' as const,
  summary: toChosenText(listing, reason),
  data: { agent_id: listing.agentId, offering_id: listing.id, reason },
  key: `chosen:${turn}:${round}`,
})
