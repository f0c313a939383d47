import type { Choice } from '../../../src/domain/choice.ts'
import { isListed, type Listing } from '../../../src/domain/offering.ts'
import type { Choosing } from '../../../src/ports.ts'
import type { ButlerDeps } from '../deps.ts'
import { metered } from '../metered.ts'
import type { ButlerState, Update } from '../state.ts'

/** Maximum number of offerings shown at once. */
const mostChoices = 4
/** Minimum share (0–1) of the request's words that the best listing must contain when the user only asks for a list. */
const leastShare = 0.3
/** A listing is shown next to the best one if its score is at least this share of the best score. */
const nearShare = 0.75

/**
 * Lets the model select among the offerings that the search found: one to propose, several to show, or none. The model answers
 * only with indexes. A listing's own text therefore cannot introduce another agent, another price or a second hire.
 */
export const choose =
  (deps: ButlerDeps) =>
  async (state: ButlerState): Promise<Update> => {
    const { found, missed, isList } = state
    const beyond = missed.filter(it => !found.some(one => isSame(one, it)))
    const pointed = await pointAt(deps, state, { refs: found, beyond })
    const { chosen, decision, reason } = pointed
    if (isList && pointed.live.length > 0 && (chosen || (pointed.live[0]?.ref.coverage ?? 0) >= leastShare || state.agent))
      return list(deps, state, pointed)
    if (state.instead && decision !== 'propose') return { pick: undefined, stage: 'none', act: state.instead, to: 'answer' }
    if (!chosen || decision === 'none') return refuse(deps, state, pointed)
    if (decision === 'choices' && pointed.several.length > 1)
      return show(deps, state, { several: pointed.several, lead: whichOne })
    await deps.tell(state.runId, toEvent(state, chosen.listing, reason))
    return { pick: chosen.ref, reason, stage: 'none' }
  }

const whichOne = 'Which of these do you mean?'

type Ref = ButlerState['found'][number]
type Live = { ref: Ref; listing: Listing }
type Pointed = {
  decision: Choosing['decision']
  reason: string
  live: Live[]
  several: Live[]
  chosen: Live | undefined
  near: Live[] | undefined
}

const toEvent = ({ runId: _, turn, round }: ButlerState, { agentId, id, name, agentHandle }: Listing, reason: string) => ({
  kind: 'chosen' as const,
  summary: `Chose "${name}" by ${agentHandle}: ${reason}`,
  data: { agent_id: agentId, offering_id: id, reason },
  key: `chosen:${turn}:${round}`,
})

/** Answers which offerings exist or what they cost. The recommended ones can then be picked. */
const list = async (deps: ButlerDeps, state: ButlerState, { chosen, several, live, near: likely }: Pointed): Promise<Update> => {
  const best = chosen ?? live[0]
  if (state.agent && best)
    return {
      pick: undefined,
      stage: 'none',
      choices: live.slice(0, mostChoices).map(toChoice),
      content: await deps.describeOffers(live.slice(0, 2).map(toChoice)),
    }
  const near = likely ?? live.filter(it => best && (it.ref.score ?? 0) >= (best.ref.score ?? 0) * nearShare)
  const shown = [...new Set(several.length > 1 ? several : [...(best ? [best] : []), ...near])].slice(0, mostChoices)
  if (state.act === 'price')
    return { pick: undefined, stage: 'none', choices: shown.map(toChoice), content: toPrices(shown.slice(0, 2)) }
  return show(deps, state, {
    several: shown,
    lead: shown.length > 1 ? `I would take the first for this. ${whichOne}` : 'This one does it. Shall I take it?',
  })
}

const toPrices = (shown: Live[]) =>
  `${shown.map(({ listing: it }) => `“${it.name}” by ${it.agentName} (${it.agentHandle}) costs ${it.price} USDC and takes up to ${span(it.slaMinutes)}.`).join('\n')}\nThat is all you pay; the fee is part of the price. Tell me what you need, and I propose it.`

const show = async (
  { tellAlive }: ButlerDeps,
  _: ButlerState,
  { several, lead }: { several: Live[]; lead: string },
): Promise<Update> => {
  const shown = several.slice(0, mostChoices)
  const alive = await Promise.all(shown.map(it => tellAlive(it.listing.agentId)))
  const lines = shown.map(
    ({ listing: it }, at) =>
      `${at + 1}. “${it.name}” by ${it.agentName} (${it.agentHandle}): ${it.price} USDC, up to ${span(it.slaMinutes)}, ${alive[at]}. ${it.description.split(/(?<=[.!?])\s/)[0]?.slice(0, 160) ?? ''}`,
  )
  return {
    pick: undefined,
    stage: 'choices',
    choices: shown.map(toChoice),
    offered: [lead, ...lines, 'Say which one, or what is different.'].join('\n'),
  }
}

const toChoice = ({ listing }: Live): Choice => ({
  agent_handle: listing.agentHandle,
  agent_id: listing.agentId,
  offering_id: listing.id,
  name: listing.name,
  price: listing.price,
})

const span = (minutes: number) =>
  minutes === 1
    ? '1 minute'
    : minutes < 120 || minutes % 60 !== 0
      ? `${minutes} minutes`
      : `${minutes / 60} hours (${minutes} minutes)`

