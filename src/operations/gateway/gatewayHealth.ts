import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { operation } from '../operation.ts'

export const readGatewayHealth = operation({
  name: 'readGatewayHealth',
  summary: 'Whether the gateway answers, and how many of the newest agents are healthy.',
  caller: 'anyone',
  input: z.object({}),
  output: z.object({
    status: z.literal('healthy'),
    agents_registered: z.number(),
    agents_healthy: z.number(),
    agents_unhealthy: z.number(),
    agents_external: z.number(),
  }),

  async run(_input, { store, gateway }) {
    const agents = await store.agents({ limit: limits.pageRows, offset: 0 })
    const told = agents.map(it => gateway.presence.tell(it.id ?? it.key).health_status)
    return {
      status: 'healthy' as const,
      agents_registered: await store.countAgents({}),
      agents_healthy: told.filter(it => it === 'healthy').length,
      agents_unhealthy: told.filter(it => it === 'unhealthy').length,
      agents_external: gateway.externals.all().length,
    }
  },
})
