import { z } from 'zod'
import { jsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { External, ListedAgent } from '../../ports.ts'
import { describeAgent } from '../agents/describeAgents.ts'
import { signCard } from '../agents/registrationFile.ts'
import { findRegistered, resolveAgent } from '../agents/resolveAgent.ts'
import { findWaysToBuy, type WaysToBuy } from '../agents/waysToBuy.ts'
import { type Deps, operation } from '../operation.ts'
import { toExternalQueue } from './taskQueue.ts'

const gatewayAgent = z.object({
  handle: z.string(),
  agent_id: z.string(),
  name: z.string(),
  description: z.string(),
  registered: z.boolean().describe('True when the owner proved control of the wallet; an external agent has only a name'),
  status: z.string(),
  last_seen: z.string(),
  capabilities: z.array(z.string()),
})
type GatewayAgent = z.infer<typeof gatewayAgent>

const toRegistered = ({ gateway }: Deps, it: ListedAgent): GatewayAgent => {
  const { health_status, last_seen } = gateway.presence.tell(it.id ?? it.key)
  const { id: agent_id = '', handle, name, description } = it
  return { handle, agent_id, name, description, registered: true, status: health_status, last_seen, capabilities: [] }
}

const toExternal = ({ gateway }: Deps, { handle, capabilities }: External): GatewayAgent => {
  const agent_id = toExternalQueue(handle)
  const { health_status, last_seen } = gateway.presence.tell(agent_id)
  return { handle, agent_id, name: handle, description: '', registered: false, status: health_status, last_seen, capabilities }
}

const named = z.object({ agent: z.string().max(200) })

export const listGatewayAgents = operation({
  name: 'listGatewayAgents',
  summary: 'Registered agents, newest first, then agents that only joined the gateway.',
  caller: 'anyone',
  input: z.object({}),
  output: z.object({ agents: z.array(gatewayAgent) }),

  async run(_input, deps) {
    const registered = await deps.store.agents({ limit: limits.pageRows, offset: 0 })
    const external = deps.gateway.externals.all().slice(-limits.pageRows)
    return { agents: [...registered.map(it => toRegistered(deps, it)), ...external.map(it => toExternal(deps, it))] }
  },
})

export const readGatewayAgent = operation({
  name: 'readGatewayAgent',
  summary: 'One agent in the format of the gateway.',
  caller: 'anyone',
  input: named,
  output: gatewayAgent,

  async run({ agent: text }, deps) {
    const agent = await resolveAgent(deps, text)
    if (agent?.id) return toRegistered(deps, agent)
    const external = deps.gateway.externals.get(text)
    if (!external) throw new Problem('agent-not-found')
    return toExternal(deps, external)
  },
})

type Exampled = { id: string; examples: string[] }

/** The examples of the offering with the id of a skill. They are used when the skill has none. */
const examplesOf = (offerings: Exampled[], skillId: string): { examples?: string[] } => {
  const { examples = [] } = offerings.find(it => it.id === skillId) ?? {}
  return examples.length > 0 ? { examples } : {}
}

/**
 * Says where the agent is bought. The name of the extension is the specification by which the addresses are called; messages of
 * A2A take no payments here.
 */
const toSoldExtension = (ways: WaysToBuy) => ({
  uri: 'https://github.com/coinbase/x402/blob/main/specs/transports-v2/http.md',
  description: 'The agent is sold by x402 over HTTP at these addresses, and hired with escrow through the butler.',
  required: false,
  params: ways,
})

export const readAgentCard = operation({
  name: 'readAgentCard',
  summary: 'The A2A card of a registered agent, signed by this service; its URL is this gateway.',
  caller: 'anyone',
  input: named,
  output: jsonObject,

  async run({ agent: text }, deps) {
    const agent = await findRegistered(deps, text)
    const { name, handle, description, card, job_offerings } = await describeAgent(agent, deps, { wallet: undefined })
    const url = `${deps.settings.publicUrl}/gateway/a2a/${agent.id}`
    const ways = await findWaysToBuy(deps, agent)
    const served = jsonObject.parse({
      protocolVersion: '0.3.0',
      // Names may be alike; a handle belongs to one owner.
      name: name === handle ? name : `${name} (${handle})`,
      description,
      url,
      supportedInterfaces: ['1.0', '0.3'].map(version => ({ url, protocolBinding: 'JSONRPC', protocolVersion: version })),
      preferredTransport: 'JSONRPC',
      version: '1',
      capabilities: { streaming: true, ...(ways.x402.length > 0 && { extensions: [toSoldExtension(ways)] }) },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: card.skills.map((it, at) => ({
        id: String(it.id ?? it.name ?? at),
        name: '',
        description: '',
        tags: [],
        ...examplesOf(job_offerings, String(it.id)),
        ...it,
      })),
      jobOfferings: job_offerings,
    })
    return signCard(served, deps.access?.sign)
  },
})

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
