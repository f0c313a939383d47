import { gapOf } from '../../../src/domain/gap.ts'
import { isListed, type Listing } from '../../../src/domain/offering.ts'
import type { ButlerDeps } from '../deps.ts'
import { metered } from '../metered.ts'
import type { ButlerState, Update } from '../state.ts'

/**
 * Lets the model point at one of the offerings that the search found.
 * It may answer only with a number: whatever a listing says about itself, it cannot
 * bring in another agent, another price or a second hire.
 */
export const choose =
  (deps: ButlerDeps) =>
  async (state: ButlerState): Promise<Update> => {
    const { runId, said, found, missed, round } = state
    const { pick: chosen, reason, live } = await pointAt(deps, state, found)
    if (!chosen) {
      if (await stands(deps, state)) return { pick: state.before, reason: state.reason, notice: stillProposed }
      // Who would fit but for the user's wishes is nearer than who is cheap and does something else.
      const { pick: beyond } = missed.length > 0 ? await pointAt(deps, state, missed) : { pick: undefined }
      const answer = beyond ? fitsButFor(beyond.listing, beyond.ref.gap) : nothingFits(reason, live[0]?.listing)
      return { pick: undefined, answer }
    }
    await deps.tell(runId, {
      kind: 'chosen',
      summary: `Chose "${chosen.listing.name}" by ${chosen.listing.agentHandle}: ${reason}`,
      data: { agent_id: chosen.listing.agentId, offering_id: chosen.listing.id, reason },
      key: `chosen:${said.length}:${round}`,
    })
    return { pick: chosen.ref, reason }
  }

/** Whether what was proposed before is still there and within what the user wished since. */
const stands = async ({ readListing }: ButlerDeps, { before, ...wishes }: ButlerState): Promise<boolean> => {
  const listing = before && (await readListing(before.agentId, before.offeringId))
  return listing !== undefined && isListed(listing) && !gapOf(listing, wishes)
}

type Ref = ButlerState['found'][number]

const pointAt = async <T extends Ref>(deps: ButlerDeps, { runId, said, task, round }: ButlerState, refs: T[]) => {
  const { model, readListing } = deps
  const read = await Promise.all(refs.map(async ref => ({ ref, listing: await readListing(ref.agentId, ref.offeringId) })))
  const live = read.flatMap(({ ref, listing }) => (listing ? [{ ref, listing }] : []))
  const listings = live.map(({ ref, listing }) => toView(listing, ref))
  const key = `choose:${said.length}:${round}:${listings.length}`
  const { pick, reason } = await metered(deps, { runId, key }, spend => model.choose({ task, listings }, spend))
  return { pick: live[pick], reason, live }
}

const toView = (
  { name, description, price, slaMinutes, examples, requirement }: Listing,
  { coverage, score, hasConnected }: Ref,
) => ({
  ...{ name, description, price, slaMinutes, examples, requirement, coverage, score, hasConnected },
})

const stillProposed = 'I found nothing else for that, so this is still what I propose.'
const unpaid = 'Nothing was hired and nothing was paid.'

const fitsButFor = ({ name, agentHandle }: Listing, gap: string) =>
  `Nothing in the market fits all that you said. The nearest is "${name}" by ${agentHandle}: ${gap}. Ask again with other limits if it will do. ${unpaid}`

const nothingFits = (reason: string, nearest: Listing | undefined) =>
  nearest
    ? `Nothing in the market fits: ${reason} The nearest is "${nearest.name}" by ${nearest.agentHandle} for ${nearest.price} USDC. ${unpaid}`
    : `Nothing in the market fits: ${reason} ${unpaid}`