/** Handles a search without a match: it keeps the earlier proposal, or names the nearest offering and what it lacks. */
const refuse = async (deps: ButlerDeps, state: ButlerState, { reason, live }: Pointed): Promise<Update> => {
  if (await stands(deps, state)) return { pick: state.before, reason: state.reason, notice: stillProposed(state) }
  const unpaid = await deps.unpaid(state.runId)
  // An offering outside the user's limits is nearer than a cheap one that does something else.
  const { chosen: beyond } =
    state.missed.length > 0 ? await pointAt(deps, state, { refs: state.missed, beyond: [] }) : { chosen: undefined }
  const gap = state.missed.find(it => beyond && isSame(it, beyond.ref))?.gap ?? ''
  const answer = beyond ? fitsButFor(beyond.listing, gap) : nothingFits(reason, live[0]?.listing)
  const nearest = beyond ?? live[0]
  return {
    ...{ pick: undefined, stage: 'none', act: 'none', next: [] },
    content: [answer, unpaid].filter(Boolean).join(' '),
    choices: nearest ? [toChoice(nearest)] : [],
  }
}

/** Whether the earlier proposal still holds: the message asked for a change, and the offering is still listed. */
const stands = async ({ readListing }: ButlerDeps, { before, act }: ButlerState): Promise<boolean> => {
  const listing = act === 'change' && before ? await readListing(before.agentId, before.offeringId) : undefined
  return listing !== undefined && isListed(listing)
}

type Pointing = { refs: Ref[]; beyond: Ref[] }
const pointAt = async (deps: ButlerDeps, state: ButlerState, { refs, beyond }: Pointing): Promise<Pointed> => {
  const { runId, turn, task: short, want, round } = state
  const { model, readListing } = deps
  const task = want || short
  const readAll = async (of: Ref[]): Promise<Live[]> => {
    const read = await Promise.all(of.map(async ref => ({ ref, listing: await readListing(ref.agentId, ref.offeringId) })))
    return read.flatMap(({ ref, listing }) => (listing ? [{ ref, listing }] : []))
  }
  const [live, others] = [await readAll(refs), await readAll(beyond)]
  const listings = [
    ...live.map(({ ref, listing }) => toView(listing, ref)),
    ...others.map(({ ref, listing }) => ({ ...toView(listing, ref), isBeyond: true })),
  ]
  const key = `choose:${turn}:${round}:${listings.length}`
  const { decision, picks, reason, near } = await metered(deps, { runId, key }, spend => model.choose({ task, listings }, spend))
  const several = picks.flatMap(it => live[it] ?? [])
  const pointed = { decision, reason, live, several, chosen: several[0], near: near?.flatMap(it => live[it] ?? []) }
  return state.agent && decision !== 'propose' ? { ...pointed, ...amongOwn(live, task) } : pointed
}

/**
 * Selects among the offerings of an agent that the user named: the only one, or the one whose name the message starts to spell
 * out. Otherwise the user picks.
 */
const amongOwn = (live: Live[], task: string): Partial<Pick<Pointed, 'decision' | 'reason' | 'several' | 'chosen'>> => {
  const said = ` ${toPlain(task)} `
  const counted = live.map(it => ({ it, words: wordsBegun(toPlain(it.listing.name), said) }))
  const most = Math.max(leastBegun, ...counted.map(it => it.words))
  const named = counted.filter(it => it.words === most).map(({ it }) => it)
  const [only] = named.length === 1 ? named : live.length === 1 ? live : []
  if (only) return { decision: 'propose', reason: 'You named this agent.', several: [only], chosen: only }
  const [first] = live
  return first ? { decision: 'choices', several: live.slice(0, mostChoices), chosen: first } : {}
}

/** Minimum number of common words; one word is not enough to identify a name. */
const leastBegun = 2

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

const isSame = (a: Ref, b: Ref) => a.agentId === b.agentId && a.offeringId === b.offeringId

const toView = (
  { name, description, price, slaMinutes, examples, requirement }: Listing,
  { coverage, score, hasConnected }: Ref,
) => ({
  ...{ name, description, price, slaMinutes, examples, requirement, coverage, score, hasConnected },
})

const stillProposed = ({ maxPrice, withinMinutes }: ButlerState) => {
  const wish = [maxPrice !== undefined && 'cheaper', withinMinutes !== undefined && 'faster'].filter(it => it !== false)
  return `I found nothing ${wish.length > 0 ? wish.join(' and ') : 'else'} for that, so this is still what I propose.`
}

const fitsButFor = ({ name, agentHandle }: Listing, gap: string) =>
  `Nothing in the market fits all that you said. The nearest is "${name}" by ${agentHandle}: ${gap}. Say other limits if it will do.`

const nothingFits = (reason: string, nearest: Listing | undefined) =>
  nearest
    ? `Nothing in the market fits: ${reason} The nearest is "${nearest.name}" by ${nearest.agentHandle} for ${nearest.price} USDC. Say it in other words, and I search again.`
    : `Nothing in the market fits: ${reason} Say it in other words, and I search again.`
