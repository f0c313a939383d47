import { tagsOf } from '../../domain/money/mandate.ts'
import { toMostFrequent } from '../../domain/offerings/likeFit.ts'
import { isListed, type Listing } from '../../domain/offerings/offering.ts'
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

type Reach = { store: Store; search: Search }

export const indexAgent = (deps: Reach, agentKey: string): Promise<void> => indexAgents(deps, [agentKey])

/** Updates the search index to the stored offerings of several agents, in few writes. */
export const indexAgents = async ({ store, search }: Reach, agentKeys: string[]): Promise<void> => {
  const found: { id: string; listings: Listing[] }[] = []
  // One after the other, so that money need not wait for a database connection.
  for (const key of agentKeys) {
    const id = (await store.agent(key))?.id
    if (id) found.push({ id, listings: (await store.offerings(id)).filter(isListed) }) // minting asks again
  }
  const all = found.flatMap(it => it.listings)
  // New entries are written before old ones are removed, so that unchanged listings can always be found.
  if (all.length > 0) await search.put(await toIndexed(store, all))
  for (const { id, listings } of found) await search.remove(id, listings)
}
