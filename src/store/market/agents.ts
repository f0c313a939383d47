import { z } from 'zod'
import { address } from '../../domain/hex.ts'
import { jsonObject } from '../../domain/json.ts'
import type { Tables } from '../../ports.ts'
import { askReindex } from '../effects/outbox.ts'
import type { Scope } from '../engine/db.ts'
import { flag, insertion, jsonText, matching, maybe, rowOf } from '../engine/rows.ts'

const agents = rowOf({
  key: z.string(),
  id: maybe(z.string()),
  chainId: z.number(),
  handle: z.string(),
  owner: address,
  wallet: address,
  name: z.string(),
  description: z.string(),
  endpointUrl: maybe(z.string()),
  viaGateway: flag,
  card: jsonText(jsonObject),
  version: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
})

type AgentTables = Pick<
  Tables,
  'agent' | 'holdAgent' | 'agentsByHandle' | 'agents' | 'countAgents' | 'addAgent' | 'updateAgent' | 'setAgentId'
>

export const agentTable = ({ read, write }: Scope): AgentTables => ({
  agent: async idOrKey => agents.one(await read(`select ${agents.columns} from agent where id = $1 or key = $1`, [idOrKey])),

  holdAgent: key =>
    write(async ({ sql }) => agents.one(await sql(`select ${agents.columns} from agent where key = $1 {LOCK}`, [key]))),

  agentsByHandle: async handle =>
    agents.all(await read(`select ${agents.columns} from agent where handle = $1 order by seq`, [handle])),

  agents: async ({ owner, chainId, limit, offset }) => {
    const { where, params } = minted({ owner, chainId })
    const page = `order by seq desc limit $${params.length + 1} offset $${params.length + 2}`
    return agents.all(await read(`select ${agents.columns} from agent ${where} ${page}`, [...params, limit, offset]))
  },

  countAgents: async filter => {
    const { where, params } = minted(filter)
    const [row] = await read(`select count(*) as total from agent ${where}`, params)
    return Number(row?.total)
  },

  addAgent: agent =>
    write(async ({ sql }) => {
      const [insert, params] = insertion('agent', { ...agent, card: JSON.stringify(agent.card) }, ['createdAt', 'updatedAt'])
      return agents.one(await sql(`${insert} on conflict do nothing returning ${agents.columns}`, params))
    }),

  updateAgent: (key, { name, description, endpointUrl, viaGateway, card }) =>
    write(async tx => {
      await tx.sql(
        `update agent set name = $2, description = $3, endpoint_url = $4, via_gateway = $5, card = $6, retired = 0,
         version = version + 1, updated_at = {NOW} where key = $1`,
        [key, name, description, endpointUrl, viaGateway, JSON.stringify(card)],
      )
      await askReindex(tx, key)
    }),

  setAgentId: (key, id) =>
    write(async tx => {
      const set = `update agent set id = $2, updated_at = {NOW} where key = $1 and id is null returning ${agents.columns}`
      const agent = agents.one(await tx.sql(set, [key, id]))
      if (agent) await askReindex(tx, key)
      return agent
    }),
})

/** Who has no identity on chain yet is no agent of the market yet; who was taken off it is none any more. */
const minted = (filter: Parameters<typeof matching>[0]) => {
  const { where, params } = matching(filter)
  return { where: `${where || 'where 1 = 1'} and id is not null and retired = 0`, params }
}
