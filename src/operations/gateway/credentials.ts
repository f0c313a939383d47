import { z } from 'zod'
import { isStrictChain } from '../../domain/chains/chains.ts'
import { sha256 } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
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

const mode = z.enum(['open', 'strict'])

export const setGatewayMode = operation({
  name: 'setGatewayMode',
  summary:
    "Require your token or the agent's secret to poll and complete for one of your agents (strict), or no credential (open).",
  scope: 'sell',
  input: z.object({ agent: z.string().max(200), mode }),
  output: z.object({ agent_id: z.string(), mode }),

  async run({ agent: text, mode }, deps, caller) {
    const agent = await ownAgent(deps, text, caller)
    if (mode === 'open' && isStrictChain(agent.chainId))
      throw new Problem('invalid-input', `On chain ${agent.chainId} the gateway is always strict.`, '/mode')
    await deps.store.putAgentAccess(agent.key, { isStrict: mode === 'strict' })
    deps.gateway.access.forget(agent.key)
    return { agent_id: agent.id, mode }
  },
})
