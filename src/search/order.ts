import { toMeaning } from '../language/words/words.ts'
import type { Found, Search } from '../ports.ts'
import type { Lexicon } from './lexicon.ts'
import { exampleShare, type Part, signsOfFind } from './request.ts'
import type { Near } from './vectors.ts'

export type Ranked = { place: number; score: number; covered: number }
type Want = { parts: Part[]; lexicon: Lexicon; limit: number; isWanted: (place: number) => boolean }

/** Inserts a listing into a list sorted by score, and drops the last one beyond `limit`. */
const insert = (best: Ranked[], coming: Ranked, limit: number) => {
  let [from, to] = [0, best.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((best[middle]?.score ?? 0) >= coming.score) from = middle + 1
    else to = middle
  }
  best.splice(from, 0, coming)
  if (best.length > limit) best.pop()
}

/**
 * Scores all listings that match any part of a request. Returns the best `limit` of those that `isWanted` accepts, best first.
 */
const rank = ({ parts, lexicon, limit, isWanted }: Want) => {
  const scores = new Float64Array(lexicon.size())
  const covered = new Uint8Array(lexicon.size())
  const signs = new Uint16Array(lexicon.size())
  for (const { visit, sign, isMeant } of parts) {
    const count = isMeant ? 1 : 0
    visit((place, added) => {
      scores[place] = (scores[place] ?? 0) + added
      covered[place] = (covered[place] ?? 0) + count
      signs[place] = (signs[place] ?? 0) + sign
    })
  }
  for (const place of lexicon.taught()) scores[place] = (scores[place] ?? 0) * exampleShare
  const toRanked = (place: number): Ranked => ({ place, score: scores[place] ?? 0, covered: covered[place] ?? 0 })
  const best: Ranked[] = []
  let least = 0
  for (let place = 0; place < scores.length; place += 1) {
    const score = scores[place] ?? 0
    if (score <= least || (signs[place] ?? 0) < signsOfFind || !isWanted(place)) continue
    insert(best, toRanked(place), limit)
    if (best.length === limit) least = best.at(-1)?.score ?? 0
  }
  return { best, toRanked }
}

/** A listing, with the cosine similarity between its embedding and that of the request. */
type NearPlace = { place: number; similarity: number }

/**
 * Combines keyword scores and embedding similarities into one order. Similarities of unrelated texts differ between models, so
 * only the excess over the median counts. A model that separates listings badly therefore adds little.
 * @param words listings with their keyword scores
 * @param meanings the nearest listings by embedding, nearest first
 */
const fuse = (words: Ranked[], meanings: NearPlace[]): { place: number; score: number }[] => {
  const median = meanings[meanings.length >> 1]?.similarity ?? 0
  const scores = new Map(words.map(it => [it.place, it.score]))
  for (const { place, similarity } of meanings) scores.set(place, (scores.get(place) ?? 0) + Math.max(0, similarity - median))
  const fused = [...scores].map(([place, score]) => ({ place, score: Math.min(1, score) }))
  return fused.sort((a, b) => b.score - a.score)
}

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

type Asked = { query: Query; lexicon: Lexicon; parts: Part[]; near: Near[] }

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
