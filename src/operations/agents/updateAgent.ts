import { z } from 'zod'
import { isObject, isShallow, type JsonObject, jsonObject } from '../../domain/json.ts'
import { checkEndpoint } from '../../domain/net/publicAddress.ts'
import { type Registration, registrationBody, toRegistration } from '../../domain/offerings/registration.ts'
import { Problem } from '../../domain/problem.ts'
import type { Agent } from '../../ports.ts'
import { agentRecord } from '../../records/agent.ts'
import { selfNamed, userId } from '../accounts/users.ts'
import { requireMatch } from '../entityTag.ts'
import { chainOf, type Deps, operation, parseInput } from '../operation.ts'
import { checkNames, checkPrices } from './checks.ts'
import { describeAgent } from './describeAgents.ts'
import { indexAgent } from './indexAgent.ts'
import { followCallFee } from './pricing.ts'
import { ownAgent } from './resolveAgent.ts'

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
 * Changes a registration by a JSON merge patch (RFC 7396): null removes a member, absent members stay. The ERC-8004 file
 * follows, because the identity points at it. A running job keeps the offering of its hire. The response has no ETag, because
 * the stored record differs from the request (RFC 9110, 9.3.4).
 */
export const updateAgent = operation({
  name: 'updateAgent',
  summary:
    'Update fields of one of your agents: name, description, offerings, endpoint_url … With If-Match, ' +
    'only if its ETag still matches.',
  scope: 'sell',
  input: z
    .object({ agent: z.string().max(200) })
    .catchall(z.json())
    .refine(it => isShallow(it), 'is nested too deeply'),
  output: agentRecord,

  async run({ agent: text, ...rest }, deps, caller) {
    const patch = jsonObject.parse(rest)
    const agent = await ownAgent(deps, text, caller)
    const fixed = immutable.find(name => name in patch)
    if (fixed) throw new Problem('immutable-field', `${fixed} cannot be changed.`, `/${fixed}`)
    await deps.store.atomically(async tables => {
      // The lock orders concurrent changes, so that the later one builds on the earlier.
      const current = (await tables.lockAgent(agent.key)) ?? agent
      requireMatch(caller, current)
      const card = jsonObject.parse(mergePatch(current.card, patch))
      const wanted = registrationOf(current, { card, patch, deps })
      await checkNames({ body: registeredCard.parse(card), wanted, agent: current }, tables)
      const { name, description, endpointUrl, viaGateway, offerings, callFee } = wanted
      await tables.updateAgent(agent.key, { name, description, endpointUrl, viaGateway, card })
      await tables.putOfferings(agent.key, offerings)
      await followCallFee(tables, current, callFee)
    })
    // A worker updates the index anyway. Doing it here makes the change visible at once.
    await indexAgent(deps, agent.key).catch(() => undefined)
    return describeAgent((await deps.store.agent(agent.key)) ?? agent, deps, caller)
  },
})

/** The card inside a registration, as far as its name goes. */
const registeredCard = z.object({ card: z.object({ name: z.string().nullish() }).loose().nullish() })

type Changed = { card: JsonObject; patch: JsonObject; deps: Deps }

/** Validates the changed registration like a new one. */
const registrationOf = ({ handle, chainId }: Agent, { card, patch, deps }: Changed): Registration => {
  const body = parseInput(registrationBody, { ...withOneFormat(card, patch), handle, chain_id: chainId })
  const registration = toRegistration(body)
  checkPrices(registration.offerings, chainOf(deps, chainId))
  if (registration.endpointUrl) checkEndpoint(registration.endpointUrl, deps.settings)
  return registration
}

/** MergePatch of RFC 7396. The recursion is bounded, because schemas limit the depth of both values. */
const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch
  const kept = Object.entries(isObject(target) ? target : {}).filter(([name]) => patch[name] !== null)
  const before = Object.fromEntries(kept)
  const changes = Object.entries(patch).filter(([, value]) => value !== null)
  return { ...before, ...Object.fromEntries(changes.map(([name, value]) => [name, mergePatch(before[name], value)])) }
}

/** Puts the offerings into `job_offerings`: those of the patch in either format, otherwise those of the registration. */
const withOneFormat = (card: JsonObject, patch: JsonObject): Record<string, unknown> => {
  const offerings = patch.job_offerings ?? patch.jobOfferings ?? card.job_offerings ?? card.jobOfferings
  return offerings === undefined ? card : { ...card, job_offerings: offerings }
}

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
