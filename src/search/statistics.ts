import { isStopWord } from '../domain/words.ts'
import { type Fields, fieldNames } from './fields.ts'
import { toGrams } from './grams.ts'
import { lengthOf } from './weights.ts'

/** How often words stand in the listings of an index: what makes a rare word say more than a frequent one. */
export type Statistics = {
  add(fields: Fields): void
  /** Number of listings that have a word. */
  countOf(word: string): number
  /** What finding a word says, in nats: the rarer, the more. */
  worthOf(word: string): number
  worthOfGram(gram: string): number
  /** What finding a word says that no listing has. */
  mostWorth(): number
  averageLength(): number
  size(): number
}

/** The inverse document frequency of BM25 (Robertson and Spärck Jones), kept above zero. */
const toWorth = (size: number, count: number) => Math.log(1 + (size - count + 0.5) / (count + 0.5))

export const createStatistics = (): Statistics => {
  const counts = new Map<string, number>()
  const gramCounts = new Map<string, number>()
  let size = 0
  let length = 0

  const countWord = (word: string) => {
    counts.set(word, (counts.get(word) ?? 0) + 1)
    if (isStopWord(word)) return
    // A listing with two words of one gram counts twice: that makes frequent grams a little less worth, and spares memory.
    for (const gram of toGrams(word)) gramCounts.set(gram, (gramCounts.get(gram) ?? 0) + 1)
  }

  return {
    add(fields) {
      size += 1
      length += lengthOf(fields)
      for (const word of new Set(fieldNames.flatMap(name => fields[name]))) countWord(word)
    },
    countOf: word => counts.get(word) ?? 0,
    worthOf: word => toWorth(size, counts.get(word) ?? 0),
    worthOfGram: gram => toWorth(size, Math.min(size, gramCounts.get(gram) ?? 0)),
    mostWorth: () => toWorth(size, 0),
    averageLength: () => (size === 0 ? 1 : length / size),
    size: () => size,
  }
}
