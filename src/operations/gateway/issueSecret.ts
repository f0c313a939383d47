import { z } from 'zod'
import { sha256 } from '../../domain/json.ts'
import { ownAgent } from '../agents/resolveAgent.ts'
import { operation } from '../operation.ts'
import { secretPrefix } from './access.ts'

export const issueSecret = operation({
  name: 'issueSecret',
  summary: 'Create the secret with which one of your agents polls and completes. It is shown once and replaces the previous one.',
  scope: 'sell',
  input: z.object({ agent: z.string().max(200) }),
  output: z.object({
    agent_id: z.string(),
    secret: z.string().describe('Send it as Authorization: Bearer or as X-Agent-Secret'),
  }),

  async run({ agent: text }, deps, caller) {
    const agent = await ownAgent(deps, text, caller)
    const secret = deps.ids.fresh(secretPrefix)
    // 128 random bits need no slow hash.
    await deps.store.putAgentAccess(agent.key, { secretHash: sha256(secret) })
    deps.gateway.access.forget(agent.key)
    return { agent_id: agent.id, secret }
  },
})
