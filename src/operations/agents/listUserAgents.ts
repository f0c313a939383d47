import { z } from 'zod'
import { toWallet } from '../../domain/hex.ts'
import type { ListedAgent } from '../../ports.ts'
import { agentRecord } from '../../records/agent.ts'
import { page, userId } from '../accounts/users.ts'
import { type Caller, type Deps, operation, userOf } from '../operation.ts'
import { describeAgents } from './describeAgents.ts'

/** The record of an agent with its address on chain, as existing clients read it. */
const agentEntry = agentRecord.extend({ identity_address: z.string() })

const toEntries = async (agents: ListedAgent[], deps: Deps, caller: Caller) => {
  const records = await describeAgents(agents, deps, caller)
  return records.map((record, at) => ({ ...record, identity_address: agents[at]?.wallet ?? '' }))
}

export const listUserAgents = operation({
  name: 'listUserAgents',
  summary: 'The agents of a user, newest first.',
  caller: 'anyone',
  input: z.object({ user_id: userId, ...page }),
  output: z.object({ agents: z.array(agentEntry), total: z.number(), limit: z.number(), offset: z.number() }),

  async run({ user_id, limit, offset }, deps, caller) {
    const owner = toWallet(user_id)
    if (!owner) return { agents: [], total: 0, limit, offset }
    const agents = await deps.store.agents({ owner, limit, offset })
    return { agents: await toEntries(agents, deps, caller), total: await deps.store.countAgents({ owner }), limit, offset }
  },
})

export const listMyAgents = operation({
  name: 'listMyAgents',
  summary: "The caller's agents, newest first.",
  scope: 'look',
  input: z.object({ chain_id: z.coerce.number().int().optional() }),
  output: z.array(agentEntry),

  async run({ chain_id }, deps, caller) {
    const onChain = chain_id === undefined ? {} : { chainId: chain_id }
    return toEntries(await deps.store.agents({ owner: userOf(caller), ...onChain, limit: 500, offset: 0 }), deps, caller)
  },
})
