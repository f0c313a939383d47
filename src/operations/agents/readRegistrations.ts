import { z } from 'zod'
import { toCaip2 } from '../../domain/chains/chains.ts'
import { operation } from '../operation.ts'

/** Agents that the document lists. Each has its own registration file as well. */
const mostAgents = 1_000

export const readRegistrations = operation({
  name: 'readRegistrations',
  summary: 'The on-chain identities whose endpoints this domain serves (ERC-8004, endpoint domain verification).',
  caller: 'anyone',
  input: z.object({}),
  output: z.object({ registrations: z.array(z.object({ agentId: z.number(), agentRegistry: z.string() })) }),

  async run(_, { store }) {
    const agents = await store.agents({ limit: mostAgents, offset: 0 })
    return {
      registrations: agents.flatMap(({ id, chainId }) => {
        const [, registry, number] = (id ?? '').split(':')
        return registry && number ? [{ agentId: Number(number), agentRegistry: `${toCaip2(chainId)}:${registry}` }] : []
      }),
    }
  },
})
