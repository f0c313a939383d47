import { isListed } from '../../../src/domain/offerings/offering.ts'
import { toChosenText } from '../../../src/domain/runTexts/butler.ts'
import type { ButlerDeps } from '../deps.ts'
import { search } from '../nodes/search.ts'
import { readFor } from '../offers/parts.ts'
import { isSame, pointAt } from '../offers/point.ts'
import { type Ref, toOthers } from '../offers/several.ts'
import type { ButlerState, Draft } from '../state.ts'
import { resourceOf } from '../turns/paysFor.ts'
import { after, toTaskDeps, toTaskState } from './taskState.ts'

/** A draft with the offering that was found for it, whether the search is sure of it, and all offerings that may be meant. */
export type Found = { draft: Draft; isSure: boolean; near: Ref[] }

/** Finds the offering of one task. */
export const findOne = async (deps: ButlerDeps, state: ButlerState, draft: Draft): Promise<Found> => {
  const { pick } = draft
  const resource = draft.resource ?? (await resourceOf(deps, state, draft.words))
  if (resource) return { draft: { ...draft, resource, called: undefined }, isSure: true, near: [] }
  const known = pick && (await deps.readListing(pick.agentId, pick.offeringId))
  if (known && isListed(known)) return { draft, isSure: true, near: [] }
  const own = toTaskDeps(deps, draft.at)
  const asked = await toTaskState(deps, state, draft)
  const searched = after(asked, await search(own)(asked))
  const { found, missed } = searched
  const beyond = missed.filter(it => !found.some(one => isSame(one, it)))
  const { chosen, decision, reason, several, near = [] } = await pointAt(own, searched, { refs: found, beyond })
  const likely = near.map(it => it.ref)
  if (!chosen || decision === 'none') {
    const fitting = draft.called ? undefined : await findByForm(own, draft, [...found, ...beyond])
    return { draft: { ...draft, pick: fitting }, isSure: fitting !== undefined, near: likely }
  }
  const { listing, ref } = chosen
  await own.tell(state.runId, {
    kind: 'chosen',
    summary: toChosenText(listing, reason),
    data: { agent_id: listing.agentId, offering_id: listing.id, reason },
    key: `chosen:${state.turn}:${state.round}`,
  })
  const others = toOthers([...several.map(it => it.ref), ...likely], ref)
  return { draft: { ...draft, pick: ref, reason, others }, isSure: decision === 'propose', near: likely }
}

/** Values of a form that words must give to an offering that they do not name. */
const fewestValues = 2

/** The only offering among those found that gets all of its inputs from a task, several of them by their form. */
const findByForm = async (deps: ButlerDeps, draft: Draft, refs: readonly Ref[]): Promise<Ref | undefined> => {
  const read = await Promise.all(refs.map(async pick => ({ pick, is: await readFor(deps, { ...draft, pick }, draft.words) })))
  const [fitting, ...others] = read.filter(({ is }) => is?.isWhole && is.typed >= fewestValues)
  return others.length === 0 ? fitting?.pick : undefined
}
