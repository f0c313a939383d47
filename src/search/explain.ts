import type { Found } from '../ports.ts'
import { fromText } from './fields.ts'
import { type ownFields, toAmounts } from './lexicon.ts'
import { exampleShare, type Part } from './request.ts'

type Explanation = NonNullable<Found['explanation']>
type Sums = { words: Map<string, number>; ngrams: number; learned: number }

/** Splits the score of a word by the fields of the listing that contain it. */
const toTerm = (term: string, added: number, text: string): Explanation['terms'][number] => {
  const fields = fromText(text)
  const inField = (name: (typeof ownFields)[number]) =>
    toAmounts({ name: [], about: [], schema: [], examples: [], learned: [], [name]: fields[name] }).get(term) ?? 0
  const all = toAmounts(fields).get(term) ?? 1
  const share = (name: (typeof ownFields)[number]) => (added * inField(name)) / all
  return { term, name: share('name'), about: share('about'), schema: share('schema'), examples: share('examples') }
}

/**
 * Explains the scores of some listings. Learned terms are reported only as a sum, because they come from other users' requests.
 * @param taught places of listings whose own score and learned score are averaged
 * @param texts the fields of the listings by place
 */
export const explain = (parts: Part[], taught: ReadonlySet<number>, texts: Map<number, string>): Map<number, Explanation> => {
  const sums = new Map<number, Sums>([...texts.keys()].map(place => [place, { words: new Map(), ngrams: 0, learned: 0 }]))
  for (const { kind, term, visit } of parts)
    visit((place, part) => {
      const at = sums.get(place)
      if (!at) return
      const added = taught.has(place) ? part * exampleShare : part
      if (kind === 'word') at.words.set(term, (at.words.get(term) ?? 0) + added)
      else if (kind === 'gram') at.ngrams += added
      else at.learned += added
    })
  return new Map(
    [...sums].map(([place, { words, ngrams, learned }]) => [
      place,
      { terms: [...words].map(([term, added]) => toTerm(term, added, texts.get(place) ?? '')), ngrams, learned },
    ]),
  )
}
