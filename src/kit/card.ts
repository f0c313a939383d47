import { parseAgentId } from '../domain/agents/agentId.ts'
import { toCaip2 } from '../domain/chains/chains.ts'
import type { JsonObject } from '../domain/json.ts'
import { type Offering, shownOf } from '../domain/offerings/offering.ts'
import type { Profile } from './profile.ts'

export const toWireOffering = (it: Offering): JsonObject => ({
  id: it.id,
  name: it.name,
  description: it.description,
  type: 'JOB',
  // The flat price is the older form; 0 makes readers use priceV2.
  price: 0,
  priceV2: it.usage
    ? { type: 'usage', upTo: it.price, unit: it.usage.unit, perUnit: it.usage.perUnit, currency: 'USDC' }
    : { type: 'fixed', amount: Number(it.price), currency: 'USDC' },
  jobInput: it.jobInput,
  jobOutput: it.jobOutput,
  requirement: it.requirement,
  deliverable: it.deliverable,
  ...(it.examples && { examples: it.examples }),
  ...(it.tags && { tags: it.tags }),
  ...shownOf(it),
  ...(it.validation && { validation: true }),
  slaMinutes: it.slaMinutes,
  requiredFunds: it.requiredFunds,
  restricted: it.restricted,
  hide: it.hide,
  active: it.active,
})

/**
 * Builds the agent's card: an ERC-8004 registration-v1 document that is also an A2A 0.3 agent card.
 * @param url base URL of the card and of /invoke
 * @param agentId full id from registration; without one, the card has no registration
 */
export const toCard = (profile: Profile, url: string, agentId?: string): JsonObject => ({
  type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
  name: profile.name,
  description: profile.description,
  url,
  x402support: true,
  active: true,
  version: '1.0.0',
  services: [
    { name: 'A2A', endpoint: url, a2aSkills: profile.skills.map(it => it.name) },
    { name: 'web', endpoint: url },
  ],
  registrations: toRegistrations(agentId),
  supportedTrust: ['reputation', 'crypto-economic'],
  capabilities: { streaming: false, pushNotifications: false, stateTransitionHistory: false },
  authentication: { schemes: [] },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['application/json'],
  skills: profile.skills.map(({ id, name, description, tags = [] }) => ({
    id,
    name,
    description,
    tags,
    ...examplesOf(profile, id),
    inputModes: ['text/plain'],
    outputModes: ['application/json'],
  })),
  jobOfferings: profile.offerings.map(toWireOffering),
  jobResources: profile.resources,
  trustModels: ['feedback'],
})

const examplesOf = ({ offerings }: Profile, skillId: string): { examples?: string[] } => {
  const examples = offerings.find(it => it.id === skillId)?.examples
  return examples ? { examples } : {}
}

/** The card as the agent itself serves it: with the addresses at which it answers A2A 1.0 and 0.3. */
export const toServedCard = (profile: Profile, url: string, agentId?: string): JsonObject => ({
  ...toCard(profile, url, agentId),
  protocolVersion: '0.3.0',
  preferredTransport: 'JSONRPC',
  supportedInterfaces: ['1.0', '0.3'].map(protocolVersion => ({
    url: `${url.replace(/\/+$/, '')}/a2a`,
    protocolBinding: 'JSONRPC',
    protocolVersion,
  })),
})

const toRegistrations = (agentId = ''): JsonObject[] => {
  const id = parseAgentId(agentId)
  return id ? [{ agentId: Number(id.number), agentRegistry: `${toCaip2(id.chainId)}:${id.registry}` }] : []
}
