import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** Finds offerings that anyone may hire; keeps only their keys. What was filled in for another offering is forgotten. */
export const search =
  ({ findListings, tell }: ButlerDeps) =>
  async ({ runId, said, task, chainId, maxPrice, agent, round }: ButlerState): Promise<Update> => {
    const candidates = await findListings({ text: task, chainId, maxPrice, agent })
    const found = candidates.map(({ listing, coverage }) => ({ agentId: listing.agentId, offeringId: listing.id, coverage }))
    await tell(runId, {
      kind: 'searched',
      summary: found.length === 1 ? 'Found 1 offering.' : `Found ${found.length} offerings.`,
      data: { offerings: candidates.map(({ listing: it }) => ({ agent: it.agentHandle, offering: it.name, price: it.price })) },
      key: `searched:${said.length}:${round}`,
    })
    return { found, pick: undefined, input: {}, proposal: undefined, decision: undefined }
  }
