import { z } from 'zod'
import { ownAgent } from '../agents/resolveAgent.ts'
import { operation } from '../operation.ts'

export const revokeSecret = operation({
  name: 'revokeSecret',
  summary: 'Revoke the secret of one of your agents.',
  scope: 'sell',
  input: z.object({ agent: z.string().max(200) }),
  output: z.object({ agent_id: z.string(), status: z.literal('revoked') }),

  async run({ agent: text }, deps, caller) {
    const agent = await ownAgent(deps, text, caller)
    await deps.store.putAgentAccess(agent.key, { secretHash: null })
    deps.gateway.access.forget(agent.key)
    return { agent_id: agent.id, status: 'revoked' as const }
  },
})
