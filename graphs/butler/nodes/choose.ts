import type { Listing } from '../../../src/domain/offerings/offering.ts'
import { toChosenText } from '../../../src/domain/runTexts/butler.ts'
import type { ButlerDeps } from '../deps.ts'
import { toPartDrafts } from '../offers/parts.ts'
import { isSame, type Pointed, pointAt } from '../offers/point.ts'
import { refuse } from '../offers/refuse.ts'
import { toOthers, toSeveral } from '../offers/several.ts'
import { list, show, whichOne } from '../offers/show.ts'
import { keepTakers, refuseFiles } from '../offers/takers.ts'
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
    const { missed, isList } = state
    const { found, others } = await keepTakers(deps, state)
    if (found.length === 0 && others.length > 0) return refuseFiles(deps, state, others)
    const beyond = missed.filter(it => !found.some(one => isSame(one, it)))
    const pointed = await pointAt(deps, state, { refs: found, beyond })
    const { chosen, decision, reason } = pointed
    const isPointed = chosen !== undefined && decision !== 'none'
    if (isList && pointed.live.length > 0 && (isPointed || (pointed.live[0]?.ref.coverage ?? 0) >= minShare || state.agent))
      return list(deps, state, pointed)
    if (state.instead && decision !== 'propose') return { pick: undefined, stage: 'none', act: state.instead, to: 'answer' }
    const parts = isSingle(state)
      ? await toPartDrafts(deps, state, { task: state.said[0] ?? '', refs: pointed.live.map(it => it.ref) })
      : []
    if (parts.length > 1) return { drafts: parts, pick: undefined, to: 'plan', stage: 'none' }
    if (!chosen || decision === 'none') return refuse(deps, state, pointed)
    if (decision === 'choices' && pointed.several.length > 1)
      return show(deps, state, { several: pointed.several, lead: whichOne })
    await deps.tell(state.runId, toEvent(state, chosen.listing, reason))
    // What the search is not sure of is proposed, and no mandate agrees to it.
    const calls = isSingle(state) ? callsOf(deps, state, pointed) : undefined
    if (calls && calls.drafts.length > 0) return { ...calls, pick: undefined, to: 'plan', stage: 'none' }
    const isSure = decision === 'propose' && (state.agent !== undefined || chosen.ref.coverage >= minShare)
    return { pick: chosen.ref, reason, stage: 'none', ...(!isSure && { asked: true }) }
  }

/** Whether the newest message is one task as the user said it, and nothing that a model or an earlier message filled in. */
const isSingle = ({ act, said, called, target, drafts, isAmended }: ButlerState) =>
  act === 'task' && said.length === 1 && !called && !target && !isAmended && drafts.length === 0

/** The calls of the task, where the offering takes one value at a time and the words name several. */
const callsOf = ({ now }: ButlerDeps, { said: [words = ''] }: ButlerState, { chosen, several, near = [] }: Pointed) => {
  if (!chosen) return { drafts: [], unplanned: [] }
  const { ref: pick, listing } = chosen
  const refs = [...several, ...near].map(it => it.ref)
  return toSeveral({ words, pick, listing, others: toOthers(refs, pick), now: now() })
}

const toEvent = ({ runId: _, turn, round }: ButlerState, listing: Listing, reason: string) => ({
  kind: 'chosen' as const,
  summary: toChosenText(listing, reason),
  data: { agent_id: listing.agentId, offering_id: listing.id, reason },
  key: `chosen:${turn}:${round}`,
})
