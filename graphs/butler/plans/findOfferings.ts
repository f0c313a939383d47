import { isListed } from '../../../src/domain/offerings/offering.ts'
import { toChosenText } from '../../../src/domain/runTexts/butler.ts'
import type { ButlerDeps } from '../deps.ts'
import { search } from '../nodes/search.ts'
import { isSame, pointAt } from '../offers/point.ts'
import { toOthers } from '../offers/several.ts'
import type { ButlerState, Draft } from '../state.ts'
import { after, toTaskDeps, toTaskState } from './taskState.ts'

/**
 * The drafts with an offering that does the task, and those for which there is none. Where the search is sure of no part, the
 * message is no plan: then none has an offering.
 */
export const findOfferings = async (deps: ButlerDeps, state: ButlerState): Promise<{ planned: Draft[]; without: Draft[] }> => {
  const found = await Promise.all(state.drafts.map(it => findOne(deps, state, it)))
  const planned = found.some(it => it.isSure) ? found.filter(it => it.draft.pick).map(it => it.draft) : []
  return { planned, without: found.map(it => it.draft).filter(it => !planned.includes(it)) }
}

/** A draft with the offering that was found for it, and whether the search is sure of it. */
export type Found = { draft: Draft; isSure: boolean }

export const findOne = async (deps: ButlerDeps, state: ButlerState, draft: Draft): Promise<Found> => {
  const { pick } = draft
  const known = pick && (await deps.readListing(pick.agentId, pick.offeringId))
  if (known && isListed(known)) return { draft, isSure: true }
  const own = toTaskDeps(deps, draft.at)
  const asked = await toTaskState(deps, state, draft)
  const searched = after(asked, await search(own)(asked))
  const { found, missed } = searched
  const beyond = missed.filter(it => !found.some(one => isSame(one, it)))
  const { chosen, decision, reason, several, near = [] } = await pointAt(own, searched, { refs: found, beyond })
  if (!chosen || decision === 'none') return { draft: { ...draft, pick: undefined }, isSure: false }
  const { listing, ref } = chosen
  await own.tell(state.runId, {
    kind: 'chosen',
    summary: toChosenText(listing, reason),
    data: { agent_id: listing.agentId, offering_id: listing.id, reason },
    key: `chosen:${state.turn}:${state.round}`,
  })
  const others = toOthers(
    [...several, ...near].map(it => it.ref),
    ref,
  )
  return { draft: { ...draft, pick: ref, reason, others }, isSure: decision === 'propose' }
}
