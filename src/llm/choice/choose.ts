import { preferConnected } from '../../domain/likeFit.ts'
import type { Choosing, ListingView } from '../../ports.ts'
import { type Evidence, weighEvidence } from './evidence.ts'
import { toProbability } from './score.ts'

/** `npm run eval -- --data DIR` prints what other limits would cost. */
export const thresholds = {
  /** From this probability on one listing is proposed … */
  propose: 0.5,
  /** … when the next is at least so much less likely, or both are so likely that either will do. */
  margin: 0.1,
  alike: 0.5,
  /** A less likely one is proposed from here on when it is so many times as likely as the next. */
  leading: 0.3,
  lead: 4,
  /** From this probability on listings are shown to pick from. */
  choices: 0.2,
} as const
/** Listings shown to pick from: more are a list, and not a question. */
const leastNear = 0.02
const leastChoices = 2
const mostChoices = 4

/** What a decision follows from, once each listing has its probability. */
export const decide = (
  candidates: { score: number; hasConnected: boolean }[],
  given: Partial<Record<keyof typeof thresholds, number>> = {},
): Pick<Choosing, 'decision' | 'picks'> => {
  const limits = { ...thresholds, ...given }
  const order = preferConnected(candidates.map((it, at) => ({ ...it, at, p: it.score })))
  const [first, second] = order
  if (!first || first.p < limits.choices) return { decision: 'none', picks: [] }
  const next = second?.p ?? 0
  const isAlone = order.every(it => it === first || first.p - it.p >= limits.margin)
  const isLeading = second !== undefined && first.p >= limits.leading && first.p >= next * limits.lead
  const isClear = (first.p >= limits.propose && (isAlone || next >= limits.alike)) || isLeading
  if (isClear) return { decision: 'propose', picks: [first.at] }
  // Alone and unsure: there is nothing to pick from.
  if (!second) return { decision: 'none', picks: [] }
  const likely = order.filter(it => it.p >= limits.choices).slice(0, mostChoices)
  // One alone is no choice: the next likeliest stands beside it.
  const shown = likely.length < leastChoices ? order.slice(0, leastChoices) : likely
  return { decision: 'choices', picks: shown.map(it => it.at) }
}

const likeExample = 0.5

const reasonFor = (evidence: Evidence, isOnly: boolean): string => {
  const { cosineExample = 0, isComplete = 0, required = 0 } = evidence
  const lead =
    cosineExample >= likeExample
      ? 'It lists a request much like yours as an example of its work'
      : isOnly
        ? 'It offers the kind of work that you describe'
        : 'It fits your request better than the other offerings found'
  return `${lead}${isComplete > 0 && required > 0 ? ', and your message has all that it needs' : ''}.`
}

/** A listing that may do what is asked has at least so much of the best one's probability. */
const nearShare = 0.02

/** The probability beside one that is surely meant below which a listing does something else. */
const leastBeside = 0.015

/**
 * Which of the listings within the user's limits may be picked. Where one beyond them is surely meant, only those that are
 * likely beside it remain: who is cheaper and does something else is no substitute.
 */
const admitted = (task: string, listings: ListingView[]): number[] => {
  const within = [...listings.keys()].filter(at => !listings[at]?.isBeyond)
  if (within.length === listings.length) return within
  const together = weighEvidence(task, listings).map(it => toProbability(it))
  const best = Math.max(0, ...together.filter((_, at) => listings[at]?.isBeyond))
  if (best < thresholds.leading) return within
  return within.filter(at => (together[at] ?? 0) >= leastBeside)
}

const cheapest = /\b(?:cheapest|lowest price|as cheap(?:ly)? as possible|(?:the )?cheap one|on the cheap)\b/i
const quickest = /\b(?:fastest|quickest|as (?:fast|quickly|soon) as possible|asap|the (?:fast|quick) one)\b/i
/** Listings that will do have at least this probability, and this share of the best one's. */
const alikeShare = 0.6

/** Of several that will do, the one that the user prefers by price or time; undefined where none is preferred. */
const preferred = (task: string, some: ListingView[], probabilities: number[]): number | undefined => {
  const by = cheapest.test(task)
    ? (it: ListingView) => Number(it.price)
    : quickest.test(task)
      ? (it: ListingView) => it.slaMinutes
      : undefined
  const least = Math.max(thresholds.alike, Math.max(...probabilities) * alikeShare)
  const alike = [...some.keys()].filter(at => (probabilities[at] ?? 0) >= least)
  const byLeast = (a: number, b: number) => {
    const [one, other] = [some[a], some[b]]
    return by && one && other ? by(one) - by(other) : 0
  }
  return by && alike.length > 1 ? alike.toSorted(byLeast)[0] : undefined
}

/**
 * Decides by one calibrated probability a listing: propose one, let the user pick among a few, or say that none fits. Listings
 * beyond the user's limits are compared with, and never picked.
 */
export const choose = ({ task, listings }: { task: string; listings: ListingView[] }): Choosing => {
  const places = admitted(task, listings)
  const some = places.flatMap(at => listings[at] ?? [])
  const evidence = weighEvidence(task, some)
  const probabilities = evidence.map(it => toProbability(it))
  const wished = preferred(task, some, probabilities)
  const isBeside = places.length < listings.filter(it => !it.isBeyond).length
  const scored = some.map(({ hasConnected = true }, at) => ({ score: probabilities[at] ?? 0, hasConnected }))
  const decided = decide(scored, isBeside ? { choices: thresholds.leading } : {})
  // The only one that remains within the limits is proposed when it is likely enough by itself.
  const only = places.length === 1 && listings.length > 1 && (probabilities[0] ?? 0) >= thresholds.leading ? 0 : undefined
  const clear = wished ?? only
  const { decision, picks: picked } = clear === undefined ? decided : { decision: 'propose' as const, picks: [clear] }
  const toPlaces = (of: number[]) => of.flatMap(it => places[it] ?? [])
  const [first = -1] = picked
  const sure = probabilities[first] ?? 0
  const chosen = evidence[first]
  const order = [...probabilities.keys()].sort((a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0))
  const most = probabilities[order[0] ?? -1] ?? 0
  const near = toPlaces(order.filter(at => (probabilities[at] ?? 0) >= Math.max(most * nearShare, leastNear)))
  const told = { picks: toPlaces(picked), sure, near }
  if (decision === 'propose' && chosen) return { ...told, decision, reason: reasonFor(chosen, some.length === 1) }
  if (decision === 'choices') return { ...told, decision, reason: 'More than one offering may be what you mean.' }
  return { decision: 'none', picks: [], reason: 'No offering does what you ask for.', sure: 0, near }
}
