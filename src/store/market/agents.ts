import { z } from 'zod'
import { type Address, address } from '../../domain/hex.ts'
import type { JsonObject } from '../../domain/json.ts'
import { skillsOf } from '../../domain/offerings/registration.ts'
import { foldHandle, handleKeyOf, lookOf } from '../../domain/text/lookAlikes.ts'
import { agentRow, listedAgentRow } from '../../ports/rows/agent.ts'
import type { Tables } from '../../ports.ts'
import { requestReindex } from '../effects/outbox.ts'
import type { Scope, Sql, Tx } from '../engine/db.ts'
import { countOf, hasRow, insertion, matching, placesOf, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { listOfferings } from './offerings.ts'

const listed = rowOf(listedAgentRow)
const agents = rowOf(agentRow)

const owners = rowOf({ id: z.string(), owner: address })
const similar = rowOf({ handle: z.string(), name: z.string() })
const names = rowOf({ key: z.string(), name: z.string() })

/** The expression of the index `agent_handle_key`. */
const handleKey = `replace(folded_handle, '-', '')`
const similarRows = 3

const toCardColumns = (card: JsonObject) => ({ card: JSON.stringify(card), skills: JSON.stringify(skillsOf(card)) })

/** The rows of other owners' agents that have one of these texts in a column. */
const similarIn = async (read: Scope['read'], column: string, { owner, texts }: { owner: Address; texts: string[] }) => {
  const text = `select handle, name from agent where ${column} in (${placesOf(texts, 2)}) and owner <> $1 and retired = 0
    limit ${similarRows}`
  return texts.length === 0 ? [] : similar.all(await read(text, [owner, ...texts]))
}

/** Adds an agent unless its handle is taken or looks like another; the lock orders concurrent registrations of a handle. */
const insertAgent = async ({ sql }: Tx, agent: Parameters<Tables['addAgent']>[0]) => {
  await sql('select {LOCKED_NAME} as held', [`handle:${agent.chainId}:${handleKeyOf(agent.handle)}`])
  if (await hasLookAlike(sql, agent)) return undefined
  const looks = { foldedHandle: foldHandle(agent.handle), look: lookOf(agent.name) }
  const values = { ...agent, ...toCardColumns(agent.card), ...looks }
  const [insert, params] = insertion('agent', values, ['createdAt', 'updatedAt'])
  return agents.one(await sql(`${insert} on conflict do nothing returning ${agents.columns}`, params))
}

const change = `update agent set name = $2, description = $3, endpoint_url = $4, via_gateway = $5, card = $6, skills = $7,
  look = $8, retired = 0, version = version + 1, updated_at = {NOW} where key = $1`
const setId = `update agent set id = $2, updated_at = {NOW} where key = $1 and id is null returning ${agents.columns}`

/** Shows the offerings of an agent that has its on-chain id now. */
const list = async (tx: Tx, key: string): Promise<void> => {
  await requestReindex(tx, key)
  for (const text of listOfferings) await tx.sql(text, [key])
}

export const agentTable = tableGroup(({ read, write }) => ({
  agent: async idOrKey => agents.one(await read(`select ${agents.columns} from agent where id = $1 or key = $1`, [idOrKey])),

  ownersOf: async agentIds => {
    if (agentIds.length === 0) return new Map()
    const rows = owners.all(await read(`select ${owners.columns} from agent where id in (${placesOf(agentIds)})`, agentIds))
    return new Map(rows.map(it => [it.id, it.owner]))
  },

  lockAgent: key =>
    write(async ({ sql }) => agents.one(await sql(`select ${agents.columns} from agent where key = $1 {LOCK}`, [key]))),

  agentsByHandle: async handle =>
    agents.all(await read(`select ${agents.columns} from agent where handle = $1 order by seq`, [handle])),

  agents: async ({ owner, chainId, limit, offset }) => {
    const { where, params } = minted({ owner, chainId })
    const page = `order by seq desc limit $${params.length + 1} offset $${params.length + 2}`
    return listed.all(await read(`select ${listed.columns} from agent ${where} ${page}`, [...params, limit, offset]))
  },

  countAgents: async filter => {
    const { where, params } = minted(filter)
    return countOf(read(`select count(*) as total from agent ${where}`, params))
  },

  isLookAlike: of => hasLookAlike(read, of),

  similarAgents: async ({ owner, looks, handleKeys }) => ({
    byName: await similarIn(read, 'look', { owner, texts: looks }),
    byHandle: await similarIn(read, handleKey, { owner, texts: handleKeys }),
  }),

  fillLooks: limit =>
    write(async ({ sql }) => {
      const rows = names.all(await sql(`select key, name from agent where look = '' limit $1`, [limit]))
      for (const { key, name } of rows) await sql('update agent set look = $2 where key = $1', [key, lookOf(name)])
      return rows.length === limit
    }),

  addAgent: agent => write(tx => insertAgent(tx, agent)),

  updateAgent: (key, { name, description, endpointUrl, viaGateway, card }) =>
    write(async tx => {
      await tx.sql(change, [key, name, description, endpointUrl, viaGateway, ...Object.values(toCardColumns(card)), lookOf(name)])
      await requestReindex(tx, key)
    }),

  setAgentId: (key, id) =>
    write(async tx => {
      const agent = agents.one(await tx.sql(setId, [key, id]))
      if (agent) await list(tx, key)
      return agent
    }),
}))

/** Matches only agents with an on-chain identity that were not removed from the market. */
const minted = (filter: Parameters<typeof matching>[0]) => {
  const { where, params } = matching(filter)
  return { where: `${where || 'where 1 = 1'} and id is not null and retired = 0`, params }
}

const hasLookAlike = async (sql: Sql, { chainId, handle, owner }: Parameters<Tables['isLookAlike']>[0]): Promise<boolean> => {
  const text = `select key from agent where chain_id = $1 and ${handleKey} = $2 and owner <> $3 and handle <> $4 limit 1`
  return hasRow(sql(text, [chainId, handleKeyOf(handle), owner, handle]))
}
