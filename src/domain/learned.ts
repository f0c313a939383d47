import { toTerms } from './words.ts'

/** A request is what its user typed at first: what comes after so many words is content. */
const requestTerms = 64
/** So many different words of past requests speak for an offering; each counts as often as requests had it. */
const offeringTerms = 200

/** What may name a person or a thing of theirs: addresses of all kinds, handles, numbers with whatever clings to them. */
const naming = /\S*(?:@|:\/\/|\d)\S*/gu
const plain = /^\p{L}{2,30}$/u

/** The different terms of a request that may be learned: plain words, no numbers, addresses or ids. */
export const toLearnable = (request: string): string[] => {
  const terms = toTerms(request.replace(naming, ' ')).slice(0, requestTerms)
  return [...new Set(terms)].filter(term => plain.test(term))
}

/** What some requests, each as its terms, teach: the most frequent terms, each as often as it came. */
export const toMostFrequent = (requests: string[][]): string[] => {
  const counts = new Map<string, number>()
  for (const term of requests.flat()) counts.set(term, (counts.get(term) ?? 0) + 1)
  const most = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, offeringTerms)
  return most.flatMap(([term, count]) => Array.from({ length: count }, () => term))
}

export const toLearned = (requests: string[]): string[] => toMostFrequent(requests.map(toLearnable))
