import { z } from 'zod'
import { isObject } from '../../domain/json.ts'
import { isListed } from '../../domain/offering.ts'
import { Problem } from '../../domain/problem.ts'
import { isSoldByCall } from '../../domain/x402Times.ts'
import type { Agent } from '../../ports.ts'
import { type Deps, operation, type Settings } from '../operation.ts'
import { resolveAgent } from './resolveAgent.ts'

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
})

type Place = Pick<Settings, 'publicUrl'>

/** URL of an agent's registration file. It does not contain the agent's number, so it is known before the identity is minted. */
export const registrationUri = ({ publicUrl }: Place, { chainId, handle }: Pick<Agent, 'chainId' | 'handle'>): string =>
  `${publicUrl}/agents/${chainId}:erc8004:${handle}/registration.json`

/** Protocol versions of the listed endpoints. */
const a2aVersions = ['1.0', '0.3.0']
const mcpVersion = '2025-06-18'

/** Whether the agent is on the market, whether what it offers can be paid by x402, and whether its work is validated on chain. */
type RegistrationState = { isActive: boolean; isSold: boolean; isValidated: boolean }

const toFile = (
  agent: Agent & { id: string },
  { isActive, isSold, isValidated }: RegistrationState,
  { publicUrl }: Place,
): z.infer<typeof registrationFile> => {
  const [, registry = '', number = ''] = agent.id.split(':')
  return {
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: agent.name,
    description: agent.description,
    image: imageOf(agent) ?? `${publicUrl}/favicon.ico`,
    services: [
      ...a2aVersions.map(version => ({
        name: 'A2A',
        endpoint: `${publicUrl}/agents/${agent.id}/.well-known/agent-card.json`,
        version,
      })),
      { name: 'MCP', endpoint: `${publicUrl}/mcp`, version: mcpVersion },
    ],
    registrations: [{ agentId: Number(number), agentRegistry: `eip155:${agent.chainId}:${registry}` }],
    x402Support: isSold,
    active: isActive,
    supportedTrust: ['reputation', 'crypto-economic', ...(isValidated ? ['validation'] : [])],
  }
}

/** The image that the owner named. Only https URLs, because other programs open them. */
const imageOf = ({ card }: Agent): string | undefined => {
  const inside = isObject(card.card) ? card.card.image : undefined
  return [card.image, inside].find((it): it is string => typeof it === 'string' && /^https:\/\/\S{1,1000}$/.test(it))
}

/** Whether a call of the agent, or one of its offerings, can be paid by x402. */
const sells = async ({ id, key, chainId }: Agent & { id: string }, { store, chains }: Pick<Deps, 'store' | 'chains'>) => {
  const chain = chains.get(chainId)
  if (!chain?.authorized && !chain?.permitted) return false
  if (Number(await store.callPrice(key)) > 0) return true
  return (await store.offerings(id)).some(it => isListed(it) && Number(it.price) > 0 && isSoldByCall(it.slaMinutes))
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
    const agent = await resolveAgent(deps, text)
    if (!agent?.id) throw new Problem('agent-not-found')
    const isActive = !(await store.isRetired(agent.key))
    const own = { ...agent, id: agent.id }
    const isSold = isActive && (await sells(own, deps))
    return toFile(own, { isActive, isSold, isValidated: await isValidated(own, deps) }, settings)
  },
})
