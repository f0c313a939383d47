import type { Choosing } from '../../ports.ts'
import type { Evidence } from './evidence.ts'

// What a request and a listing have in common for sure bounds what their likeness decides: rare words, values of a form, deeds.

export type Decided = Pick<Choosing, 'decision' | 'picks'>

/**
 * A leader that shares this much, or this share of what the request asks for, is proposed from `least` on when it is `lead` times
 * as probable as the second.
 */
const clear = { shared: 2, head: 0.9, headLeast: 0.12, least: 0.05, lead: 3 }
/** From this probability on, a leader is shown that shares something, or several words or values. */
const shownFrom = { linked: 0.2, shared: 0.1 }
const mostShown = 4
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

/**
 * Whether a request is all a listing's: nothing of it is foreign, and it has several of the listing's own words and nearly all
 * inputs. Or it gives values of two kinds, such as a quoted text and a language, and the listing takes both and needs no more.
 */
const isWholly = (it: Evidence): boolean => {
  const { foreign = 0, named = 0, missing = 0, otherDeed = 0, typesShared = 0, typesUntaken = 0 } = it
  const isOwn = foreign === 0 && named >= clear.shared && missing <= 1
  const isKind = ['type language', 'type currencies', 'type units', 'type route'].some(of => (it[of] ?? 0) > 0)
  const isTaken = isKind && typesShared >= clear.shared && typesUntaken === 0 && missing === 0 && foreign <= mostForeign
  return otherDeed === 0 && (isOwn || isTaken)
}
/** Words around two values that may be foreign to a listing that takes both. */
const mostForeign = 2

/** Whether all that is asked for is named by a listing whose subject it is, too: "I have this parcel here and it must go away". */
const isMeant = ({ named = 0, headAll = 0, headSubject = 0, otherDeed = 0 }: Evidence): boolean =>
  named > 0 && headAll >= clear.head && headSubject >= meantSubject && otherDeed === 0
const meantSubject = 0.45
/** From this probability on, a listing that is meant is shown. */
const meantFrom = 0.01

/** Whether a request gives a listing all that it requires, a value of a form among it. */
const isGiven = ({ missing = 0, required = 0, typed = 0 }: Evidence): boolean => missing === 0 && required > 0 && typed > 0

type Found = { evidence: readonly Evidence[]; probabilities: readonly number[]; isBeside: boolean }

const none: Decided = { decision: 'none', picks: [] }

/**
 * Bounds a decision by what request and listing have in common: a leader that shares nothing is not proposed, and one that
 * shares much is proposed or shown although few of its words resemble the request's.
 * @param isBeside better listings are outside the user's limits, so nothing is added
 */
export const boundByWords = (decided: Decided, found: Found): Decided => {
  const { evidence, probabilities } = found
  const order = [...probabilities.keys()].sort((a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0))
  const leader = evidence[decided.picks[0] ?? order[0] ?? -1]
  if (!leader) return decided
  const isKept = decided.decision === 'propose' ? !isOther(leader) : decided.decision === 'choices' && isLinked(leader)
  if (found.isBeside) return isKept ? decided : none
  // One alone is no choice: to show it would propose it.
  const show = (picks: number[]): Decided =>
    order.length < 2 ? none : { decision: 'choices', picks: [...new Set([...picks, ...order])].slice(0, toShown(picks)) }
  if (decided.decision === 'propose') return isKept ? decided : isLinked(leader) ? show([]) : none
  return boundByOne(order, decided, found) ?? (isKept ? decided : boundByLead(order, found, show))
}
const toShown = ({ length }: number[]) => Math.min(Math.max(length, 2), mostShown)

/** Proposes the only listing that is wholly or clearly meant, or that gets all its inputs, and shows several; else undefined. */
const boundByOne = ([first = -1]: number[], { picks }: Decided, { evidence, probabilities }: Found): Decided | undefined => {
  const wholly = [...evidence.keys()].filter(at => isWholly(evidence[at] ?? {}))
  if (wholly.length > 0) return { decision: wholly.length === 1 ? 'propose' : 'choices', picks: wholly.slice(0, mostShown) }
  // A listing that shares nothing with the request is no rival.
  const next = Math.max(0, ...probabilities.filter((_, at) => at !== first && sharedBy(evidence[at] ?? {}) > 0))
  const isSure = isClear(evidence[first] ?? {}, probabilities[first] ?? 0, next)
  if (isSure) return { decision: 'propose', picks: [first] }
  const [only, ...others] = picks.filter(it => isGiven(evidence[it] ?? {}))
  const isOnly = only !== undefined && others.length === 0 && (probabilities[only] ?? 0) >= shownFrom.linked
  return isOnly ? { decision: 'propose', picks: [only] } : undefined
}

/** Shows what is asked for by its name and subject, or else the leader that shares something with the request. */
const boundByLead = (order: number[], { evidence, probabilities }: Found, show: (picks: number[]) => Decided): Decided => {
  const meant = order.filter(at => isMeant(evidence[at] ?? {}) && (probabilities[at] ?? 0) >= meantFrom)
  if (meant.length > 0) return show(meant)
  const leader = evidence[order[0] ?? -1] ?? {}
  const least = sharedBy(leader) + (leader.deeds ?? 0) >= clear.shared ? shownFrom.shared : shownFrom.linked
  const isShown = (probabilities[order[0] ?? -1] ?? 0) >= least && isLinked(leader) && sharedBy(leader) > 0
  return isShown ? show([]) : none
}
