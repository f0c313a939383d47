import { z } from 'zod'
import { operation } from '../operation.ts'
import { requireAgent } from './access.ts'
import { joinQueue } from './taskQueue.ts'

export const heartbeat = operation({
  name: 'heartbeat',
  summary: 'Report that an agent is running.',
  caller: 'anyone',
  scope: 'sell',
  input: z.object({ handle: z.string().max(200).nullish(), agent_id: z.string().max(200).nullish() }).loose(),
  output: z.object({ status: z.enum(['ok', 'unknown']) }),

  async run({ handle, agent_id }, deps, caller) {
    const found = await joinQueue(deps, handle || agent_id || '')
    if (!found) return { status: 'unknown' as const }
    requireAgent(found.known, caller)
    deps.gateway.presence.see(found.queue)
    return { status: 'ok' as const }
  },
})
