import { toSearchFields } from '../domain/offerings/offering.ts'
import { takesCode } from '../language/forms/codedFields.ts'
import { typesTaken, type ValueType } from '../language/words/valueTypes.ts'
import { toWords } from '../language/words/words.ts'
import type { Indexed } from '../ports.ts'

/** The fields of a listing. `learned` are terms of completed requests, in no order. */
const fieldNames = ['name', 'about', 'schema', 'examples', 'learned'] as const
type FieldName = (typeof fieldNames)[number]
/** The stemmed words of each field in order. Stop words are kept, because they distinguish short requests. */
export type Fields = Record<FieldName, string[]>

/** Encodes a value type as a term of the index. The prefix cannot occur in a word. */
export const toTypeTerm = (type: ValueType) => `=${type}`
export const isTypeTerm = (term: string) => term.startsWith('=')

/** The term of offerings that need a value that tells itself by its form, and of requests that have one. */
export const codeTerm = '=code'

/** The terms of a listing by field, with the types of its inputs. */
export const toFields = (listing: Indexed, learned: string[] = []): Fields => {
  const { name, about, schema, examples } = toSearchFields(listing)
  const types = [...[...typesTaken(listing.requirement)].map(toTypeTerm), ...(takesCode(listing.requirement) ? [codeTerm] : [])]
  return {
    name: toWords(name),
    about: toWords(`${about}\n${listing.agentText ?? ''}`),
    schema: [...toWords(schema), ...types],
    examples: toWords(examples),
    learned,
  }
}

// Words contain neither spaces nor line breaks, so both can separate them.
export const toText = (fields: Fields): string => fieldNames.map(name => fields[name].join(' ')).join('\n')

/** Parses the stored form of `toText`. */
export const fromText = (text: string): Fields => {
  const lines = text.split('\n')
  const words = (name: FieldName) => lines[fieldNames.indexOf(name)]?.split(' ').filter(it => it !== '') ?? []
  return {
    name: words('name'),
    about: words('about'),
    schema: words('schema'),
    examples: words('examples'),
    learned: words('learned'),
  }
}
