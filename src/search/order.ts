import { toMeaning } from '../language/words/words.ts'
import type { Found, Search } from '../ports.ts'
import { fuse } from './fuse.ts'
import type { Lexicon } from './lexicon.ts'
import { type Ranked, rank } from './rank.ts'
import type { Part } from './request.ts'
import type { Near } from './vectors.ts'

type Query = Parameters<Search['search']>[0]

/**
 * Returns a function that tells whether a listing satisfies the filters of a query. Undefined when `maxPrice` is not a number;
 * then nothing matches.
 */
const toFilter = ({ chainId, maxPrice }: Query, lexicon: Lexicon): ((place: number) => boolean) | undefined => {
  if (maxPrice !== undefined && !/^\d{1,18}(\.\d{1,18})?$/.test(maxPrice)) return undefined
  const most = maxPrice === undefined ? Number.POSITIVE_INFINITY : Number(maxPrice)
  return place => {
    const listing = lexicon.at(place)
    return listing !== undefined && (chainId === undefined || listing.chain === chainId) && listing.price <= most
  }
}

export type Asked = { query: Query; lexicon: Lexicon; parts: Part[]; near: Near[] }

/** Ranks listings by keyword score, combined with embedding similarity where there is one. Best first. */
export const order = ({ query, lexicon, parts, near }: Asked): Ranked[] => {
  const isWanted = toFilter(query, lexicon)
  if (!isWanted) return []
  const { best, toRanked } = rank({ parts, lexicon, limit: Math.max(query.limit, near.length), isWanted })
  if (near.length === 0) return best
  const meanings = near.flatMap(({ key, similarity }) => {
    const place = lexicon.placeOf(key)
    return place !== undefined && isWanted(place) ? [{ place, similarity }] : []
  })
  return fuse(best, meanings)
    .map(({ place, score }) => ({ ...toRanked(place), score }))
    .slice(0, query.limit)
}

/**
 * Converts ranked places to results. Coverage is the share of the request's words in the listing, or the embedding similarity
 * if that is higher.
 */
export const toFound = ({ query, lexicon, near }: Asked, ranked: Ranked[]): Found[] => {
  const meant = toMeaning(query.text).length || 1
  const nearness = new Map(near.map(it => [it.key, it.similarity]))
  return ranked.flatMap(({ place, score, covered }) => {
    const listing = lexicon.at(place)
    if (!listing) return []
    const { key, agentId, offeringId } = listing
    return [{ agentId, offeringId, score, coverage: Math.max(covered / meant, nearness.get(key) ?? 0) }]
  })
}
