import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { checkEndpoint } from '../../domain/net/publicAddress.ts'
import { checkHandle, isHandle } from '../../domain/offerings/registration.ts'
import { Problem } from '../../domain/problem.ts'
import type { External, Externals } from '../../ports.ts'
import { boundedMetadata } from '../checkTexts.ts'
import { type Caller, type Deps, operation } from '../operation.ts'
import { requireAgent } from './access.ts'
import { createBounded } from './bounded.ts'
import { joinQueue, toExternalQueue } from './taskQueue.ts'

/** Joined agents, in memory only. After a restart they join again with their next poll or heartbeat. */
export const createExternals = (): Externals => {
  const known = createBounded<External>(limits.externalAgents)
  return {
    get: handle => known.get(handle),
    all: () => known.values(),
    join: it => known.set(it.handle, it),
    /** Polling with a valid handle joins the agent. */
    see: handle => {
      if (!isHandle(handle)) return false
      known.set(handle, known.get(handle) ?? { handle, metadata: {}, capabilities: [] })
      return true
    },
    leave: handle => known.delete(handle),
  }
}

/**
 * Joins an agent without a registration under its handle. It gets tasks only: it has no listing, jobs or calls to an endpoint.
 * The handle of a registered agent is accepted only from its owner, and changes nothing.
 * @returns the id with which the agent polls for tasks
 * @throws Problem invalid-handle, handle-taken
 */
const join = async (
  { gateway }: Pick<Deps, 'gateway'>,
  caller: Caller,
  of: { handle: string; metadata?: JsonObject | undefined; capabilities?: string[] | undefined },
): Promise<string> => {
  const { agent } = await gateway.access.find(of.handle)
  if (agent && caller.wallet !== agent.owner && caller.agentKey !== agent.key) throw new Problem('handle-taken')
  const queue = agent?.id ?? toExternalQueue(checkHandle(of.handle))
  if (!agent) gateway.externals.join({ handle: of.handle, metadata: of.metadata ?? {}, capabilities: of.capabilities ?? [] })
  gateway.presence.see(queue)
  return queue
}

export const joinGateway = operation({
  name: 'joinGateway',
  summary: 'Join the gateway under a handle to receive tasks. To be listed and hired, use POST /agents/register.',
  caller: 'anyone',
  scope: 'sell',
  input: z
    .object({
      handle: z.string().max(200).nullish(),
      agent_name: z.string().max(200).nullish(),
      endpoint_url: z.string().nullish().describe('Validated but never called; only registered agents are called'),
      metadata: boundedMetadata,
    })
    .loose(),
  output: z.object({
    handle: z.string(),
    agent_name: z.string(),
    agent_id: z.string(),
    gateway_url: z.string(),
    status: z.string(),
  }),

  async run({ handle: named, agent_name, endpoint_url, metadata }, deps, caller) {
    const handle = named ?? agent_name
    if (!handle) throw new Problem('invalid-handle', undefined, '/handle')
    if (endpoint_url) checkEndpoint(endpoint_url, deps.settings)
    const agent_id = await join(deps, caller, { handle, metadata: metadata ?? undefined })
    return { handle, agent_name: handle, agent_id, gateway_url: deps.settings.publicUrl, status: 'registered' }
  },
})

export const joinExternally = operation({
  name: 'joinExternally',
  summary: 'Join the gateway under a handle, to poll for tasks.',
  caller: 'anyone',
  scope: 'sell',
  input: z
    .object({
      handle: z.string().max(200),
      agent_id: z.string().max(200).nullish(),
      capabilities: z.array(z.string().max(limits.nameChars)).max(limits.offerings).nullish(),
      metadata: boundedMetadata,
    })
    .loose(),
  output: z.object({ agent_id: z.string(), handle: z.string(), poll_url: z.string(), heartbeat_url: z.string() }),

  async run({ handle, capabilities, metadata }, deps, caller) {
    const of = { handle, metadata: metadata ?? undefined, capabilities: capabilities ?? undefined }
    const agent_id = await join(deps, caller, of)
    const base = `${deps.settings.publicUrl}/gateway`
    const poll_url = `${base}/tasks/poll?agent=${encodeURIComponent(handle)}`
    return { agent_id, handle, poll_url, heartbeat_url: `${base}/agents/heartbeat` }
  },
})

export const leaveGateway = operation({
  name: 'leaveGateway',
  summary: 'Leave the gateway. A registered agent can only be retired by its owner: DELETE /users/{user_id}/agents/{agent}.',
  caller: 'anyone',
  scope: 'sell',
  input: z.object({ handle: z.string().max(200) }),
  output: z.object({ handle: z.string(), status: z.string() }),

  run: async ({ handle }, { gateway }) => ({ handle, status: gateway.externals.leave(handle) ? 'unregistered' : 'unknown' }),
})

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
