import { toSearchFields } from '../domain/offering.ts'
import { typesTaken, type ValueType } from '../domain/valueTypes.ts'
import { toWords } from '../domain/words.ts'
import type { Indexed } from '../ports.ts'

/** Where a word of a listing stands. `learned` are terms of settled requests; their order means nothing. */
const fieldNames = ['name', 'about', 'schema', 'examples', 'learned'] as const
type FieldName = (typeof fieldNames)[number]
/** The words of a listing in order, stemmed; words of grammar stay, because requests are also told apart by them. */
export type Fields = Record<FieldName, string[]>

/** A type of value as a term of the index; no word looks like it. */
export const toTypeTerm = (type: ValueType) => `=${type}`
export const isTypeTerm = (term: string) => term.startsWith('=')

export const toFields = (listing: Indexed, learned: string[] = []): Fields => {
  const { name, about, schema, examples } = toSearchFields(listing)
  const types = [...typesTaken(listing.requirement)].map(toTypeTerm)
  return {
    ...{ name: toWords(name), about: toWords(`${about}\n${listing.agentText ?? ''}`) },
    ...{ schema: [...toWords(schema), ...types], examples: toWords(examples), learned },
  }
}

// No word holds a blank or a line break, so both can stand between words.
export const toText = (fields: Fields): string => fieldNames.map(name => fields[name].join(' ')).join('\n')

export const fromText = (text: string): Fields => {
  const lines = text.split('\n')
  const words = (name: FieldName) => lines[fieldNames.indexOf(name)]?.split(' ').filter(it => it !== '') ?? []
  return {
    ...{ name: words('name'), about: words('about'), schema: words('schema') },
    ...{ examples: words('examples'), learned: words('learned') },
  }
}
