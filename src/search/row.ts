import { z } from 'zod'
import { sha256 } from '../domain/json.ts'
import { type Listing, toSearchText } from '../domain/offering.ts'
import { toTerms } from '../domain/words.ts'

/**
 * One offering in the index. `key` and `agentKey` are hashes: they alone stand in conditions, so no text of a stranger is ever
 * part of one. `terms` is what the full-text index reads.
 */
export type Row = {
  key: string
  agentKey: string
  agentId: string
  offeringId: string
  chain: number
  price: number
  version: number
  terms: string
}

export const toAgentKey = (agentId: string): string => sha256(agentId)
export const toKey = ({ agentId, id }: Pick<Listing, 'agentId' | 'id'>): string => sha256(JSON.stringify([agentId, id]))

/** The name says most in the fewest words, so it counts twice: it is also part of the search text. */
export const toRow = (listing: Listing): Row => ({
  key: toKey(listing),
  agentKey: toAgentKey(listing.agentId),
  agentId: listing.agentId,
  offeringId: listing.id,
  chain: listing.chainId,
  // Only for filtering; the exact price is read from the store before anything is proposed.
  price: Number(listing.price),
  version: listing.version,
  terms: [...toTerms(listing.name), ...toTerms(toSearchText(listing))].join(' '),
})

/** What a query reads back. */
export const hit = z.object({ agentId: z.string(), offeringId: z.string(), terms: z.string(), _score: z.number() })
export const hitColumns = Object.keys(hit.shape)
