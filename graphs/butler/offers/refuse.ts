import { careText } from '../../../src/domain/harm/distress.ts'
import { isListed, type Listing } from '../../../src/domain/offerings/offering.ts'
import { english } from '../../../src/domain/phrases/tables/english.ts'
import type { ButlerDeps } from '../deps.ts'
import { say } from '../speak.ts'
import type { ButlerState, Update } from '../state.ts'
import { isSame, type Pointed, pointAt } from './point.ts'
import { toChoice } from './show.ts'

/** Handles a search without a match: it keeps the earlier proposal, or names the nearest offering and what it lacks. */
export const refuse = async (deps: ButlerDeps, state: ButlerState, { reason, live, near }: Pointed): Promise<Update> => {
  if (await stands(deps, state)) return standing(deps, state)
  const unpaid = await deps.unpaid(state.runId)
  // An offering outside the user's limits is nearer than a cheap one that does something else.
  const { chosen: beyond } =
    state.missed.length > 0 ? await pointAt(deps, state, { refs: state.missed, beyond: [] }) : { chosen: undefined }
  // An offering that has nothing in common with the message is not named.
  const nearby = near ? near[0] : live[0]
  const gap = state.missed.find(it => beyond && isSame(it, beyond.ref))?.gap ?? ''
  const answer = beyond ? fitsButFor(beyond.listing, gap) : nothingFits(reason, nearby?.listing)
  const { want, task, chainId, maxPrice } = state
  const outside = await deps.nameOutside?.({ text: want || task, chainId, maxPrice })
  const blocked = await deps.nameBlocked?.({ text: want || task, chainId, maxPrice })
  const nearest = beyond ?? nearby
  const before = [careText, english.earlierGone].filter(it => state.notice.includes(it))
  return {
    ...{ pick: undefined, stage: 'none', act: 'none', next: [] },
    content: await say(deps, state, {
      key: 'refused',
      text: [...before, answer, blocked, outside, unpaid].filter(Boolean).join(' '),
    }),
    choices: nearest ? [toChoice(nearest)] : [],
    unplanned: [...new Set([...state.unplanned, ...(state.act === 'task' ? state.said.slice(-1) : [])])],
  }
}

/** The earlier proposal again, with what another offering lacks that would do it. */
const standing = async (deps: ButlerDeps, state: ButlerState): Promise<Update> => {
  const { before, reason, missed } = state
  const { chosen } = missed.length > 0 ? await pointAt(deps, state, { refs: missed, beyond: [] }) : { chosen: undefined }
  const isOther = chosen && before && !isSame(chosen.ref, before)
  const gap = missed.find(it => chosen && isSame(it, chosen.ref))?.gap ?? ''
  const beside = isOther
    ? [`“${chosen.listing.name}” by ${chosen.listing.agentName} (${chosen.listing.agentHandle}) would do it: ${gap}.`]
    : []
  const notice = [stillProposed(state), ...beside].join(' ')
  return { pick: before, reason, notice, choices: isOther ? [toChoice(chosen)] : [] }
}

/** Whether the earlier proposal still holds: the message asked for a change, and the offering is still listed. */
const stands = async ({ readListing }: ButlerDeps, { before, act }: ButlerState): Promise<boolean> => {
  const listing = act === 'change' && before ? await readListing(before.agentId, before.offeringId) : undefined
  return listing !== undefined && isListed(listing)
}

const stillProposed = ({ maxPrice, withinMinutes }: ButlerState) => {
  const wish = [maxPrice !== undefined && 'cheaper', withinMinutes !== undefined && 'faster'].filter(it => it !== false)
  return `I found nothing ${wish.length > 0 ? wish.join(' and ') : 'else'} for that, so this is still what I propose.`
}

const fitsButFor = ({ name, agentHandle }: Listing, gap: string) =>
  `Nothing in the market fits all that you said. The nearest is "${name}" by ${agentHandle}: ${gap}. ` +
  'If that is all right, tell me other limits.'

const nothingFits = (reason: string, nearest: Listing | undefined) =>
  nearest
    ? `Nothing in the market fits: ${reason} The nearest is "${nearest.name}" by ${nearest.agentHandle} for ` +
      `${nearest.price} USDC. Say it in other words, and I search again.`
    : `Nothing in the market fits: ${reason} Say it in other words, and I search again.`
