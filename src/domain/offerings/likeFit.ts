/** Candidates with at least this share of the best score fit equally well. */
const likeShare = 0.9

type Scored = { score: number; hasConnected: boolean }

/**
 * Sorts candidates, best first. Among candidates that fit equally well, agents that have connected come before those that never
 * did. The scores are not changed.
 */
export const preferConnected = <T extends Scored>(candidates: readonly T[]): T[] => {
  const rest = candidates.toSorted((a, b) => b.score - a.score)
  const ordered: T[] = []
  while (rest[0]) {
    const least = rest[0].score * likeShare
    const end = rest.findIndex(it => it.score < least)
    const alike = rest.splice(0, end < 0 ? rest.length : end)
    ordered.push(...alike.filter(it => it.hasConnected), ...alike.filter(it => !it.hasConnected))
  }
  return ordered
}

/** Maximum number of different learned terms per offering, each repeated as often as it occurred in requests. */
const offeringTerms = 200

/** The most frequent terms of several requests, each repeated as often as it occurred. */
export const toMostFrequent = (requests: string[][]): string[] => {
  const counts = new Map<string, number>()
  for (const term of requests.flat()) counts.set(term, (counts.get(term) ?? 0) + 1)
  const most = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, offeringTerms)
  return most.flatMap(([term, count]) => Array.from({ length: count }, () => term))
}
