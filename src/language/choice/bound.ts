import type { Choosing } from '../../ports.ts'
import type { Evidence } from './evidence.ts'

// What a request and a listing have in common for sure bounds what their likeness decides: rare words, values of a form, deeds.

export type Decided = Pick<Choosing, 'decision' | 'picks'>

/**
 * A leader that shares this much, or this share of what the request asks for, is proposed from `least` on when it is `lead` times
 * as probable as the second.
 */
const clear = { shared: 2, head: 0.9, headLeast: 0.12, least: 0.05, lead: 3 }
/** From this probability on, a leader that shares something is shown. */
const shownFrom = 0.2
/** Further words of the same value say no more. */
const mostValues = 2

/** How much of the request is surely the listing's: its rare words, and values of a form that it takes. */
const sharedBy = ({ named = 0, values = 0 }: Evidence): number => named + Math.min(values, mostValues)

/** Whether anything links a request with a listing beside the subject. A request of which nothing is foreign needs no link. */
const isLinked = (it: Evidence): boolean => (it.foreign ?? 0) === 0 || sharedBy(it) > 0 || (it.deeds ?? 0) > 0

/** Whether a listing is near enough to be named where none fits. */
export const isNear = (it: Evidence | undefined): boolean => it !== undefined && sharedBy(it) > 0 && !isOther(it)

/** Whether a listing is named by what the request asks for: "count the words of: …". Others may have these words, too. */
const isNamed = ({ headKnown = 0, headName = 0 }: Evidence): boolean => headKnown > 0 && headName >= clear.head

/** Whether a request orders something else of a listing that it only resembles: "walk my dog" from a trainer of dogs. */
const isOther = (it: Evidence): boolean => {
  const { ordered = 0, otherDeed = 0, foreign = 0, named = 0, deeds = 0 } = it
  const isFar = foreign > 0 && sharedBy(it) < clear.shared
  return ordered > 0 && isFar && (otherDeed > 0 || (named + deeds === 0 && !isNamed(it)))
}

/** Whether a leader that is not likely by itself shares enough with the request, and gets what it needs or a value of it. */
const isClear = (it: Evidence, sure: number, next: number): boolean => {
  const { named = 0, values = 0, missing = 0, otherDeed = 0 } = it
  const isFilled = sharedBy(it) >= clear.shared && (values > 0 || missing === 0 || named >= clear.shared)
  const isHead = named > 0 && isNamed(it) && sure >= clear.headLeast
  return (isFilled || isHead) && otherDeed === 0 && sure >= Math.max(clear.least, next * clear.lead)
}

/** Whether a request gives a listing all that it requires, a value of a form among it. */
const isGiven = ({ missing = 0, required = 0, typed = 0 }: Evidence): boolean => missing === 0 && required > 0 && typed > 0

type Found = { evidence: readonly Evidence[]; probabilities: readonly number[]; isBeside: boolean }

/**
 * Bounds a decision by what request and listing have in common: a leader that shares nothing is not proposed, and one that
 * shares much is proposed or shown although few of its words resemble the request's.
 * @param isBeside better listings are outside the user's limits, so nothing is added
 */
export const boundByWords = (decided: Decided, { evidence, probabilities, isBeside }: Found): Decided => {
  const [first = -1, second] = [...probabilities.keys()].sort((a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0))
  const [pick = first] = decided.picks
  const leader = evidence[pick]
  if (!leader) return decided
  const [sure, next] = [probabilities[first] ?? 0, second === undefined ? 0 : (probabilities[second] ?? 0)]
  const none: Decided = { decision: 'none', picks: [] }
  // One alone is no choice: to show it would propose it.
  const shown: Decided = second === undefined ? none : { decision: 'choices', picks: [first, second] }
  if (decided.decision === 'propose') return isOther(leader) ? (isLinked(leader) && !isBeside ? shown : none) : decided
  if (!isBeside && isClear(leader, sure, next)) return { decision: 'propose', picks: [first] }
  if (decided.decision === 'choices') {
    const [only, ...others] = decided.picks.filter(it => isGiven(evidence[it] ?? {}))
    if (only !== undefined && others.length === 0 && !isBeside && (probabilities[only] ?? 0) >= shownFrom)
      return { decision: 'propose', picks: [only] }
    return isLinked(leader) ? decided : none
  }
  return !isBeside && sure >= shownFrom && isLinked(leader) && sharedBy(leader) > 0 ? shown : none
}
