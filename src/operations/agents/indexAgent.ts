import { toMostFrequent } from '../../domain/learned.ts'
import { tagsOf } from '../../domain/mandate.ts'
import { isListed, type Listing } from '../../domain/offering.ts'
import type { Agent, Indexed, Search, Store } from '../../ports.ts'

/** An agent's words about itself stand behind those of its offerings, so few of them are indexed. */
const agentTextChars = 1_000

/** What an agent says of itself: its description and its tags. */
const toAgentText = ({ description, card }: Agent): string => [description, ...tagsOf(card)].join('\n').slice(0, agentTextChars)

/** Listings as they are indexed: with the words of their agents, and what settled requests teach about them. */
export const toIndexed = async (store: Store, listings: Listing[]): Promise<Indexed[]> => {
  const ids = [...new Set(listings.map(it => it.agentId))]
  const agents = await Promise.all(ids.map(async id => [id, await store.agent(id)] as const))
  const texts = new Map(agents.map(([id, agent]) => [id, agent && toAgentText(agent)]))
  const keyOf = (agentId: string, offeringId: string) => JSON.stringify([agentId, offeringId])
  const requests = await store.learnedRequests(ids)
  const byOffering = Map.groupBy(requests, it => keyOf(it.agentId, it.offeringId))
  return listings.map(it => ({
    ...it,
    agentText: texts.get(it.agentId),
    learned: toMostFrequent((byOffering.get(keyOf(it.agentId, it.id)) ?? []).map(({ terms }) => terms)),
  }))
}

/** Makes the search index say of an agent what its rows say now. */
export const indexAgent = async ({ store, search }: { store: Store; search: Search }, agentKey: string): Promise<void> => {
  const agent = await store.agent(agentKey)
  if (!agent?.id) return // not minted yet: minting asks again
  const listings = (await store.offerings(agent.id)).filter(isListed)
  // In this order: what stays listed can be found all the while.
  if (listings.length > 0) await search.put(await toIndexed(store, listings))
  await search.remove(agent.id, listings)
}
