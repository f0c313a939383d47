import { toTerms } from './words.ts'

/** Terms read of a request. Text after these is material. */
const requestTerms = 64
/** Maximum number of different learned terms per offering, each repeated as often as it occurred in requests. */
const offeringTerms = 200

/** Words that may identify a person: addresses of all kinds, handles, and anything with digits. */
const naming = /\S*(?:@|:\/\/|\d)\S*/gu
const plain = /^\p{L}{2,30}$/u

/** The distinct terms of a request that may be learned: plain words, no numbers, addresses or ids. */
export const toLearnable = (request: string): string[] => {
  const terms = toTerms(request.replace(naming, ' ')).slice(0, requestTerms)
  return [...new Set(terms)].filter(term => plain.test(term))
}

/** The most frequent terms of several requests, each repeated as often as it occurred. */
export const toMostFrequent = (requests: string[][]): string[] => {
  const counts = new Map<string, number>()
  for (const term of requests.flat()) counts.set(term, (counts.get(term) ?? 0) + 1)
  const most = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, offeringTerms)
  return most.flatMap(([term, count]) => Array.from({ length: count }, () => term))
}

/** The words learned from the requests of an offering, each repeated as often as it occurred. */
export const toLearned = (requests: string[]): string[] => toMostFrequent(requests.map(toLearnable))
