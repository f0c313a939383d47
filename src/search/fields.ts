import { type Listing, toSearchFields } from '../domain/offering.ts'
import { isStopWord, toWords } from '../domain/words.ts'

/** Where a word of a listing stands. `learned` are terms of settled requests; their order means nothing. */
export const fieldNames = ['name', 'about', 'schema', 'learned'] as const
export type FieldName = (typeof fieldNames)[number]
/** The words of a listing in order, stemmed; words of grammar stay, because requests are also told apart by them. */
export type Fields = Record<FieldName, string[]>

export const toFields = (listing: Listing, learned: string[] = []): Fields => {
  const { name, about, schema } = toSearchFields(listing)
  return { name: toWords(name), about: toWords(about), schema: toWords(schema), learned }
}

// No word holds a blank or a line break, so both can stand between words.
export const toText = (fields: Fields): string => fieldNames.map(name => fields[name].join(' ')).join('\n')

export const fromText = (text: string): Fields => {
  const [name, about, schema, learned] = text.split('\n')
  const words = (line: string | undefined) => (line ? line.split(' ') : [])
  return { name: words(name), about: words(about), schema: words(schema), learned: words(learned) }
}

/** What the full-text index reads: each word once, since the order among its finds is decided by `score.ts`. */
export const toIndexed = (fields: Fields): string => [...new Set(fieldNames.flatMap(name => fields[name]))].join(' ')

/** The words by which a listing is found by its own description; what was learned is not part of it. */
export const toOwnTerms = ({ name, about, schema }: Fields): Set<string> =>
  new Set([...name, ...about, ...schema].filter(word => !isStopWord(word)))
