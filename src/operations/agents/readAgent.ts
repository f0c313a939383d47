import { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import { agentRecord } from '../../records/agent.ts'
import { toTag } from '../entityTag.ts'
import { operation } from '../operation.ts'
import { describeAgents } from './describeAgents.ts'
import { resolveAgent } from './resolveAgent.ts'

export const readAgent = operation({
  name: 'readAgent',
  summary: 'Look up one agent by id or handle, with the offerings that the caller may see.',
  caller: 'anyone',
  input: z.object({ agent: z.string().max(200), chain_id: z.coerce.number().int().optional() }),
  output: agentRecord,
  tagOf: toTag,

  async run({ agent: text, chain_id }, deps, caller) {
    const agent = await resolveAgent(deps, text, chain_id)
    if (!agent?.id) throw new Problem('agent-not-found')
    const [record] = await describeAgents([agent], deps, caller)
    if (!record) throw new Problem('agent-not-found')
    return record
  },
})
