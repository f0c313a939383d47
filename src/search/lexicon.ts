import { toGrams } from '../language/words/grams.ts'
import { subjectsOfTerm } from '../language/words/subjects.ts'
import { isStopWord } from '../language/words/words.ts'
import { createFamily, toWorth } from './family.ts'
import { type Fields, fromText, isTypeTerm, type Row } from './row.ts'
import { createVocabulary } from './vocabulary.ts'

/**
 * Field weights of BM25F (Robertson, Zaragoza and Taylor 2004). A name says most in the fewest words. A schema is long and says
 * little about the purpose.
 */
const fieldWeights = { name: 3.9, about: 1, schema: 0.6, examples: 0.6 }
type OwnField = keyof typeof fieldWeights
export const ownFields: OwnField[] = ['name', 'about', 'schema', 'examples']

// Tuned on public request sets. Changing any value by a tenth changes no metric by more than half a percentage point.
const wordShape = { saturation: 2, lengthShare: 0.5 }
const gramShape = { saturation: 2, lengthShare: 0.3 }
const subjectShape = { saturation: 2, lengthShare: 0.3 }
const learnedShape = { saturation: 0.7, lengthShare: 0.5 }

type Amounts = Map<string, number>
const count = (words: string[], weight: number, amounts: Amounts = new Map()): Amounts => {
  for (const word of words) amounts.set(word, (amounts.get(word) ?? 0) + weight)
  return amounts
}
const gramsOf = (words: string[]) => words.filter(word => !isStopWord(word) && !isTypeTerm(word)).flatMap(toGrams)

/** The weighted count of each term in all own fields of a listing. */
export const toAmounts = (fields: Fields, of: (words: string[]) => string[] = it => it): Amounts =>
  ownFields.reduce((amounts, name) => count(of(fields[name]), fieldWeights[name], amounts), new Map<string, number>())

const subjectsIn = (words: string[]) => words.flatMap(it => [...subjectsOfTerm(it)])

/**
 * A listing in the index. Its place is its number there, and a removed listing leaves an empty place. `digest` identifies the
 * content of its row. A row that was read from the table has none, so it is written once more at its next change.
 */
export type Placed = Pick<Row, 'key' | 'agentKey' | 'agentId' | 'offeringId' | 'chain' | 'price' | 'version'> & {
  digest?: string
}
export type Removal = { gone: string[] } | { agentKey: string; except: string[] }

const goneBy = (change: Removal, keysOf: (agentKey: string) => string[]): string[] => {
  if ('gone' in change) return change.gone
  const kept = new Set(change.except)
  return keysOf(change.agentKey).filter(key => !kept.has(key))
}

/** The place of each listing. A place is used once: that of a removed listing stays empty. */
const createPlaces = () => {
  const placed: (Placed | undefined)[] = []
  const placeByKey = new Map<string, number>()
  const keysByAgent = new Map<string, Set<string>>()
  const drop = (key: string) => {
    const place = placeByKey.get(key)
    if (place === undefined) return
    keysByAgent.get(placed[place]?.agentKey ?? '')?.delete(key)
    placed[place] = undefined
    placeByKey.delete(key)
  }
  return {
    drop,
    put(row: Placed): number {
      drop(row.key)
      const place = placed.push(row) - 1
      placeByKey.set(row.key, place)
      keysByAgent.set(row.agentKey, (keysByAgent.get(row.agentKey) ?? new Set()).add(row.key))
      return place
    },
    at: (place: number): Placed | undefined => placed[place],
    placeOf: (key: string): number | undefined => placeByKey.get(key),
    keysOf: (agentKey: string): string[] => [...(keysByAgent.get(agentKey) ?? [])],
    /** Number of places, including empty ones. */
    size: () => placed.length,
    empty: () => placed.length - placeByKey.size,
  }
}

/**
 * The inverted index of all listings in memory, by words and n-grams. A removed listing is no longer found, but its term counts
 * remain until the index is rebuilt.
 */
export const createLexicon = () => {
  const places = createPlaces()
  const withExamples = new Set<number>()
  const words = createFamily(wordShape)
  const vocabulary = createVocabulary()
  const grams = createFamily(gramShape)
  const subjects = createFamily(subjectShape)
  const learned = createFamily(learnedShape)
  const learnedGrams = createFamily(learnedShape)

  const put = ({ fields: text, ...row }: Placed & Pick<Row, 'fields'>) => {
    const before = places.at(places.placeOf(row.key) ?? -1)
    if (before && before.version > row.version) return
    const place = places.put(row)
    const fields = fromText(text)
    const amounts = toAmounts(fields)
    for (const word of amounts.keys())
      if (words.countOf(word) === 0 && !isStopWord(word) && !isTypeTerm(word)) vocabulary.add(word)
    words.add(place, amounts)
    grams.add(place, toAmounts(fields, gramsOf))
    subjects.add(place, toAmounts(fields, subjectsIn))
    if (fields.learned.length > 0) withExamples.add(place)
    learned.add(place, count(fields.learned, 1))
    learnedGrams.add(place, count(gramsOf(fields.learned), 1))
  }

  return {
    words,
    grams,
    subjects,
    learned,
    learnedGrams,
    put,
    remove(change: Removal) {
      for (const key of goneBy(change, places.keysOf)) places.drop(key)
    },
    /** Indexed words with the smallest edit distance to a word that is in no listing. */
    nearest: vocabulary.nearest,
    at: places.at,
    placeOf: places.placeOf,
    keysOf: places.keysOf,
    /** Places of listings with learned terms. */
    taught: (): ReadonlySet<number> => withExamples,
    size: places.size,
    empty: places.empty,
    worth: (count: number) => toWorth(places.size(), count),
  }
}
export type Lexicon = ReturnType<typeof createLexicon>
