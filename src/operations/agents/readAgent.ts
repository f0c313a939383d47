import { z } from 'zod'
import { agentRecord } from '../../records/agent.ts'
import { toTag } from '../entityTag.ts'
import { operation } from '../operation.ts'
import { describeAgent } from './describeAgents.ts'
import { findRegistered } from './resolveAgent.ts'

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
