import { isListed, type Listing, toSearchText } from '../domain/offering.ts'
import { toCoverage, toTerms } from '../domain/words.ts'
import type { Deps } from './operation.ts'
import { resolveAgent } from './resolveAgent.ts'

type Want = { text: string; chainId: number; maxPrice: string | undefined; agent: string | undefined; limit: number }

/**
 * Listings that anyone may hire, best first. The index only points; price, payee and visibility are read from our rows,
 * because the index may be behind them.
 */
export const findListings = async (
  deps: Pick<Deps, 'store' | 'search'>,
  want: Want,
): Promise<{ listing: Listing; coverage: number }[]> => {
  const named = want.agent ? await resolveAgent(deps, want.agent, want.chainId) : undefined
  if (want.agent && !named?.id) return []
  if (named?.id) {
    const own = (await deps.store.offerings(named.id)).filter(isListed)
    return rankOwn(own, want.text).slice(0, want.limit)
  }
  const { text, chainId, maxPrice, limit } = want
  const found = await deps.search.search({ text, chainId, limit, ...(maxPrice && { maxPrice }) })
  const read = await Promise.all(
    found.map(async hit => ({ hit, listing: await deps.store.listing(hit.agentId, hit.offeringId) })),
  )
  return read.flatMap(({ hit, listing }) => (listing && isListed(listing) ? [{ listing, coverage: hit.coverage }] : []))
}

/** A named agent was chosen by the user: its best offering fits, whatever words it has. Which one is best, they tell. */
const rankOwn = (own: Listing[], text: string): { listing: Listing; coverage: number }[] =>
  own
    .map(listing => ({ listing, coverage: toCoverage(text, new Set(toTerms(toSearchText(listing)))) }))
    .sort((a, b) => b.coverage - a.coverage)
    .map((it, place) => (place === 0 ? { ...it, coverage: 1 } : it))
