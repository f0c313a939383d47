import { isStopWord, toMeaning, toWords } from '../domain/words.ts'
import type { Family } from './family.ts'
import { toGrams } from './grams.ts'
import type { Lexicon } from './lexicon.ts'
import { toSynonyms } from './synonyms.ts'

/** A request is at most a few sentences; what comes after is content, and every further word costs time. */
const requestWords = 96
/**
 * Words of grammar tell short requests apart ("how do I", "what is my") and are noise in long ones: with up to so many words of
 * meaning they count fully, with twice as many by half.
 */
const grammarBound = 4.6
/** Parts of words find compounds and typos; as each word has several, a part counts a fraction. */
const gramWeight = 0.2
/** A word that is used for one of the request's is less than the word itself. */
const synonymWeight = 0.4
/** A word said again is meant; said often it is content. */
const mostRepeats = 3
/** How much the angle between request and listing adds to the sum over words: it prefers whoever speaks of little else. */
const angleWeight = 0.45
/** What was learned speaks for a listing as loudly as its own words: people ask as others have asked before them. */
const learnedWeight = 1.2
const learnedGramWeight = 0.31

/** One thing that a request asks for; `visit` tells every listing that has it, and what that adds to its score. */
export type Part = {
  kind: 'word' | 'gram' | 'learned'
  term: string
  /** Whether it can make a listing a find; words of grammar only order those that are. */
  isGrammar: boolean
  /** Whether it is part of what coverage counts. */
  isMeant: boolean
  visit(each: (place: number, added: number) => void): void
}

const countAll = (items: string[]): [string, number][] => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, Math.min(mostRepeats, (counts.get(item) ?? 0) + 1))
  return [...counts]
}
const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)

type Weighed = { term: string; weight: number; worth: number; isGrammar: boolean }

const weighWords = (said: string[], { words, worth: toWorth }: Lexicon): Weighed[] => {
  const counts = countAll(said)
  const meant = said.filter(word => !isStopWord(word)).length
  const grammarWeight = Math.min(1, grammarBound / Math.max(1, meant))
  return counts.map(([term, times]) => {
    const isGrammar = isStopWord(term)
    const worth = toWorth(words.countOf(term))
    return { term, weight: times * worth * (isGrammar ? grammarWeight : 1), worth, isGrammar }
  })
}

const weighSynonyms = (weighed: Weighed[], { words, worth: toWorth }: Lexicon): Weighed[] => {
  const said = new Set(weighed.map(it => it.term))
  return weighed.flatMap(it =>
    [...toSynonyms(it.term)]
      .filter(other => !said.has(other))
      .map(term => ({
        ...it,
        term,
        weight: (synonymWeight * it.weight * Math.min(it.worth, toWorth(words.countOf(term)))) / it.worth,
      })),
  )
}

/** What a request asks for, so weighed that a listing which has all of it and nothing else would come near 1. */
export const toParts = (text: string, lexicon: Lexicon): Part[] => {
  const { words, grams, learned, learnedGrams, worth: toWorth } = lexicon
  const said = toWords(text).slice(0, requestWords)
  const weighed = weighWords(said, lexicon)
  const meant = weighed.filter(it => !it.isGrammar)
  const meaning = new Set(toMeaning(text))
  const gramCounts = countAll(meant.flatMap(it => toGrams(it.term)))
  const gramWeights = gramCounts.map(([term, times]) => ({
    term,
    times,
    weight: gramWeight * times * toWorth(grams.countOf(term)),
  }))
  const all = sum([...weighed, ...gramWeights].map(it => it.weight)) || 1
  const length = Math.hypot(...meant.map(it => it.weight)) || 1
  const rarest = toWorth(0) || 1
  const scale = 1 / (1 + angleWeight + learnedWeight)

  const ofWord = ({ term, weight, worth, isGrammar }: Weighed): Part => {
    const perShare = (scale * weight) / all
    const perAngle = isGrammar ? 0 : (scale * angleWeight * weight * worth) / (length * rarest)
    return {
      ...{ kind: 'word', term, isGrammar, isMeant: meaning.has(term) },
      visit: each => words.visit({ feature: term, perShare, perAngle }, each),
    }
  }
  const of = (kind: Part['kind'], term: string, weight: number, family: Family): Part => ({
    ...{ kind, term, isGrammar: false, isMeant: false },
    visit: each => family.visit({ feature: term, perShare: (scale * weight) / all }, each),
  })
  return [
    ...meant.map(ofWord),
    ...weighSynonyms(meant, lexicon).map(it => of('word', it.term, it.weight, words)),
    ...gramWeights.map(it => of('gram', it.term, it.weight, grams)),
    ...countAll(said.filter(word => !isStopWord(word))).map(([term, times]) =>
      of('learned', term, learnedWeight * times * toWorth(learned.countOf(term)), learned),
    ),
    ...gramWeights.map(({ term, times }) =>
      of('learned', term, learnedGramWeight * times * toWorth(learnedGrams.countOf(term)), learnedGrams),
    ),
    ...weighed.filter(it => it.isGrammar).map(ofWord),
  ]
}
