import { remember } from '../../domain/text/remember.ts'
import { stem } from './stem.ts'

/** Function words, which say nothing about the topic of a text. */
const stopWords = new Set(
  `a about above after again against all am an and any are as at be because been before being below between both but by can
  cannot could did do does doing don down during each few for from further had has have having he her here hers him his how i
  if in into is it its itself just me more most my myself no nor not now of off on once only or other our ours out over own
  same she should so some such than that the their theirs them then there these they this those through to too under until up
  us very was we were what when where whether which while who whom why will with would you your yours doesn didn isn aren won ll
  ve re please also upon within via per etc eg ie
  teh wat im ive dont doesnt cant u ur pls plz whats wheres whens whos whys hows thats theres lets`.split(/\s+/),
)

/** Words of asking, which occur in almost every request and do not say what is requested. */
const askingWords = new Set(
  `want need like help hello hi hey thanks thank find get give show tell look looking let make know try use using hire agent
  someone somebody something anyone anything thing kindly provide able would task job service good best new one two
  today possible quick quickly really thx gimme wanna`
    .split(/\s+/)
    .map(stem),
)

// Scripts without spaces between words.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/u
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })
const segments = (run: string) => [...segmenter.segment(run)].filter(it => it.isWordLike).map(it => it.segment)

/**
 * Splits a text into words, in order: lower case, without accents, `camelCase` and `snake_case` split. Clitics are removed:
 * `what's` becomes `what`.
 */
export const splitWords = (text: string): string[] => {
  const spaced = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replace(/['’](?:s|t|re|ve|ll|d|m)(?!\p{L})/gu, ' ')
  const words = spaced.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.flatMap(word => (unspaced.test(word) ? segments(word) : [word]))
}

export const isStopWord = (word: string): boolean => stopWords.has(word)

/** All words of a text in order: stemmed, except the stop words. */
export const toWords = (text: string): string[] => splitWords(text).map(word => (stopWords.has(word) ? word : stem(word)))

/** The stems of all words that are not stop words. */
export const toTerms = remember({ results: 2_000, chars: 2_000 }, (text: string): readonly string[] =>
  splitWords(text)
    .filter(word => !stopWords.has(word))
    .map(stem),
)

/** The distinct terms of a request that say what is requested. */
export const toMeaning = (request: string): string[] => [...new Set(toTerms(request))].filter(term => !askingWords.has(term))

/** Creates a function for the share (0–1) of a request's terms that are among given terms; 0 for a request without terms. */
export const createCoverage = (request: string): ((terms: ReadonlySet<string>) => number) => {
  const meaning = toMeaning(request)
  return terms => (meaning.length === 0 ? 0 : meaning.filter(term => terms.has(term)).length / meaning.length)
}

/** The share (0–1) of the request's meaning that the terms contain. */
export const toCoverage = (request: string, terms: ReadonlySet<string>): number => createCoverage(request)(terms)
