import { stem } from '../../language/words/stem.ts'
import { splitWords } from '../../language/words/words.ts'

/** One possible topic of a question: its name, the words that indicate it, separated by spaces, and its answer. */
export type Topic<T> = { name?: string; words: string; say: T }

/**
 * Returns the answer of the topic that is named, or else of the one with the most words in the text, the first one if several
 * have equally many. Returns undefined if no topic has any.
 */
export const topicOf = <T>(text: string, topics: Topic<T>[], named = ''): T | undefined => {
  const meant = topics.find(it => it.name !== undefined && it.name === named)
  if (meant) return meant.say
  const said = new Set(splitWords(text.replace(/n['’]t\b/g, ' not')).map(stem))
  const scored = topics.map(({ words, say }) => ({ say, score: words.split(' ').filter(it => said.has(stem(it))).length }))
  const best = scored.reduce<{ say: T; score: number } | undefined>((a, b) => (a && a.score >= b.score ? a : b), undefined)
  return best && best.score > 0 ? best.say : undefined
}
