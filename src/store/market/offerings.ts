import { z } from 'zod'
import { fileMark } from '../../domain/files/fileMembers.ts'
import { canonical } from '../../domain/json.ts'
import { isListed, type Listing, offering } from '../../domain/offerings/offering.ts'
import { usageMark } from '../../domain/x402/x402Times.ts'
import { repeatedJson } from '../../ports/rows/columns.ts'
import { requestReindex } from '../effects/outbox.ts'
import type { Aside, Row, Tx, Value } from '../engine/db.ts'
import { placesOf, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const listed = rowOf({
  body: repeatedJson(offering),
  agentId: z.string(),
  agentHandle: z.string(),
  agentName: z.string(),
  chainId: z.number(),
  version: z.number(),
})

export const fromCurrent = `from offering o join agent a on a.key = o.agent_key where o.removed = 0 and a.id is not null`
export const listingSelect = `select o.agent_key || ':' || o.id as key, o.body, a.id as agent_id,
  a.handle as agent_handle, a.name as agent_name, a.chain_id, o.version ${fromCurrent}`

/** Whether anyone may find and hire the offering. */
export const isListedSql = 'o.listed = 1'
const countListed = `select count(*) as listed ${fromCurrent} and ${isListedSql}`

/** The condition for listings that are sold by paid call. An offering has a chain once its agent has an identity. */
const soldBy = ({ chainIds, usageChainIds, slaMinutes }: { chainIds: number[]; usageChainIds: number[]; slaMinutes: number }) => {
  const among = (ids: number[], from: number) => placesOf(ids, from) || 'null'
  const where = `${isListedSql} and o.price > 0 and o.sla_minutes <= $1 and o.body not like '%${fileMark}%' and case
    when o.body like '%${usageMark}%' then o.chain_id in (${among(usageChainIds, 2 + chainIds.length)})
    else o.chain_id in (${among(chainIds, 2)}) end`
  return { where, params: [slaMinutes, ...chainIds, ...usageChainIds] }
}

// An unchanged offering keeps its version, even when it was removed in between.
const upsert = `insert into offering (agent_key, id, version, body, place, removed, listed, agent_seq, chain_id, price,
  sla_minutes, has_sample)
  select key, $2, 1, $3, $4, 0, $5, seq, case when id is not null then chain_id end, $6, $7, $8 from agent where key = $1
  on conflict (agent_key, id) do update set body = excluded.body, place = excluded.place, removed = 0, listed = excluded.listed,
  chain_id = excluded.chain_id, price = excluded.price, sla_minutes = excluded.sla_minutes, has_sample = excluded.has_sample,
  version = case when offering.body = excluded.body then offering.version else offering.version + 1 end`

const addTag = `insert into offering_tag (tag, agent_seq, place, offering_id, agent_key, chain_id, price, sla_minutes, has_sample)
  select $3, o.agent_seq, o.place, o.id, o.agent_key, o.chain_id, o.price, o.sla_minutes, o.has_sample
  from offering o where o.agent_key = $1 and o.id = $2`

/** Lists the offerings of an agent that has got its identity. */
export const listOfferings = ['offering', 'offering_tag'].map(
  table => `update ${table} set chain_id = (select a.chain_id from agent a where a.key = $1) where agent_key = $1`,
)

/** Removes the offerings of an agent. The search index takes them away as well. */
export const removeOfferings = async (tx: Tx, agentKey: string): Promise<void> => {
  // Comes first because it locks the agent's row, which orders concurrent replacements of the list.
  await requestReindex(tx, agentKey)
  await tx.sql('update offering set removed = 1 where agent_key = $1 and removed = 0', [agentKey])
  await tx.sql('delete from offering_tag where agent_key = $1', [agentKey])
}

export const offeringTable = tableGroup(({ read, aside, write }) => ({
  putOfferings: (agentKey, offerings) =>
    write(async tx => {
      await removeOfferings(tx, agentKey)
      for (const [place, it] of offerings.entries()) {
        const sorted: Value[] = [Number(it.price), it.slaMinutes, it.sample !== undefined]
        await tx.sql(upsert, [agentKey, it.id, canonical(it), place, isListed(it), ...sorted])
        for (const tag of isListed(it) ? new Set(it.tags) : []) await tx.sql(addTag, [agentKey, it.id, tag])
      }
    }),

  offerings: async agentId => toListings(aside, await read(`${listingSelect} and a.id = $1 order by o.place, o.id`, [agentId])),

  offeringsOf: async agentIds => {
    if (agentIds.length === 0) return []
    const ofAgents = `${listingSelect} and a.id in (${placesOf(agentIds)}) order by o.agent_key, o.place, o.id`
    return toListings(aside, await read(ofAgents, agentIds))
  },

  listing: async (agentId, offeringId) => {
    const params: Value[] = [agentId, offeringId]
    const found = listed.one(await read(`${listingSelect} and a.id = $1 and o.id = $2`, params))
    return found && toListing(found)
  },

  listingsByKey: async keys => {
    if (keys.length === 0) return []
    const rows = keys.map((_, at) => `($${2 * at + 1}, $${2 * at + 2})`).join(', ')
    const params = keys.flatMap(it => [it.agentId, it.offeringId])
    return toListings(aside, await read(`${listingSelect} and (a.id, o.id) in (values ${rows})`, params))
  },

  listings: async ({ limit, offset }) =>
    toListings(aside, await read(`${listingSelect} order by o.agent_key, o.place, o.id limit $1 offset $2`, [limit, offset])),

  soldListings: async ({ limit, offset, ...of }) => {
    const { where, params } = soldBy(of)
    const page = `order by o.agent_key, o.place, o.id limit $${params.length + 1} offset $${params.length + 2}`
    return toListings(aside, await read(`${listingSelect} and ${where} ${page}`, [...params, limit, offset]))
  },

  countSold: async of => {
    const { where, params } = soldBy(of)
    return Number((await read(`select count(*) as sold from offering o where o.removed = 0 and ${where}`, params))[0]?.sold)
  },

  countListed: async () => Number((await read(countListed))[0]?.listed),
}))

/** Without those that this release cannot read. */
export const toListings = (aside: Aside, rows: Row[]): Listing[] => aside.sound('offering', listed, rows).map(toListing)
const toListing = <B, M>({ body, ...market }: { body: B } & M) => ({ ...body, ...market })
