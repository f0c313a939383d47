import type { Listing } from '../../../src/domain/offerings/offering.ts'
import type { Choosing } from '../../../src/ports.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState } from '../state.ts'

/** Maximum number of offerings shown at once. */
export const maxChoices = 4

export type Ref = ButlerState['found'][number]
export type Live = { ref: Ref; listing: Listing }
export type Pointed = {
  decision: Choosing['decision']
  reason: string
  live: Live[]
  several: Live[]
  chosen: Live | undefined
  near: Live[] | undefined
}

type Pointing = { refs: Ref[]; beyond: Ref[] }
/** Which of these listings does the task: the one that the model's call of this turn points at, or else that of the rules. */
export const pointAt = async (deps: ButlerDeps, state: ButlerState, { refs, beyond }: Pointing): Promise<Pointed> => {
  const { task: short, want } = state
  const { readListing } = deps
  const task = want || short
  const readAll = async (of: Ref[]): Promise<Live[]> => {
    const read = await Promise.all(of.map(async ref => ({ ref, listing: await readListing(ref.agentId, ref.offeringId) })))
    return read.flatMap(({ ref, listing }) => (listing ? [{ ref, listing }] : []))
  }
  const [live, others] = [await readAll(refs), await readAll(beyond)]
  const meant = pointedByModel(state, live) ?? (pointedByModel(state, others) && tooDear(live))
  if (meant) return meant
  const listings = [
    ...live.map(({ ref, listing }) => toView(listing, ref)),
    ...others.map(({ ref, listing }) => ({ ...toView(listing, ref), isBeyond: true })),
  ]
  const { decision, picks, reason, near } = await deps.rules.choose({
    task,
    listings,
    ...(state.files.length > 0 && { takesFile: true }),
  })
  const several = picks.flatMap(it => live[it] ?? [])
  const pointed = { decision, reason, live, several, chosen: several[0], near: near?.flatMap(it => live[it] ?? []) }
  return state.agent && decision !== 'propose' ? { ...pointed, ...amongOwn(live, task) } : pointed
}

/** The listings that the model's call points at, among those that fit the user's limits. Undefined where it points at none. */
const pointedByModel = ({ called }: ButlerState, live: Live[]): Pointed | undefined => {
  if (!called) return undefined
  const several = called.picks.flatMap(it => live.find(one => isSame(one.ref, it)) ?? [])
  if (called.isNone && live.length > 0)
    return { decision: 'none', reason: 'none of them does this.', live, several: [], chosen: undefined, near: [] }
  const [chosen] = several
  if (!chosen || several.length < called.picks.length) return undefined
  return { decision: several.length > 1 ? 'choices' : 'propose', reason: fits, live, several, chosen, near: several }
}

const fits = 'It fits your words best.'

/** What does the task breaks a limit of the user. No other offering takes its place. */
const tooDear = (live: Live[]): Pointed => ({
  ...{ decision: 'none', reason: 'none of them does this.', live, several: [], chosen: undefined, near: [] },
})

/**
 * Selects among the offerings of an agent that the user named: the only one, or the one whose name the message starts to spell
 * out. Otherwise the user picks.
 */
const amongOwn = (live: Live[], task: string): Partial<Pick<Pointed, 'decision' | 'reason' | 'several' | 'chosen'>> => {
  const said = ` ${toPlain(task)} `
  const counted = live.map(it => ({ it, words: wordsBegun(toPlain(it.listing.name), said) }))
  const most = Math.max(minBegun, ...counted.map(it => it.words))
  const named = counted.filter(it => it.words === most).map(({ it }) => it)
  const [only] = named.length === 1 ? named : live.length === 1 ? live : []
  if (only) return { decision: 'propose', reason: 'You named this agent.', several: [only], chosen: only }
  const [first] = live
  return first ? { decision: 'choices', several: live.slice(0, maxChoices), chosen: first } : {}
}

/** Minimum number of common words; one word is not enough to identify a name. */
const minBegun = 2

/** Counts how many words of a name, starting with the first, occur in sequence in the message. */
const wordsBegun = (name: string, said: string): number => {
  const words = name.split(' ')
  return words.findLastIndex((_, at) => said.includes(` ${words.slice(0, at + 1).join(' ')} `)) + 1
}

const toPlain = (text: string): string =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? ''

export const isSame = (a: Ref, b: Ref) => a.agentId === b.agentId && a.offeringId === b.offeringId

const toView = (
  { name, description, price, slaMinutes, examples, requirement }: Listing,
  { coverage, score, hasConnected }: Ref,
) => ({
  ...{ name, description, price, slaMinutes, examples, requirement, coverage, score, hasConnected },
})
