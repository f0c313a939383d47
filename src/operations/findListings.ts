import { isListed, type Listing } from '../domain/offering.ts'
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
    return own.slice(0, want.limit).map(listing => ({ listing, coverage: own.length === 1 ? 1 : coverageOf(listing, want.text) }))
  }
  const { text, chainId, maxPrice, limit } = want
  const found = await deps.search.search({ text, chainId, limit, ...(maxPrice && { maxPrice }) })
  const read = await Promise.all(
    found.map(async hit => ({ hit, listing: await deps.store.listing(hit.agentId, hit.offeringId) })),
  )
  return read.flatMap(({ hit, listing }) => (listing && isListed(listing) ? [{ listing, coverage: hit.coverage }] : []))
}

// A named agent was chosen by the user; which of its offerings is meant, the shared words tell.
const coverageOf = (listing: Listing, text: string): number => {
  const words = new Set(text.toLowerCase().match(/\p{L}{3,}/gu))
  const own = `${listing.name} ${listing.description}`.toLowerCase()
  return words.size === 0 ? 1 : [...words].filter(word => own.includes(word)).length / words.size
}
