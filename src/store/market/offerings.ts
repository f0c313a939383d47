import { z } from 'zod'
import { canonical } from '../../domain/json.ts'
import { type Listing, offering } from '../../domain/offering.ts'
import type { Tables } from '../../ports.ts'
import { askReindex } from '../effects/outbox.ts'
import type { Row, Scope, Value } from '../engine/db.ts'
import { jsonText, rowOf } from '../engine/rows.ts'

const listed = rowOf({
  body: jsonText(offering),
  agentId: z.string(),
  agentHandle: z.string(),
  agentName: z.string(),
  chainId: z.number(),
  version: z.number(),
})

const standing = `from offering o join agent a on a.key = o.agent_key where o.removed = 0 and a.id is not null`
export const listingSelect = `select o.body, a.id as agent_id, a.handle as agent_handle, a.name as agent_name, a.chain_id, o.version ${standing}`

// A member of JSON text as `true` in one dialect and 1 in the other.
const holds = (member: string) => `cast(o.body{PARSED}->>'${member}' as text) in ('true', '1')`
/** Anyone may find and hire it. */
export const isListedSql = `${holds('active')} and not ${holds('hide')} and not ${holds('restricted')}`
const countListed = `select count(*) as listed ${standing} and ${isListedSql}`

// The version of an unchanged offering stays, also when it was away in between.
const upsert = `insert into offering (agent_key, id, version, body, place, removed) values ($1, $2, 1, $3, $4, 0)
  on conflict (agent_key, id) do update set body = excluded.body, place = excluded.place, removed = 0,
  version = case when offering.body = excluded.body then offering.version else offering.version + 1 end`

type OfferingTables = Pick<Tables, 'putOfferings' | 'offerings' | 'listing' | 'listings' | 'countListed'>

export const offeringTable = ({ read, write }: Scope): OfferingTables => ({
  putOfferings: (agentKey, offerings) =>
    write(async tx => {
      // First, because it locks the agent: two lists that arrive together come one after the other.
      await askReindex(tx, agentKey)
      await tx.sql('update offering set removed = 1 where agent_key = $1 and removed = 0', [agentKey])
      for (const [place, it] of offerings.entries()) await tx.sql(upsert, [agentKey, it.id, canonical(it), place])
    }),

  offerings: async agentId => toListings(await read(`${listingSelect} and a.id = $1 order by o.place, o.id`, [agentId])),

  listing: async (agentId, offeringId) => {
    const params: Value[] = [agentId, offeringId]
    return toListings(await read(`${listingSelect} and a.id = $1 and o.id = $2`, params))[0]
  },

  listings: async ({ limit, offset }) =>
    toListings(await read(`${listingSelect} order by o.agent_key, o.place, o.id limit $1 offset $2`, [limit, offset])),

  countListed: async () => Number((await read(countListed))[0]?.listed),
})

export const toListings = (rows: Row[]): Listing[] => listed.all(rows).map(({ body, ...market }) => ({ ...body, ...market }))
