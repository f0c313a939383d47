import type { Lexicon } from './lexicon.ts'
import { exampleShare, type Part, signsOfFind } from './request.ts'

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
export const rank = ({ parts, lexicon, limit, isWanted }: Want) => {
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
