import { gapOf } from '../../../src/domain/gap.ts'
import type { ButlerDeps, Candidate } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/**
 * Finds offerings that anyone may hire; keeps only their keys. Who fits the task and not the user's wishes is kept apart,
 * to be named and not hired. What was filled in for another offering is forgotten.
 */
export const search =
  ({ findListings, tell }: ButlerDeps) =>
  async ({ runId, said, task, chainId, agent, round, ...wishes }: ButlerState): Promise<Update> => {
    const { maxPrice, withinMinutes, category } = wishes
    const want = { text: task, chainId, agent }
    const affordable = await findListings({ ...want, maxPrice })
    const wishesMore = maxPrice !== undefined || withinMinutes !== undefined || category !== undefined
    const all = wishesMore ? await findListings({ ...want, maxPrice: undefined }) : []
    const candidates = affordable.filter(({ listing }) => !gapOf(listing, wishes))
    const missed = all.map(it => ({ ...toRef(it), gap: gapOf(it.listing, wishes) })).filter(it => it.gap)
    await tell(runId, {
      kind: 'searched',
      summary: candidates.length === 1 ? 'Found 1 offering.' : `Found ${candidates.length} offerings.`,
      data: { offerings: candidates.map(({ listing: it }) => ({ agent: it.agentHandle, offering: it.name, price: it.price })) },
      key: `searched:${said.length}:${round}`,
    })
    return { found: candidates.map(toRef), missed, pick: undefined, input: {}, proposal: undefined, decision: undefined }
  }

const toRef = ({ listing, ...found }: Candidate) => ({ agentId: listing.agentId, offeringId: listing.id, ...found })
