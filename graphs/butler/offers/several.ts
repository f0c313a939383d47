import type { Listing } from '../../../src/domain/offerings/offering.ts'
import { mostSteps } from '../../../src/domain/plans/plan.ts'
import { perValue } from '../../../src/language/tasks/perValue.ts'
import type { Draft } from '../state.ts'
import { toOffering } from './toOffering.ts'

/** The keys of an offering. */
export type Ref = NonNullable<Draft['pick']>

export const keyOf = ({ agentId, offeringId }: Ref): string => `${agentId} ${offeringId}`

/** Further offerings that are kept for a standby. */
const maxOthers = 3

/** The offerings of other agents, each once, best first, for a standby. */
export const toOthers = (refs: readonly Ref[], pick: Ref): Ref[] => {
  const others = refs.filter(it => it.agentId !== pick.agentId)
  return others.filter((it, at) => others.findIndex(one => keyOf(one) === keyOf(it)) === at).slice(0, maxOthers)
}

/** A task of several before anything is found or read for it. */
export const newDraft = (at: number, of: Pick<Draft, 'words'> & Partial<Draft>): Draft => ({
  ...{ at, takes: [], reason: '', others: [], said: [], values: {}, references: {} },
  ...{ questions: [], open: {}, asks: {}, leftOut: [], isChanged: false },
  ...of,
})

type Single = { words: string; pick: Ref; others: Ref[]; listing: Listing; now: number }

/**
 * The drafts of a single task whose offering takes one value at a time where its words name several, and what is beyond the most
 * steps; no drafts for a single call.
 */
export const toSeveral = ({ words, listing, now, ...of }: Single): { drafts: Draft[]; unplanned: string[] } => {
  const { requirement, listing: about } = toOffering(listing)
  const calls = perValue({ words, requirement, listing: about, now })
  const drafts = calls.length < 2 ? [] : calls.map((it, at) => newDraft(at, { ...of, words: it.words, read: it.input }))
  return { drafts: drafts.slice(0, mostSteps), unplanned: drafts.slice(mostSteps).map(it => it.words) }
}
