import { type AgentId, parseAgentId, parseHandle } from '../../domain/agents/agentId.ts'
import { defaultChainId } from '../../domain/chains/chains.ts'
import { Problem } from '../../domain/problem.ts'
import type { Agent } from '../../ports.ts'
import { type Caller, type Deps, userOf } from '../operation.ts'

/**
 * Finds an agent by any form that clients send: full id in any case, `erc8004:<handle>`, `<chain>:erc8004:<handle>`, handle. A
 * handle on several chains means the given chain, otherwise the default one.
 */
export const resolveAgent = async (
  { store }: Pick<Deps, 'store'>,
  text: string,
  chainHint?: number,
): Promise<Agent | undefined> => {
  const full = parseAgentId(text)
  if (full) return store.agent(full.id)
  const { handle, chainId = chainHint } = parseHandle(text)
  const named = await store.agentsByHandle(handle)
  if (chainId !== undefined) return named.find(it => it.chainId === chainId)
  return named.find(it => it.chainId === defaultChainId) ?? named[0]
}

type RegisteredAgent = Agent & { id: AgentId }

/**
 * Like `resolveAgent`, of an agent with an identity on chain.
 * @throws Problem agent-not-found
 */
export const findRegistered = async (deps: Pick<Deps, 'store'>, text: string, chainHint?: number): Promise<RegisteredAgent> => {
  const agent = await resolveAgent(deps, text, chainHint)
  if (!agent?.id) throw new Problem('agent-not-found')
  return { ...agent, id: agent.id }
}

/**
 * Returns an agent of the caller. An agent of another owner is reported as not found.
 * @throws Problem unauthenticated, agent-not-found
 */
export const ownAgent = async (deps: Pick<Deps, 'store'>, text: string, caller: Caller): Promise<Agent & { id: string }> => {
  const owner = userOf(caller)
  const agent = await resolveAgent(deps, text)
  if (!agent?.id || agent.owner !== owner) throw new Problem('agent-not-found')
  return { ...agent, id: agent.id }
}
