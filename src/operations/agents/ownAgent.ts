import { Problem } from '../../domain/problem.ts'
import type { Agent } from '../../ports.ts'
import { type Caller, type Deps, userOf } from '../operation.ts'
import { resolveAgent } from './resolveAgent.ts'

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
