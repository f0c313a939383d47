import { z } from 'zod'
import { sha256 } from '../domain/json.ts'
import type { Listing } from '../domain/offering.ts'
import type { Indexed } from '../ports.ts'
import { toFields, toIndexed, toText } from './fields.ts'

/**
 * One offering in the index. `key` and `agentKey` are hashes: they alone stand in conditions, so no text of a stranger is ever
 * part of one. `terms` is what the full-text index reads, `fields` what its finds are ranked by.
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
  fields: string
}

export const toAgentKey = (agentId: string): string => sha256(agentId)
export const toKey = ({ agentId, id }: Pick<Listing, 'agentId' | 'id'>): string => sha256(JSON.stringify([agentId, id]))

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
    terms: toIndexed(fields),
    fields: toText(fields),
  }
}

/** What a query reads back. */
export const hit = z.object({ agentId: z.string(), offeringId: z.string(), fields: z.string(), _score: z.number() })
export const hitColumns = Object.keys(hit.shape)
