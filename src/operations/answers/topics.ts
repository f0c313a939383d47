import { stem } from '../../domain/stem.ts'
import { splitWords } from '../../domain/words.ts'

/** A subject that people ask about: words that speak for it, and what is said of it. */
export type Topic<T> = { words: string; say: T }

/** The subject that most words of a message speak for; the first of equals. */
export const topicOf = <T>(text: string, topics: Topic<T>[]): T | undefined => {
  const said = new Set(splitWords(text.replace(/n['’]t\b/g, ' not')).map(stem))
  const scored = topics.map(({ words, say }) => ({ say, score: words.split(' ').filter(it => said.has(stem(it))).length }))
  const best = scored.reduce<{ say: T; score: number } | undefined>((a, b) => (a && a.score >= b.score ? a : b), undefined)
  return best && best.score > 0 ? best.say : undefined
}
