import { sha256 } from '../domain/json.ts'
import { type Listing, toSearchFields, toSearchText } from '../domain/offerings/offering.ts'
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

/**
 * One offering in the index. `fields` is searched, and `text` is sent to the embedding provider. `key` and `agentKey` are
 * hashes. Only they appear in filter conditions, so that text of strangers is never part of a condition.
 */
export type Row = {
  key: string
  agentKey: string
  agentId: string
  offeringId: string
  chain: number
  price: number
  version: number
  fields: string
  text: string
}

export const toAgentKey = (agentId: string): string => sha256(agentId)
export const toKey = ({ agentId, id }: Pick<Listing, 'agentId' | 'id'>): string => sha256(JSON.stringify([agentId, id]))

/** Characters of a listing that are embedded. Providers truncate long texts, and the first words describe the offering. */
const textChars = 2_000

/** Identifies the content of a row, so that an unchanged row is not written again. */
export const digestOf = (row: Row): string => sha256(JSON.stringify(row)).slice(0, digestChars)
const digestChars = 32

export const toRow = (listing: Indexed): Row => {
  const fields = toFields(listing, listing.learned)
  return {
    key: toKey(listing),
    agentKey: toAgentKey(listing.agentId),
    agentId: listing.agentId,
    offeringId: listing.id,
    chain: listing.chainId,
    // Only for filtering. The exact price is read from the store before a proposal.
    price: Number(listing.price),
    version: listing.version,
    fields: toText(fields),
    text: toSearchText(listing).slice(0, textChars),
  }
}
