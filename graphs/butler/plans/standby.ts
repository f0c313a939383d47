import { canonical, json } from '../../../src/domain/json.ts'
import { isAbove } from '../../../src/domain/money/money.ts'
import { isListed, type Listing } from '../../../src/domain/offerings/offering.ts'
import { toPointer } from '../../../src/domain/plans/pointer.ts'
import { conversionFor, placesIn } from '../../../src/domain/plans/references.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Draft } from '../state.ts'
import { fillOne, type Sources } from './fillDraft.ts'

/** Offerings that are tried as a standby of one step. */
const mostTried = 2

type Named = { draft: Draft; listing: Listing; sources: Sources; later: readonly Draft[] }

/**
 * Names a standby for a step whose input is complete: the next offering of another agent for the same price or less. It names
 * as many of the task's words as the first one, takes exactly the same input, and delivers what later steps take. One yes
 * covers it, so another kind of work is no standby.
 */
export const withStandby = async (deps: ButlerDeps, state: ButlerState, of: Named): Promise<Draft> => {
  const { draft, listing, sources } = of
  for (const ref of draft.others.slice(0, mostTried)) {
    const other = await deps.readListing(ref.agentId, ref.offeringId)
    if (ref.coverage < (draft.pick?.coverage ?? 1)) continue
    if (!other || !isListed(other) || isAbove(other.price, listing.price) || !delivers(other, listing, of)) continue
    const fresh = { pick: ref, read: undefined, values: {}, references: {}, questions: [], open: {}, asks: {} }
    const filled = await fillOne(deps, state, { draft: { ...draft, ...fresh }, listing: other, sources })
    const isComplete = filled.questions.length === 0 && Object.keys(filled.open).length === 0
    const isSameInput = toInput(filled) === toInput(draft)
    if (isComplete && isSameInput) return { ...draft, standby: { ref, values: filled.values, references: filled.references } }
  }
  return { ...draft, standby: undefined }
}

const toInput = ({ values, references }: Pick<Draft, 'values' | 'references'>): string =>
  canonical(json.parse(JSON.parse(JSON.stringify({ values, references }))))

/** Whether an offering delivers, at the same places, what later steps take of another one. */
const delivers = (other: Listing, first: Listing, { draft, later, sources }: Named): boolean => {
  const number = sources.get(draft.at)?.number ?? 0
  const paths = later.flatMap(it => Object.values(it.references).flatMap(one => (one.from === number ? [one.path] : [])))
  const schemaAt = ({ deliverable }: Listing, path: string) =>
    placesIn(deliverable).find(it => toPointer(it.path) === path)?.schema
  return paths.every(path => {
    const [given, wanted] = [schemaAt(other, path), schemaAt(first, path)]
    return given !== undefined && wanted !== undefined && JSON.stringify(conversionFor(given, wanted)) === '{}'
  })
}
