import { toMostFrequent } from '../../domain/learned.ts'
import { isListed, type Listing } from '../../domain/offering.ts'
import type { Indexed, Search, Store } from '../../ports.ts'

/** Adds learned terms of settled requests to listings. */
export const withLearned = async (store: Store, listings: Listing[]): Promise<Indexed[]> => {
  const keyOf = (agentId: string, offeringId: string) => JSON.stringify([agentId, offeringId])
  const requests = await store.learnedRequests([...new Set(listings.map(it => it.agentId))])
  const byOffering = Map.groupBy(requests, it => keyOf(it.agentId, it.offeringId))
  return listings.map(it => ({
    ...it,
    learned: toMostFrequent((byOffering.get(keyOf(it.agentId, it.id)) ?? []).map(({ terms }) => terms)),
  }))
}

/** Updates the search index to the stored offerings of an agent. */
export const indexAgent = async ({ store, search }: { store: Store; search: Search }, agentKey: string): Promise<void> => {
  const agent = await store.agent(agentKey)
  if (!agent?.id) return // not minted yet: minting asks again
  const listings = (await store.offerings(agent.id)).filter(isListed)
  // In this order, so that unchanged listings can be found at any time.
  if (listings.length > 0) await search.put(await withLearned(store, listings))
  await search.remove(agent.id, listings)
}
