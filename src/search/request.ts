import { isEnglish } from '../domain/englishWords.ts'
import { toGrams } from '../domain/grams.ts'
import { longestWord } from '../domain/spelling.ts'
import { stem } from '../domain/stem.ts'
import { toSubjects } from '../domain/subjects.ts'
import { typesSaid, type ValueType } from '../domain/valueTypes.ts'
import { isStopWord, splitWords, toMeaning, toWords } from '../domain/words.ts'
import type { Family } from './family.ts'
import { toTypeTerm } from './fields.ts'
import type { Lexicon } from './lexicon.ts'
import { toSynonyms } from './synonyms.ts'
import type { Guess } from './vocabulary.ts'

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
/** A subject is spoken of by many words, and one of them may mean another. */
const subjectWeight = 0.4
/** Further strange words of a request are no misspellings, and each is compared with many words. */
const mostStrange = 8
/** One letter of five makes another word too often ("stole", "style"): such a guess may order finds, and says not that one fits. */
const sureLikeness = 0.8
/** A word said again is meant; said more often it is content, and drowns the rest of a request for several things. */
const mostRepeats = 2
/** How much the angle between request and listing adds to the sum over words: it prefers whoever speaks of little else. */
const angleWeight = 0.45
/**
 * What was learned speaks for a listing a little louder than its own words: people ask as others have asked before them. The two
 * are averaged, so that a listing which settled many requests does not outrank a new one that says what is asked for.
 */
const learnedWeight = 1.2
const learnedGramWeight = 0.3
export const taughtShare = 1 / (1 + learnedWeight)
/** One word makes a listing a find; of parts of words it takes two, because one is chance; words of grammar only order finds. */
export const signsOfFind = 4
const signs = { word: 4, gram: 2, doubtedGram: 1, grammar: 0 }

/** One thing that a request asks for; `visit` tells every listing that has it, and what that adds to its score. */
export type Part = {
  kind: 'word' | 'gram' | 'subject' | 'learned'
  term: string
  /** How far it makes a listing a find. */
  sign: number
  /** Whether it is part of what coverage counts. */
  isMeant: boolean
  visit(each: (place: number, added: number) => void): void
}

/** A type of value says less than a word of the same rarity, as its reading may be wrong. */
const typeWeight = 1
/** Types that hardly stand in a request by chance, so that they alone make a listing a find. */
const tellingTypes = new Set<ValueType>(['currencies', 'units', 'audio', 'video', 'image', 'document', 'repository', 'account'])

const countAll = (items: string[]): [string, number][] => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, Math.min(mostRepeats, (counts.get(item) ?? 0) + 1))
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

/** The words of a text as they were written, by their stems. */
const toSpelling = (text: string) => new Map(splitWords(text).map(word => [stem(word), word]))

const letters = new RegExp(`^\\p{L}{1,${longestWord}}$`, 'u')

/**
 * The known words that words of a request which stand in no listing are most likely misspelt from: the nearest, of these the most
 * used. A correct English word is no misspelling: "cancel" stays what it is in a market that only knows "cancer". The less of the word is left, the less it weighs; the sum over all words stays what it is, as the guess may be wrong.
 */
const weighGuesses = (meant: Weighed[], text: string, { words, nearest, worth: toWorth }: Lexicon) => {
  // The stem of a misspelt word may have lost what tells it: "hotle" is nearer to "hotel" than "hotl" is.
  const spelt = toSpelling(text)
  const isStrange = (term: string) => words.countOf(term) === 0 && letters.test(term) && !isEnglish(spelt.get(term) ?? term)
  const strange = meant.filter(({ term }) => isStrange(term))
  const isNearer = (a: Guess, b: Guess) => a.edits - b.edits || words.countOf(b.word) - words.countOf(a.word)
  return strange.slice(0, mostStrange).flatMap(({ term: from, ...it }) => {
    const word = spelt.get(from) ?? from
    const [best] = [...nearest(word), ...nearest(from)].sort(isNearer)
    if (!best) return []
    const worth = toWorth(words.countOf(best.word))
    const likeness = 1 - best.edits / word.length
    const isSure = likeness > sureLikeness
    return [{ from, ...it, term: best.word, worth, isSure, weight: it.times * worth * likeness ** 2 }]
  })
}

/** What a request asks for, so weighed that a listing which has all of it and nothing else would come near 1. */
export const toParts = (text: string, lexicon: Lexicon): Part[] => {
  const { words, grams, subjects, learned, learnedGrams, worth: toWorth } = lexicon
  const said = toWords(text).slice(0, requestWords)
  const weighed = weighWords(said, lexicon)
  const meant = weighed.filter(it => !it.isGrammar)
  const meaning = new Set(toMeaning(text))
  const spelt = toSpelling(text)
  const isMeantAsSpelt = (term: string) => words.countOf(term) === 0 && isEnglish(spelt.get(term) ?? term)
  const gramCounts = countAll(meant.flatMap(it => toGrams(it.term)))
  // A correct English word that stands nowhere means itself: it takes more of its parts to make a find.
  const plainGrams = new Set(meant.filter(it => !isMeantAsSpelt(it.term)).flatMap(it => toGrams(it.term)))
  const gramWeights = gramCounts.map(([term, times]) => ({
    term,
    times,
    weight: gramWeight * times * toWorth(grams.countOf(term)),
  }))
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
      // A request that has nothing but words of grammar is all about them.
      ...{ kind: 'word', term, sign: isGrammar && meant.length > 0 ? signs.grammar : signs.word, isMeant: meaning.has(term) },
      visit: each => words.visit({ feature: term, perShare, perAngle }, each),
    }
  }
  const of =
    (kind: Part['kind'], sign: number, family: Family) =>
    (term: string, weight: number): Part => ({
      ...{ kind, term, sign, isMeant: false },
      visit: each => family.visit({ feature: term, perShare: (scale * weight) / all }, each),
    })
  const ofSynonym = of('word', signs.word, words)
  const ofGram = (term: string, weight: number, sign: number) => of('gram', sign, grams)(term, weight)
  const ofSubject = of('subject', signs.word, subjects)
  const ofLearned = of('learned', signs.word, learned)
  const ofLearnedGram = of('learned', signs.gram, learnedGrams)
  const ofType = (type: ValueType): Part => {
    const term = toTypeTerm(type)
    const perShare = (scale * typeWeight * toWorth(words.countOf(term))) / all
    const sign = tellingTypes.has(type) ? signs.word : signs.grammar
    return { ...{ kind: 'word', term, sign, isMeant: false }, visit: each => words.visit({ feature: term, perShare }, each) }
  }
  return [
    ...weighed.map(ofWord),
    ...[...typesSaid(text)].map(ofType),
    ...guesses.map(it => ({ ...ofWord(it), isMeant: it.isSure && meaning.has(it.from) })),
    ...weighSynonyms(meant, lexicon).map(it => ofSynonym(it.term, it.weight)),
    ...gramWeights.map(it => ofGram(it.term, it.weight, plainGrams.has(it.term) ? signs.gram : signs.doubtedGram)),
    ...[...spoken].map(([it, much]) => ofSubject(it, subjectWeight * Math.min(1, much) * toWorth(subjects.countOf(it)))),
    ...meant.map(({ term, times }) => ofLearned(term, learnedWeight * times * toWorth(learned.countOf(term)))),
    ...gramWeights.map(({ term, times }) => ofLearnedGram(term, learnedGramWeight * times * toWorth(learnedGrams.countOf(term)))),
  ]
}
