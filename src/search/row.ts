import { sha256 } from '../domain/json.ts'
import { type Listing, toSearchText } from '../domain/offerings/offering.ts'
import type { Indexed } from '../ports.ts'
import { toFields, toText } from './fields.ts'

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
