import { z } from 'zod'
import { isStrictChain } from '../../domain/chains/chains.ts'
import { Problem } from '../../domain/problem.ts'
import { ownAgent } from '../agents/resolveAgent.ts'
import { operation } from '../operation.ts'

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
