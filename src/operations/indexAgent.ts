import { isListed } from '../domain/offering.ts'
import type { Search, Store } from '../ports.ts'

/** Makes the search index say of an agent what its rows say now. */
export const indexAgent = async ({ store, search }: { store: Store; search: Search }, agentKey: string): Promise<void> => {
  const agent = await store.agent(agentKey)
  if (!agent?.id) return // not minted yet: minting asks again
  const listings = (await store.offerings(agent.id)).filter(isListed)
  // In this order: what stays listed can be found all the while.
  if (listings.length > 0) await search.put(listings)
  await search.remove(agent.id, listings)
}
