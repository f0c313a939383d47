import { toMostFrequent } from '../../domain/learned.ts'
import { isListed, type Listing } from '../../domain/offering.ts'
import type { Indexed, Search, Store } from '../../ports.ts'

/** Listings with what settled requests teach about them. */
export const withLearned = async (store: Store, listings: Listing[]): Promise<Indexed[]> => {
  const keyOf = (agentId: string, offeringId: string) => JSON.stringify([agentId, offeringId])
  const requests = await store.learnedRequests([...new Set(listings.map(it => it.agentId))])
  const byOffering = Map.groupBy(requests, it => keyOf(it.agentId, it.offeringId))
  return listings.map(it => ({
    ...it,
    learned: toMostFrequent((byOffering.get(keyOf(it.agentId, it.id)) ?? []).map(({ terms }) => terms)),
  }))
}

/** Makes the search index say of an agent what its rows say now. */
export const indexAgent = async ({ store, search }: { store: Store; search: Search }, agentKey: string): Promise<void> => {
  const agent = await store.agent(agentKey)
  if (!agent?.id) return // not minted yet: minting asks again
  const listings = (await store.offerings(agent.id)).filter(isListed)
  // In this order: what stays listed can be found all the while.
  if (listings.length > 0) await search.put(await withLearned(store, listings))
  await search.remove(agent.id, listings)
}
