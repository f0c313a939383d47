import type { Listing } from '../../../src/domain/offering.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/**
 * Lets the model point at one of the offerings that the search found.
 * It may answer only with a number: whatever a listing says about itself, it cannot
 * bring in another agent, another price or a second hire.
 */
export const choose =
  ({ model, readListing, tell }: ButlerDeps) =>
  async ({ runId, said, task, found, round }: ButlerState): Promise<Update> => {
    const read = await Promise.all(found.map(async ref => ({ ref, listing: await readListing(ref.agentId, ref.offeringId) })))
    const live = read.flatMap(({ ref, listing }) => (listing ? [{ ref, listing }] : []))
    const { pick, reason } = await model.choose({ task, listings: live.map(({ ref, listing }) => toView(listing, ref.coverage)) })
    const chosen = live[pick]
    if (!chosen) return { pick: undefined, answer: nothingFits(reason, live[0]?.listing) }
    await tell(runId, {
      kind: 'chosen',
      summary: `Chose "${chosen.listing.name}" by ${chosen.listing.agentHandle}: ${reason}`,
      data: { agent_id: chosen.listing.agentId, offering_id: chosen.listing.id, reason },
      key: `chosen:${said.length}:${round}`,
    })
    return { pick: chosen.ref, reason }
  }

const toView = ({ name, description, price, slaMinutes }: Listing, coverage: number) => ({
  name,
  description,
  price,
  slaMinutes,
  coverage,
})

const nothingFits = (reason: string, nearest: Listing | undefined) =>
  nearest
    ? `Nothing in the market fits: ${reason} The nearest is "${nearest.name}" by ${nearest.agentHandle} for ${nearest.price} USDC. Nothing was hired and nothing was paid.`
    : `Nothing in the market fits: ${reason} Nothing was hired and nothing was paid.`
