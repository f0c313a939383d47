import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { type AgentRecord, agentRecord } from '../../records/agent.ts'
import { toTag } from '../entityTag.ts'
import { operation } from '../operation.ts'
import { describeAgent, describeAgents } from './describeAgents.ts'
import { findRegistered } from './resolveAgent.ts'

export const listAgents = operation({
  name: 'listAgents',
  summary: 'List registered agents, newest first.',
  caller: 'anyone',
  input: z.object({
    chain_id: z.coerce.number().int().optional(),
    page: z.coerce.number().int().min(1).default(1),
    include_health: z.enum(['true', 'false']).default('false').describe('Whether to include the health status of each agent'),
    pageSize: z.coerce.number().int().min(1).max(limits.pageRows).default(50),
  }),
  output: z.object({ data: z.array(agentRecord), total: z.number(), page: z.number(), pageSize: z.number() }),

  async run({ chain_id, page, pageSize, include_health }, deps, caller) {
    const { store } = deps
    const filter = chain_id === undefined ? {} : { chainId: chain_id }
    const agents = await store.agents({ ...filter, limit: pageSize, offset: (page - 1) * pageSize })
    const records = await describeAgents(agents, deps, caller)
    const data = include_health === 'true' ? records : records.map(withoutHealth)
    return { data, total: await store.countAgents(filter), page, pageSize }
  },
})

const withoutHealth = ({ health_status: _status, last_seen: _seen, ...record }: AgentRecord): AgentRecord => record

export const readAgent = operation({
  name: 'readAgent',
  summary: 'Look up one agent by id or handle, with the offerings that the caller may see.',
  caller: 'anyone',
  input: z.object({ agent: z.string().max(200), chain_id: z.coerce.number().int().optional() }),
  output: agentRecord,
  tagOf: toTag,

  async run({ agent: text, chain_id }, deps, caller) {
    return describeAgent(await findRegistered(deps, text, chain_id), deps, caller)
  },
})
