import { toMostFrequent } from '../../domain/learned.ts'
import { tagsOf } from '../../domain/mandate.ts'
import { isListed, type Listing } from '../../domain/offering.ts'
import type { Agent, Indexed, Search, Store } from '../../ports.ts'

/** Maximum indexed characters of an agent's own text. The limit is low because its offerings matter more. */
const agentTextChars = 1_000

/** Searchable text of an agent: its description and its tags. */
const toAgentText = ({ description, card }: Agent): string => [description, ...tagsOf(card)].join('\n').slice(0, agentTextChars)

/** Listings for the index, with the texts of their agents and the learned terms of settled requests. */
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

/** Updates the search index to the stored offerings of an agent. */
export const indexAgent = async ({ store, search }: { store: Store; search: Search }, agentKey: string): Promise<void> => {
  const agent = await store.agent(agentKey)
  if (!agent?.id) return // not minted yet: minting asks again
  const listings = (await store.offerings(agent.id)).filter(isListed)
  // New entries are written before old ones are removed, so that unchanged listings can always be found.
  if (listings.length > 0) await search.put(await toIndexed(store, listings))
  await search.remove(agent.id, listings)
}
