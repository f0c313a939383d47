import { isStopWord } from '../domain/words.ts'
import type { Found } from '../ports.ts'
import { type Fields, fieldNames } from './fields.ts'
import { toGrams } from './grams.ts'
import { pairsOf, type Request } from './request.ts'
import { fieldWeights, lengthOf } from './weights.ts'

/** How late the count of a word stops to matter: above the usual 1.2, because a name counts as three words at once. */
const saturation = 1.8
/** Share of the length that counts against a listing: the usual of BM25. */
const lengthShare = 0.75

type Count = { all: number; byField: Record<string, number> }
type Counts = Map<string, Count>
const addTo = (counts: Counts, key: string, field: string, count: number) => {
  const before = counts.get(key) ?? { all: 0, byField: {} }
  before.all += count
  before.byField[field] = (before.byField[field] ?? 0) + count
  counts.set(key, before)
}

type Counted = { words: Counts; pairs: Counts; grams: Counts }

/** Counts in a listing what the request asks for, weighed by field. */
const countIn = (fields: Fields, request: Request, gramsOf: (word: string) => string[]): Counted => {
  const counted: Counted = { words: new Map(), pairs: new Map(), grams: new Map() }
  for (const name of fieldNames) {
    const weight = fieldWeights[name]
    for (const word of fields[name]) {
      if (request.words.has(word)) addTo(counted.words, word, name, weight)
      for (const gram of gramsOf(word)) addTo(counted.grams, gram, name, weight)
    }
    if (name === 'learned') continue
    for (const pair of pairsOf(fields[name])) if (request.pairs.has(pair)) addTo(counted.pairs, pair, name, weight)
  }
  return counted
}

type Explanation = NonNullable<Found['explanation']>
type Scored = { score: number; explain(): Explanation }

/** What each counted thing adds to the score, and the part of it that was learned. */
const toParts = (counts: Counts, weights: Map<string, number>, norm: number) =>
  [...counts].map(([key, { all, byField }]) => {
    const weight = ((weights.get(key) ?? 0) * all) / (all + norm)
    const share = (name: string) => (weight * (byField[name] ?? 0)) / all
    return {
      key,
      weight,
      learned: share('learned'),
      byField: { name: share('name'), about: share('about'), schema: share('schema') },
    }
  })
type Part = ReturnType<typeof toParts>[number]

const total = (parts: Part[], of: (part: Part) => number = it => it.weight) => parts.reduce((sum, it) => sum + of(it), 0)

/** Of what was learned only the sum is told, no word. */
const explain = (parts: { words: Part[]; pairs: Part[]; grams: Part[] }, most: number): Explanation => ({
  terms: parts.words
    .filter(it => it.weight > it.learned)
    .map(({ key, byField }) => ({
      term: key,
      name: byField.name / most,
      about: byField.about / most,
      schema: byField.schema / most,
    })),
  pairs: total(parts.pairs) / most,
  ngrams: total(parts.grams, it => it.weight - it.learned) / most,
  learned: total([...parts.words, ...parts.grams], it => it.learned) / most,
})

/**
 * How well a listing fits a request: BM25F over words, pairs of neighbours and parts of words, as a share (0–1) of what a
 * listing that says nothing but the request would get. So one bound holds for short and long requests.
 */
export const createScore = (request: Request, averageLength: number): ((fields: Fields) => Scored) => {
  const known = new Map<string, string[]>()
  const gramsOf = (word: string): string[] => {
    const before = known.get(word)
    if (before) return before
    const found = isStopWord(word) ? [] : toGrams(word).filter(gram => request.grams.has(gram))
    known.set(word, found)
    return found
  }
  return fields => {
    const norm = saturation * (1 - lengthShare + (lengthShare * lengthOf(fields)) / averageLength)
    const counted = countIn(fields, request, gramsOf)
    const parts = {
      words: toParts(counted.words, request.words, norm),
      pairs: toParts(counted.pairs, request.pairs, norm),
      grams: toParts(counted.grams, request.grams, norm),
    }
    const score = total([...parts.words, ...parts.pairs, ...parts.grams])
    return { score: request.most === 0 ? 0 : score / request.most, explain: () => explain(parts, request.most) }
  }
}
