import { type Listing, toSearchFields } from '../domain/offering.ts'
import { toWords } from '../domain/words.ts'

/** Where a word of a listing stands. `learned` are terms of settled requests; their order means nothing. */
const fieldNames = ['name', 'about', 'schema', 'learned'] as const
type FieldName = (typeof fieldNames)[number]
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
