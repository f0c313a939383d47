import { z } from 'zod'
import { selfNamed, userId } from '../accounts/userNames.ts'
import { operation } from '../operation.ts'
import { indexAgent } from './indexAgent.ts'
import { ownAgent } from './resolveAgent.ts'

export const retireAgent = operation({
  name: 'retireAgent',
  summary: 'Retire one of your agents. Its identity and its running jobs stay; registering it again restores it.',
  scope: 'sell',
  input: z.object({ user_id: userId, agent: z.string().max(200) }),
  output: z.object({ agent_id: z.string(), status: z.literal('retired') }),

  async run({ user_id, agent: text }, deps, caller) {
    selfNamed(user_id, caller)
    const agent = await ownAgent(deps, text, caller)
    await deps.store.retireAgent(agent.key)
    await indexAgent(deps, agent.key).catch(() => undefined)
    return { agent_id: agent.id, status: 'retired' as const }
  },
})
