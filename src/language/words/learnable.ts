import { toMostFrequent } from '../../domain/offerings/likeFit.ts'
import { toTerms } from './words.ts'

/** Terms read of a request. Text after these is material. */
const requestTerms = 64

/** Words that may identify a person: addresses of all kinds, handles, and anything with digits. */
const naming = /\S*(?:@|:\/\/|\d)\S*/gu
const plain = /^\p{L}{2,30}$/u

/** The distinct terms of a request that may be learned: plain words, no numbers, addresses or ids. */
export const toLearnable = (request: string): string[] => {
  const terms = toTerms(request.replace(naming, ' ')).slice(0, requestTerms)
  return [...new Set(terms)].filter(term => plain.test(term))
}

/** The words learned from the requests of an offering, each repeated as often as it occurred. */
export const toLearned = (requests: string[]): string[] => toMostFrequent(requests.map(toLearnable))
