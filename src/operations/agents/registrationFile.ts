import { AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk'
import { z } from 'zod'
import { toCaip2 } from '../../domain/chains/chains.ts'
import { isObject, type JsonObject, jsonObject } from '../../domain/json.ts'
import { ownServicesOf } from '../../domain/net/ownServices.ts'
import { isListed } from '../../domain/offerings/offering.ts'
import type { Agent } from '../../ports.ts'
import type { Settings } from '../deps.ts'
import type { Access } from '../identityParts.ts'
import { type Deps, operation } from '../operation.ts'
import { findRegistered } from './resolveAgent.ts'
import { findWaysToBuy } from './waysToBuy.ts'

const service = z.object({ name: z.string(), endpoint: z.string(), version: z.string().optional() })

/** The registration file of ERC-8004, to which an identity's agentURI points. */
const registrationFile = z.object({
  type: z.literal('https://eips.ethereum.org/EIPS/eip-8004#registration-v1'),
  name: z.string(),
  description: z.string(),
  image: z.string(),
  services: z.array(service),
  registrations: z.array(z.object({ agentId: z.number(), agentRegistry: z.string() })),
  x402Support: z.boolean(),
  active: z.boolean(),
  supportedTrust: z.array(z.string()),
  reputationRegistry: z.string().optional().describe('Registry of feedback, as namespace, chain and address'),
  validationRegistry: z.string().optional().describe('Registry of validations; absent where none is configured'),
})

type Place = Pick<Settings, 'publicUrl'>

/** URL of an agent's registration file. It does not contain the agent's number, so it is known before the identity is minted. */
export const registrationUri = ({ publicUrl }: Place, { chainId, handle }: Pick<Agent, 'chainId' | 'handle'>): string =>
  `${publicUrl}/agents/${chainId}:erc8004:${handle}/registration.json`

/** Versions of A2A that the gateway speaks for each agent. */
const a2aVersions = ['1.0', '0.3.0']

type RegistrationState = { isActive: boolean; isValidated: boolean; x402: string[] }

const toFile = (
  agent: Agent & { id: string },
  { isActive, isValidated, x402 }: RegistrationState,
  { publicUrl, allowsPrivate }: Pick<Settings, 'publicUrl' | 'allowsPrivate'>,
): Omit<z.infer<typeof registrationFile>, 'reputationRegistry' | 'validationRegistry'> => {
  const [, registry = '', number = ''] = agent.id.split(':')
  const card = `${publicUrl}/agents/${agent.id}/.well-known/agent-card.json`
  return {
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: agent.name,
    description: agent.description,
    image: imageOf(agent) ?? `${publicUrl}/favicon.ico`,
    services: [
      { name: 'web', endpoint: `${publicUrl}/app/agents/${agent.id}` },
      ...a2aVersions.map(version => ({ name: 'A2A', endpoint: card, version })),
      ...x402.map(endpoint => ({ name: 'x402', endpoint, version: '2' })),
      ...ownServicesOf(agent, { allowsPrivate }),
    ],
    registrations: [{ agentId: Number(number), agentRegistry: `${toCaip2(agent.chainId)}:${registry}` }],
    x402Support: x402.length > 0,
    active: isActive,
    supportedTrust: ['reputation', 'crypto-economic', ...(isValidated ? ['validation'] : [])],
  }
}

/** The image that the owner named. Only https URLs, because other programs open them. */
const imageOf = ({ card }: Agent): string | undefined => {
  const inside = isObject(card.card) ? card.card.image : undefined
  return [card.image, inside].find((it): it is string => typeof it === 'string' && /^https:\/\/\S{1,1000}$/.test(it))
}

const isValidated = async ({ id, chainId }: Agent & { id: string }, { store, chains }: Pick<Deps, 'store' | 'chains'>) =>
  chains.get(chainId)?.validations !== undefined && (await store.offerings(id)).some(it => isListed(it) && it.validation)

export const readRegistrationFile = operation({
  name: 'readRegistrationFile',
  summary: 'The ERC-8004 registration file of an agent, generated from its record; the token URI of its identity points here.',
  caller: 'anyone',
  input: z.object({ agent: z.string().max(200) }),
  output: registrationFile,

  async run({ agent: text }, deps) {
    const { store, settings } = deps
    const agent = await findRegistered(deps, text)
    const isActive = !(await store.isRetired(agent.key))
    const own = { ...agent, id: agent.id }
    const x402 = isActive ? (await findWaysToBuy(deps, own)).x402 : []
    const file = toFile(own, { isActive, x402, isValidated: await isValidated(own, deps) }, settings)
    return { ...file, ...registriesOf(deps, agent) }
  },
})

/** The registries in which feedback about the agent and validations of its work are found. */
const registriesOf = ({ chains }: Pick<Deps, 'chains'>, { chainId }: Pick<Agent, 'chainId'>) => {
  const { reputation, validation } = chains.get(chainId)?.addresses ?? {}
  return {
    ...(reputation && { reputationRegistry: `${toCaip2(chainId)}:${reputation}` }),
    ...(validation && { validationRegistry: `${toCaip2(chainId)}:${validation}` }),
  }
}

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

/**
 * A card with a signature of this service (A2A 1.0, 8.4): a JWS over the canonical members of 1.0, by a key of
 * `/.well-known/jwks.json`. Other members are not signed. Without a signer the card has none.
 */
export const signCard = async (card: JsonObject, sign: Access['sign'] | undefined): Promise<JsonObject> => {
  if (!sign) return card
  const signed = jsonObject.parse(JSON.parse(canonicalizeAgentCard(AgentCard.fromJSON(card))))
  const [protectedHeader = '', , signature = ''] = (await sign(signed, 'JOSE')).split('.')
  return { ...card, signatures: [{ protected: protectedHeader, signature }] }
}
