import { longestWord } from '../domain/text/spelling.ts'
import { findCodes } from '../language/forms/codedFields.ts'
import { isEnglish } from '../language/words/englishWords.ts'
import { toGrams } from '../language/words/grams.ts'
import { stem } from '../language/words/stem.ts'
import { toSubjects } from '../language/words/subjects.ts'
import { typesSaid, type ValueType } from '../language/words/valueTypes.ts'
import { isStopWord, splitWords, toMeaning, toWords } from '../language/words/words.ts'
import type { Family } from './family.ts'
import type { Lexicon } from './lexicon.ts'
import { codeTerm, toTypeTerm } from './row.ts'
import { type Guess, toSynonyms } from './vocabulary.ts'

/**
 * Maximum words of a request that are searched. A request is at most a few sentences; the rest is content, and each word costs
 * time.
 */
const requestWords = 96
/** So much of a request is split into words, which takes long in some alphabets. */
const requestChars = 2_500
/**
 * Stop words distinguish short requests ("how do I", "what is my") but are noise in long ones. Up to this many other words they
 * have full weight, and with twice as many words half of it.
 */
const grammarBound = 4.6
/** Weight of an n-gram. N-grams find compounds and typos; a word has several, so each counts a fraction. */
const gramWeight = 0.2
const synonymWeight = 0.4
/** Weight of a subject, relative to a word: many words belong to one subject, and one of them may mean another. */
const subjectWeight = 0.4
/**
 * Unknown words of a request that are corrected. Each one is compared with many words, and more unknown words are rarely typos.
 */
const maxStrange = 8
/**
 * Minimum similarity of a correction that counts towards coverage. One letter of five often makes another word ("stole",
 * "style"), so such a correction only affects the order.
 */
const sureLikeness = 0.8
/**
 * Maximum count of a repeated word. A word that is repeated more often is content, and would outweigh the rest of the request.
 */
const maxRepeats = 2
/** Weight of the cosine between request and listing, relative to the BM25 sum. It prefers listings that are about little else. */
const angleWeight = 0.45
/**
 * Weight of learned terms, relative to a listing's own words: people phrase requests as others did before them. Both scores are
 * averaged, so that a listing with many completed requests does not outrank a new one that matches in its own words.
 */
const learnedWeight = 1.2
const learnedGramWeight = 0.3
export const exampleShare = 1 / (1 + learnedWeight)
/**
 * The sum of signs that makes a listing a match. One word is enough; one n-gram may be chance, so it takes two. Stop words only
 * affect the order.
 */
export const signsOfFind = 4
const signs = { word: 4, gram: 2, doubtedGram: 1, grammar: 0 }

/** One term of a request. `visit` calls `each` with every listing that contains it, and the score that it adds. */
export type Part = {
  kind: 'word' | 'gram' | 'subject' | 'learned'
  term: string
  /** The weight of the term in the score. */
  sign: number
  /** Whether it counts towards coverage. */
  isMeant: boolean
  visit(each: (place: number, added: number) => void): void
}

/** Weight of a value type. It is low, because a type may be recognised wrongly. */
const typeWeight = 1
/** Value types that are rarely recognised by chance. One of them alone makes a listing a match. */
const tellingTypes = new Set<ValueType>(['currencies', 'units', 'audio', 'video', 'image', 'document', 'repository', 'account'])

const countAll = (items: string[]): [string, number][] => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, Math.min(maxRepeats, (counts.get(item) ?? 0) + 1))
  return [...counts]
}
const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)

type Weighed = { term: string; times: number; weight: number; worth: number; isGrammar: boolean }

