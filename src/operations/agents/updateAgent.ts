import { z } from 'zod'
import { isShallow, type JsonObject, jsonObject } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
import { checkEndpoint } from '../../domain/publicAddress.ts'
import { registrationBody, toRegistration } from '../../domain/registration.ts'
import { agentRecord } from '../agentRecord.ts'
import { checkPrices } from '../checkPrices.ts'
import { indexAgent } from '../indexAgent.ts'
import { chainOf, operation, parseInput } from '../operation.ts'
import { describeAgents } from './describeAgents.ts'
import { ownAgent } from './ownAgent.ts'

/** What an identity is made of; the rest may change. */
const immutable = [
  'agent_id',
  'id',
  'handle',
  'chain_id',
  'owner',
  'owner_id',
  'user_id',
  'wallet',
  'wallet_address',
  'agent_wallet',
  'identity_address',
]

/**
 * Changes members of a registration (JSON merge patch, RFC 7396): null takes a member away, what is not named stays. The
 * ERC-8004 card follows, because the identity points at it. A job under way keeps the offering that it was hired for.
 */
export const updateAgent = operation({
  name: 'updateAgent',
  summary: 'Change members of one of your agents: name, description, offerings, endpoint_url …',
  caller: 'user',
  input: z
    .object({ agent: z.string().max(200) })
    .catchall(z.json())
    .refine(it => isShallow(it), 'is nested too deeply'),
  output: agentRecord,

  async run({ agent: text, ...patch }, deps, caller) {
    const agent = await ownAgent(deps, text, caller)
    const fixed = immutable.find(name => name in patch)
    if (fixed) throw new Problem('immutable-field', `${fixed} cannot be changed.`, `/${fixed}`)
    const card = merge(agent.card, jsonObject.parse(patch))
    const body = parseInput(registrationBody, { ...oneDialect(card, patch), handle: agent.handle, chain_id: agent.chainId })
    const { name, description, endpointUrl, viaGateway, offerings } = toRegistration(body)
    checkPrices(offerings, chainOf(deps, agent.chainId).usdcDecimals)
    if (endpointUrl) checkEndpoint(endpointUrl, deps.settings)
    await deps.store.atomically(async tables => {
      await tables.updateAgent(agent.key, { name, description, endpointUrl, viaGateway, card })
      await tables.putOfferings(agent.key, offerings)
    })
    // The index follows in any case; at once is a courtesy.
    await indexAgent(deps, agent.key).catch(() => undefined)
    const now = (await deps.store.agent(agent.key)) ?? agent
    const [record] = await describeAgents([now], deps, caller)
    if (!record) throw new Problem('agent-not-found')
    return record
  },
})

/** RFC 7396, one level down: members of members are replaced whole. */
const merge = (before: JsonObject, patch: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null))

/** A patch in one spelling wins over what was registered in the other one. */
const oneDialect = (card: JsonObject, patch: Record<string, unknown>): Record<string, unknown> => {
  const offerings = patch.job_offerings ?? patch.jobOfferings ?? card.job_offerings ?? card.jobOfferings
  return offerings === undefined ? card : { ...card, job_offerings: offerings }
}
