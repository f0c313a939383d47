import { setImmediate as otherWork } from 'node:timers/promises'
import type { AgentId } from '../../domain/agents/agentId.ts'
import type { Address } from '../../domain/hex.ts'
import { preferConnected } from '../../domain/offerings/likeFit.ts'
import { isListed, type Listing, toSearchText } from '../../domain/offerings/offering.ts'
import { toPassages } from '../../language/text/passages.ts'
import { toCoverage, toTerms } from '../../language/words/words.ts'
import type { Found, Search } from '../../ports.ts'
import { type Reach, readReputations } from '../agents/reputations.ts'
import { resolveAgent } from '../agents/resolveAgent.ts'
import type { Deps } from '../operation.ts'

type Want = {
  text: string
  chainId: number
  maxPrice: string | undefined
  agent: string | undefined
  limit: number
  explain?: boolean
  user?: Address | undefined
}
type Hit = { listing: Listing; coverage: number; hasConnected?: boolean } & Partial<Pick<Found, 'score' | 'explanation'>>

/**
 * Listings that anyone may hire, best first. The index may be behind the store, so price, payee and visibility are read from
 * the store.
 */
export const findListings = async (deps: Reach & Pick<Deps, 'search' | 'blockedBy'>, want: Want): Promise<Hit[]> => {
  const [named, blocked] = await Promise.all([
    want.agent ? resolveAgent(deps, want.agent, want.chainId) : undefined,
    blockedOf(deps, want.user),
  ])
  if (want.agent && (!named?.id || blocked.has(named.id))) return []
  if (named?.id) {
    const own = (await deps.store.offerings(named.id)).filter(isListed)
    return rankOwn(own, want.text).slice(0, want.limit)
  }
  const { text, chainId, maxPrice, limit, explain = false } = want
  const hits = await searchPassages(deps.search, { text, chainId, limit: hitsToRead, explain, ...(maxPrice && { maxPrice }) })
  const some = shareOut(hits, it => it.agentId).slice(0, limit * ofOneOwner)
  const listings = new Map((await deps.store.listingsByKey(some)).map(it => [keyOf(it.agentId, it.id), it]))
  const read = some.flatMap(hit => {
    const listing = listings.get(keyOf(hit.agentId, hit.offeringId))
    return listing && isListed(listing) ? [{ hit, listing }] : []
  })
  const listed = await inOrder(deps, read)
  const owners = await ownersOf(deps, listed)
  const hirable = listed.filter(it => !blocked.has(it.listing.agentId))
  return shareOut(hirable, it => owners.get(it.listing.agentId) ?? '').slice(0, limit)
}

const keyOf = (agentId: AgentId, offeringId: string) => JSON.stringify([agentId, offeringId])

/** The agents that a user blocked. Somebody without an account blocked none. */
export const blockedOf = async (
  { store, blockedBy }: Pick<Deps, 'store' | 'blockedBy'>,
  user: Address | undefined,
): Promise<ReadonlySet<AgentId>> => (user === undefined ? undefined : await blockedBy?.(store, user)) ?? new Set()

/** Best first. Among listings that fit equally well, those of agents that never connected come last. */
const inOrder = async (deps: Reach, found: { hit: Found; listing: Listing }[]): Promise<Hit[]> => {
  const agentIds = found.map(it => it.listing.agentId)
  const reputationOf = await readReputations(deps, agentIds)
  const hits = found.map(({ listing, hit: { coverage, score, explanation } }) => ({
    listing,
    coverage,
    score,
    hasConnected: reputationOf(listing.agentId).last_seen !== '',
    ...(explanation && { explanation }),
  }))
  return preferConnected(hits)
}

/**
 * Number of hits to read, so that an agent with many similar offerings does not hide the others. An agent has at most a
 * hundred.
 */
const hitsToRead = 300
/** Listings of one owner that rank normally. Further ones come after those of other owners. */
const ofOneOwner = 3

const ownersOf = ({ store }: Pick<Deps, 'store'>, found: { listing: Listing }[]): Promise<ReadonlyMap<AgentId, string>> =>
  store.ownersOf([...new Set(found.map(it => it.listing.agentId))])

/** Moves an owner's further listings behind those of all other owners. */
const shareOut = <T>(found: T[], ownerOf: (it: T) => string): T[] => {
  const taken = new Map<string, number>()
  const places = found.map(it => {
    const place = taken.get(ownerOf(it)) ?? 0
    taken.set(ownerOf(it), place + 1)
    return { it, isLate: place >= ofOneOwner }
  })
  return [...places.filter(({ isLate }) => !isLate), ...places.filter(({ isLate }) => isLate)].map(({ it }) => it)
}

/** Ranks the offerings of an agent that the user named. The best one counts as full coverage, whatever its words. */
const rankOwn = (own: Listing[], text: string): { listing: Listing; coverage: number }[] =>
  own
    .map(listing => ({ listing, coverage: toCoverage(text, new Set(toTerms(toSearchText(listing)))) }))
    .sort((a, b) => b.coverage - a.coverage)
    .map((it, place) => (place === 0 ? { ...it, coverage: 1 } : it))

/** Factor for the score of a part of a request, because a part says less than the whole. */
const partShare = 0.8

type Query = Parameters<Search['search']>[0]

/** Searches with the whole request and with each of its parts. Each listing keeps its best score; best first. */
export const searchPassages = async (search: Pick<Search, 'search'>, query: Query): Promise<Found[]> => {
  const [whole = query.text, ...parts] = toPassages(query.text)
  const found = await search.search({ ...query, text: whole })
  if (parts.length === 0) return found
  const best = new Map(found.map(it => [keyOf(it.agentId, it.offeringId), it]))
  for (const text of parts) {
    // Each search keeps the event loop for some milliseconds.
    await otherWork()
    for (const hit of await search.search({ ...query, text })) {
      const key = keyOf(hit.agentId, hit.offeringId)
      const before = best.get(key)
      const coverage = Math.max(hit.coverage, before?.coverage ?? 0)
      const score = hit.score * partShare
      best.set(key, before && before.score >= score ? { ...before, coverage } : { ...hit, score, coverage })
    }
  }
  return [...best.values()].sort((a, b) => b.score - a.score).slice(0, query.limit)
}