const weighWords = (said: string[], { words, worth: toWorth }: Lexicon): Weighed[] => {
  const counts = countAll(said)
  const meant = said.filter(word => !isStopWord(word)).length
  const grammarWeight = Math.min(1, grammarBound / Math.max(1, meant))
  return counts.map(([term, times]) => {
    const isGrammar = isStopWord(term)
    const worth = toWorth(words.countOf(term))
    return { term, times, weight: times * worth * (isGrammar ? grammarWeight : 1), worth, isGrammar }
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

/** The words of a text as they were written, by stem. */
const toSpelling = (text: string) => new Map(splitWords(text).map(word => [stem(word), word]))

const letters = new RegExp(`^\\p{L}{1,${longestWord}}$`, 'u')

/**
 * Corrects the spelling of words that occur in no listing: the word with the fewest edits, and of several the most frequent
 * one. Correct English words are not changed: "cancel" stays "cancel" in a market that only knows "cancer". A correction weighs
 * less, the more it changes. The total weight of the request stays the same, because a correction may be wrong.
 */
const weighGuesses = (meant: Weighed[], text: string, { words, nearest, worth: toWorth }: Lexicon) => {
  // Compare unstemmed words too: stemming may hide the typo. "hotle" is nearer to "hotel" than its stem "hotl" is.
  const spelt = toSpelling(text)
  const isStrange = (term: string) => words.countOf(term) === 0 && letters.test(term) && !isEnglish(spelt.get(term) ?? term)
  const strange = meant.filter(({ term }) => isStrange(term))
  const isNearer = (a: Guess, b: Guess) => a.edits - b.edits || words.countOf(b.word) - words.countOf(a.word)
  return strange.slice(0, maxStrange).flatMap(({ term: from, ...it }) => {
    const word = spelt.get(from) ?? from
    const [best] = [...nearest(word), ...nearest(from)].sort(isNearer)
    if (!best) return []
    const worth = toWorth(words.countOf(best.word))
    const likeness = 1 - best.edits / word.length
    const isSure = likeness > sureLikeness
    return [{ from, ...it, term: best.word, worth, isSure, weight: it.times * worth * likeness ** 2 }]
  })
}

const weighGrams = (meant: Weighed[], { grams, worth }: Lexicon) =>
  countAll(meant.flatMap(it => toGrams(it.term))).map(([term, times]) => ({
    term,
    times,
    weight: gramWeight * times * worth(grams.countOf(term)),
  }))

/** Splits a request into weighted terms. A listing that contains all of them and nothing else would score about 1. */
export const toParts = (request: string, lexicon: Lexicon): Part[] => {
  const text = request.slice(0, requestChars)
  const { words, grams, subjects, learned, learnedGrams, worth: toWorth } = lexicon
  const said = toWords(text).slice(0, requestWords)
  const weighed = weighWords(said, lexicon)
  const meant = weighed.filter(it => !it.isGrammar)
  const meaning = new Set(toMeaning(text))
  const spelt = toSpelling(text)
  const isMeantAsSpelt = (term: string) => words.countOf(term) === 0 && isEnglish(spelt.get(term) ?? term)
  // N-grams of a correct English word that no listing contains are weak evidence: it takes more of them to make a match.
  const plainGrams = new Set(meant.filter(it => !isMeantAsSpelt(it.term)).flatMap(it => toGrams(it.term)))
  const gramWeights = weighGrams(meant, lexicon)
  const all = sum([...weighed, ...gramWeights].map(it => it.weight)) || 1
  const length = Math.hypot(...meant.map(it => it.weight)) || 1
  const rarest = toWorth(0) || 1
  const scale = 1 / (1 + angleWeight)

  const guesses = weighGuesses(meant, text, lexicon)
  const spoken = toSubjects([...meant, ...guesses].map(it => it.term))

  const ofWord = ({ term, weight, worth, isGrammar }: Weighed): Part => {
    const perShare = (scale * weight) / all
    const perAngle = isGrammar ? 0 : (scale * angleWeight * weight * worth) / (length * rarest)
    return {
      // In a request that consists only of stop words, they count as words.
      kind: 'word',
      term,
      sign: isGrammar && meant.length > 0 ? signs.grammar : signs.word,
      isMeant: meaning.has(term),
      visit: each => words.visit({ feature: term, perShare, perAngle }, each),
    }
  }
  const of =
    (kind: Part['kind'], sign: number, family: Family) =>
    (term: string, weight: number): Part => ({
      kind,
      term,
      sign,
      isMeant: false,
      visit: each => family.visit({ feature: term, perShare: (scale * weight) / all }, each),
    })
  const ofSynonym = of('word', signs.word, words)
  const ofGram = (term: string, weight: number, sign: number) => of('gram', sign, grams)(term, weight)
  const ofSubject = of('subject', signs.word, subjects)
  const ofLearned = of('learned', signs.word, learned)
  const ofLearnedGram = of('learned', signs.gram, learnedGrams)
  const ofTerm = (term: string, sign: number) => of('word', sign, words)(term, typeWeight * toWorth(words.countOf(term)))
  const ofType = (type: ValueType) => ofTerm(toTypeTerm(type), tellingTypes.has(type) ? signs.word : signs.grammar)
  return [
    ...weighed.map(ofWord),
    ...[...typesSaid(text)].map(ofType),
    ...(findCodes(text).length > 0 ? [ofTerm(codeTerm, signs.word)] : []),
    ...guesses.map(it => ({ ...ofWord(it), isMeant: it.isSure && meaning.has(it.from) })),
    ...weighSynonyms(meant, lexicon).map(it => ofSynonym(it.term, it.weight)),
    ...gramWeights.map(it => ofGram(it.term, it.weight, plainGrams.has(it.term) ? signs.gram : signs.doubtedGram)),
    ...[...spoken].map(([it, much]) => ofSubject(it, subjectWeight * Math.min(1, much) * toWorth(subjects.countOf(it)))),
    ...meant.map(({ term, times }) => ofLearned(term, learnedWeight * times * toWorth(learned.countOf(term)))),
    ...gramWeights.map(({ term, times }) => ofLearnedGram(term, learnedGramWeight * times * toWorth(learnedGrams.countOf(term)))),
  ]
}
