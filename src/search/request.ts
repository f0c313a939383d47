import { isStopWord, toWords } from '../domain/words.ts'
import { toGrams } from './grams.ts'
import type { Statistics } from './statistics.ts'

/** A request is at most a few sentences; what comes after is content, and every further word costs time. */
export const requestWords = 96

/** Words of grammar tell some requests apart ("how do I", "what is my") and are noise in most. */
const grammarWeight = 0.3
/** Words that stand side by side in both texts belong together: part of what the two say by themselves is added. */
const pairWeight = 0.3
/** Parts of words find compounds and typos; as each word has several, a part counts a fraction. */
const gramWeight = 0.2
/** A word said again is meant; said often it is content. */
const mostRepeats = 3

/** What each word, pair of neighbours and part of a word adds when a listing has it. */
export type Request = { words: Map<string, number>; pairs: Map<string, number>; grams: Map<string, number>; most: number }

const countAll = (items: string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, Math.min(mostRepeats, (counts.get(item) ?? 0) + 1))
  return counts
}
const weigh = (counts: Map<string, number>, worth: (item: string) => number) =>
  new Map([...counts].map(([item, count]) => [item, count * worth(item)]))
const sum = (weights: Map<string, number>) => [...weights.values()].reduce((a, b) => a + b, 0)

export const toPair = (a: string, b: string): string => `${a} ${b}`

/** Pairs of neighbours; words of grammar between two do not part them. */
export const pairsOf = (words: string[]): string[] => {
  const meant = words.filter(word => !isStopWord(word))
  return meant.slice(1).map((word, at) => toPair(meant[at] ?? '', word))
}

export const toRequest = (text: string, statistics: Statistics): Request => {
  const said = toWords(text).slice(0, requestWords)
  const meant = said.filter(word => !isStopWord(word))
  const most = statistics.mostWorth()
  const words = weigh(countAll(said), word => statistics.worthOf(word) * (isStopWord(word) ? grammarWeight : 1))
  // If two words were independent, what their pair says would be the sum.
  const pairs = weigh(countAll(pairsOf(said)), pair => {
    const [a = '', b = ''] = pair.split(' ')
    return pairWeight * Math.min(most, statistics.worthOf(a) + statistics.worthOf(b))
  })
  const grams = weigh(countAll([...new Set(meant)].flatMap(toGrams)), gram => gramWeight * statistics.worthOfGram(gram))
  return { words, pairs, grams, most: sum(words) + sum(pairs) + sum(grams) }
}
