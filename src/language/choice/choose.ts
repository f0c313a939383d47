import { preferConnected } from '../../domain/offerings/likeFit.ts'
import type { Choosing, ListingView } from '../../ports.ts'
import { toProperties } from '../fields/requirement.ts'
import { hasCodeFor, withoutCodes } from '../forms/codedFields.ts'
import { toTerms } from '../words/words.ts'
import { boundByWords, type Decided, isNear } from './bound.ts'
import { type Evidence, weighEvidence } from './evidence.ts'
import { toProbability } from './score.ts'
import { toAsked } from './vectors.ts'

/** Probability thresholds of a choice. `npm run eval -- --data DIR` prints the effect of other values. */
export const thresholds = {
  /** A listing is proposed from this probability on. */
  propose: 0.5,
  /** It must also exceed every other listing by `margin`, unless the second listing reaches `alike`: then either one fits. */
  margin: 0.1,
  alike: 0.5,
  /** A listing is also proposed from `leading` on when it is `lead` times as probable as the second. */
  leading: 0.3,
  lead: 4,
  /** From this probability on, listings are offered for the user to pick from. */
  choices: 0.2,
} as const
/** `minNear` is the minimum probability of a listing in `near`. The other two bound how many listings the user picks from. */
const minNear = 0.02
const minChoices = 2
const maxChoices = 4

/** Decides from the probability of each listing: propose one, offer a few to pick from, or choose none. */
export const decide = (
  candidates: { score: number; hasConnected: boolean }[],
  given: Partial<Record<keyof typeof thresholds, number>> = {},
): Decided => {
  const limits = { ...thresholds, ...given }
  const order = preferConnected(candidates.map((it, at) => ({ ...it, at, p: it.score })))
  const [first, second] = order
  if (!first || first.p < limits.choices) return { decision: 'none', picks: [] }
  const next = second?.p ?? 0
  const isAlone = order.every(it => it === first || first.p - it.p >= limits.margin)
  const isLeading = second !== undefined && first.p >= limits.leading && first.p >= next * limits.lead
  const isClear = (first.p >= limits.propose && (isAlone || next >= limits.alike)) || isLeading
  if (isClear) return { decision: 'propose', picks: [first.at] }
  // A single uncertain candidate leaves nothing to pick from.
  if (!second) return { decision: 'none', picks: [] }
  const likely = order.filter(it => it.p >= limits.choices).slice(0, maxChoices)
  // One listing alone is no choice, so the second most probable is added.
  const shown = likely.length < minChoices ? order.slice(0, minChoices) : likely
  return { decision: 'choices', picks: shown.map(it => it.at) }
}

const likeExample = 0.5

const reasonFor = (evidence: Evidence, isOnly: boolean): string => {
  const { cosineExample = 0, isComplete = 0, required = 0 } = evidence
  const lead =
    cosineExample >= likeExample
      ? 'It lists a request similar to yours as an example of its work'
      : isOnly
        ? 'It offers the kind of work that you describe'
        : 'It fits your request better than the other offerings found'
  return `${lead}${isComplete > 0 && required > 0 ? ', and your message has all its inputs' : ''}.`
}

/** A listing is near the best one when it has at least this share of its probability. */
const nearShare = 0.02

/** Minimum probability of a listing that can replace a better match outside the user's limits. */
const minBeside = 0.015
/** It must also have a word of what the request asks for, or this similarity (0–1) of subjects with it. */
const minHeadSubject = 0.5

/** Whether a listing does what a request asks for, and not only something with the same inputs. */
const isSameWork = ({ headKnown = 0, headAll = 0, headSubject = 0 }: Evidence): boolean =>
  headKnown === 0 || headAll > 0 || headSubject >= minHeadSubject

/**
 * Returns the indexes of the listings within the user's limits that may be picked. When a listing outside the limits clearly
 * matches, others need a minimum probability and must do the same work. A cheaper agent for different work is no substitute.
 */
const admitted = (task: string, listings: ListingView[]): number[] => {
  const within = [...listings.keys()].filter(at => !listings[at]?.isBeyond)
  if (within.length === listings.length) return within
  const evidence = weighEvidence(task, listings)
  const together = evidence.map(it => toProbability(it))
  const best = Math.max(0, ...together.filter((_, at) => listings[at]?.isBeyond))
  if (best < thresholds.leading) return within
  // Where the head of the request is no word of the best listing either, it tells nothing of the others.
  const tells = isSameWork(evidence[together.indexOf(best)] ?? {})
  return within.filter(at => (together[at] ?? 0) >= minBeside && (!tells || isSameWork(evidence[at] ?? {})))
}

const cheapest = /\b(?:cheapest|lowest price|as cheap(?:ly)? as possible|(?:the )?cheap one|on the cheap)\b/i
const quickest = /\b(?:fastest|quickest|as (?:fast|quickly|soon) as possible|asap|the (?:fast|quick) one)\b/i
/**
 * A listing fits as well as the best one when it has at least this share of its probability. It must also reach
 * `thresholds.alike`.
 */
const alikeShare = 0.6

/** Who does the work, as a request asks for it and as a listing says it. */
const makers: [asked: RegExp, said: RegExp][] = [
  [
    /\b(?:human|by[ -]hand|hand-?made|manual(?:ly)?|(?:by|from) (?:an? )?(?:real )?(?:people|person|expert|professional)|real (?:people|person))\b/i,
    /\b(?:human|people|person|by hand|hand-?made|manual(?:ly)?)\b/i,
  ],
  [
    /\b(?:by (?:an? )?(?:machine|software|computer|robot|ai)|automatic(?:ally)?)\b/i,
    /\b(?:machine|software|automatic(?:ally)?|robot|ai)\b/i,
  ],
]

