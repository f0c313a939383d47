/** Maximum number of different learned terms per offering, each repeated as often as it occurred in requests. */
const offeringTerms = 200

/** The most frequent terms of several requests, each repeated as often as it occurred. */
export const toMostFrequent = (requests: string[][]): string[] => {
  const counts = new Map<string, number>()
  for (const term of requests.flat()) counts.set(term, (counts.get(term) ?? 0) + 1)
  const most = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, offeringTerms)
  return most.flatMap(([term, count]) => Array.from({ length: count }, () => term))
}
