import { toGrams } from '../words/grams.ts'
import { toMeaning, toTerms } from '../words/words.ts'

/** Weights by term. */
export type Vector = Map<string, number>

/** Weight of a character n-gram. N-grams match compounds and typos; a word has several, so each counts less than a word. */
const gramWeight = 0.3

/** Weight of a term: the inverse document frequency of BM25 over the candidates. */
export type Weigh = (term: string) => number
/** Returns the weight function for a set of candidate texts. */
export const toWeigh = (texts: string[]): Weigh => {
  const counts = new Map<string, number>()
  for (const text of texts) for (const term of new Set(toFeatures(text))) counts.set(term, (counts.get(term) ?? 0) + 1)
  return term => {
    const count = counts.get(term) ?? 0
    return Math.log(1 + (texts.length - count + 0.5) / (count + 0.5)) * (isGram(term) ? gramWeight : 1)
  }
}

const isGram = (feature: string) => feature.startsWith('~')

/** The content words of a text and their character n-grams. */
const toFeatures = (text: string): string[] => {
  const words = toTerms(text)
  return [...words, ...words.flatMap(toGrams).map(it => `~${it}`)]
}

/** The weighted feature vector of a text (logarithmic term frequency times weight). */
export const toVector = (text: string, weigh: Weigh): Vector => {
  const vector: Vector = new Map()
  for (const feature of toFeatures(text)) vector.set(feature, (vector.get(feature) ?? 0) + 1)
  for (const [feature, count] of vector) vector.set(feature, (1 + Math.log(count)) * weigh(feature))
  return vector
}

const lengthOf = (vector: Vector) => Math.hypot(...vector.values()) || 1

/** Cosine similarity of two vectors, from 0 to 1. */
export const cosine = (a: Vector, b: Vector): number => {
  let product = 0
  for (const [feature, weight] of a) product += weight * (b.get(feature) ?? 0)
  return product / (lengthOf(a) * lengthOf(b))
}

/** Returns the share (0–1) of the terms' total weight for which `has` is true; 0 without terms. */
export const toShare = (terms: string[], weigh: Weigh, has: (term: string) => boolean): number => {
  let [shared, all] = [0, 0]
  for (const term of terms) {
    all += weigh(term)
    if (has(term)) shared += weigh(term)
  }
  return all === 0 ? 0 : shared / all
}

/** Returns the distinct content words of a request. A request without content words returns all its terms. */
export const toAsked = (request: string): string[] => {
  const meaning = toMeaning(request)
  return meaning.length > 0 ? meaning : [...new Set(toTerms(request))]
}