/** The only one of the likely listings that says it is made by those whom the user asks for: people, or a machine. */
const madeBy = (task: string, some: ListingView[], probabilities: number[]): number | undefined => {
  const said = makers.find(([asked]) => asked.test(task))?.[1]
  const least = Math.max(thresholds.choices, Math.max(...probabilities) * likelyShare)
  const likely = [...some.keys()].filter(at => (probabilities[at] ?? 0) >= least)
  const made = said ? likely.filter(at => said.test(`${some[at]?.name}. ${some[at]?.description}`)) : []
  return made.length === 1 && likely.length > 1 ? made[0] : undefined
}
/** Share of the best probability from which a listing may be meant by who makes it. */
const likelyShare = 0.25

/** Returns the cheapest or fastest of several fitting listings when the user asks for that; otherwise undefined. */
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
 * The listings that take what the whole request names, and do different things with it: "I have some text". Naming an input asks
 * for none of them. Empty for a request that names more, and where only one listing takes it.
 */
const takersOnly = (task: string, some: ListingView[], evidence: Evidence[]): number[] => {
  const asked = toAsked(task)
  const takes = ({ requirement = {} }: ListingView) => {
    const names = new Set(toProperties(requirement).flatMap(it => (it.required ? toTerms(it.name) : [])))
    return asked.length > 0 && asked.every(it => names.has(it))
  }
  const takers = [...some.keys()].filter(at => some[at] && takes(some[at]) && (evidence[at]?.typed ?? 0) === 0)
  return takers.length > 1 ? takers.slice(0, maxChoices) : []
}

/**
 * What the form of a value adds to the probability of a listing: the first raises it to a proposal, the second shows it. Beside
 * at most so many other words, the value is what is asked for, and a listing without it is no more probable than `rival`.
 */
const byForm = { only: 0.6, several: 0.4, words: 3, rival: 0.5, tie: 1e-6 }

/** Raises the listings that need a value whose form the request has, and no other words look like. Clear words go before it. */
const raiseByForm = (task: string, some: ListingView[], probabilities: number[]): number[] => {
  const taking = some.map(({ requirement }) => requirement !== undefined && hasCodeFor(task, requirement))
  const count = taking.filter(it => it).length
  if (count === 0) return probabilities
  const rival = Math.max(0, ...probabilities.filter((_, at) => !taking[at]))
  const isAll = count === 1 && toAsked(withoutCodes(task)).length <= byForm.words
  const floor = count > 1 ? byForm.several : isAll || rival < thresholds.propose ? byForm.only : thresholds.choices
  // One that the words mean as well is not passed over for a listing that takes any code.
  const ownFloor = (it: number) => (count === 1 && it >= thresholds.choices ? Math.max(floor, rival + byForm.tie) : floor)
  return probabilities.map((it, at) => (taking[at] ? Math.max(it, ownFloor(it)) : isAll ? Math.min(it, byForm.rival) : it))
}

/**
 * Chooses by the calibrated probability of each listing: proposes one, offers a few to pick from, or reports that none fits.
 * Listings outside the user's limits are only used for comparison.
 */
export const choose = ({
  task,
  listings,
  takesFile,
}: {
  task: string
  listings: ListingView[]
  takesFile?: boolean
}): Choosing => {
  const places = admitted(task, listings)
  const some = places.flatMap(at => listings[at] ?? [])
  // A file that a listing takes is a value of the request.
  const evidence = weighEvidence(task, some).map(it => (takesFile ? { ...it, values: (it.values ?? 0) + 1 } : it))
  const probabilities = raiseByForm(
    task,
    some,
    evidence.map(it => toProbability(it)),
  )
  const wished = preferred(task, some, probabilities) ?? madeBy(task, some, probabilities)
  const isBeside = places.length < listings.filter(it => !it.isBeyond).length
  const scored = some.map(({ hasConnected = true }, at) => ({ score: probabilities[at] ?? 0, hasConnected }))
  const decided = boundByWords(decide(scored, isBeside ? { choices: thresholds.leading } : {}), {
    evidence,
    probabilities,
    isBeside,
  })
  const takers = takersOnly(task, some, evidence)
  // The only listing within the limits is proposed when its own probability is high enough.
  const only = places.length === 1 && listings.length > 1 && (probabilities[0] ?? 0) >= thresholds.leading ? 0 : undefined
  const clear = wished ?? only
  const unclear = takers.length > 0 ? { decision: 'choices' as const, picks: takers } : decided
  const { decision, picks: picked } = clear === undefined ? unclear : { decision: 'propose' as const, picks: [clear] }
  const toPlaces = (of: number[]) => of.flatMap(it => places[it] ?? [])
  const [first = -1] = picked
  const sure = probabilities[first] ?? 0
  const chosen = evidence[first]
  const order = [...probabilities.keys()].sort((a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0))
  const most = probabilities[order[0] ?? -1] ?? 0
  const isAllowed = (at: number) => decision !== 'none' || isNear(evidence[at])
  const near = toPlaces(order.filter(at => (probabilities[at] ?? 0) >= Math.max(most * nearShare, minNear) && isAllowed(at)))
  const told = { picks: toPlaces(picked), sure, near }
  if (decision === 'propose' && chosen) return { ...told, decision, reason: reasonFor(chosen, some.length === 1) }
  if (decision === 'choices') return { ...told, decision, reason: 'More than one offering matches your request.' }
  return { decision: 'none', picks: [], reason: 'No offering does what you ask for.', sure: 0, near }
}
