import { sha256 } from '../domain/json.ts'
import { type Listing, toSearchText } from '../domain/offering.ts'
import type { Indexed } from '../ports.ts'
import { toFields, toText } from './fields.ts'

/**
 * One offering in the index. `key` and `agentKey` are hashes: they alone stand in conditions, so no text of a stranger is ever
 * part of one. `fields` is what it is found by, `text` what a provider of embeddings is given.
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

/** What a provider is given of a listing: providers read some thousand words, and the first ones say what it is. */
const textChars = 2_000

export const toRow = (listing: Indexed): Row => {
  const fields = toFields(listing, listing.learned)
  return {
    key: toKey(listing),
    agentKey: toAgentKey(listing.agentId),
    agentId: listing.agentId,
    offeringId: listing.id,
    chain: listing.chainId,
    // Only for filtering; the exact price is read from the store before anything is proposed.
    price: Number(listing.price),
    version: listing.version,
    fields: toText(fields),
    text: toSearchText(listing).slice(0, textChars),
  }
}
