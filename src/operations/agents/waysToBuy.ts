import { z } from 'zod'
import { Problem, SaleProblem } from '../../domain/problem.ts'
import type { Agent } from '../../ports.ts'
import type { Deps } from '../operation.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'settings' | 'selling'>
type Named = Pick<Agent, 'key' | 'chainId'> & { id: string }

/** Where an agent is bought: addresses of its x402 resources, and those of the market that hires it. */
export const waysToBuy = z.object({
  x402: z.array(z.string()).describe('POST without a payment answers 402 with the price'),
  hire: z.object({ a2a: z.string(), http: z.string(), page: z.string() }).describe('The butler by A2A and by HTTP, and the page'),
})
export type WaysToBuy = z.infer<typeof waysToBuy>

/** x402 resources that are named at most; the page has all of them. */
const namedResources = 20

export const findWaysToBuy = async (deps: Reach, agent: Named): Promise<WaysToBuy> => {
  const { publicUrl } = deps.settings
  const hire = { a2a: `${publicUrl}/a2a`, http: `${publicUrl}/invoke`, page: `${publicUrl}/app/agents/${agent.id}` }
  return { x402: (await deps.selling?.addressesOf(agent, deps))?.slice(0, namedResources) ?? [], hire }
}

/**
 * Adds to the refusal of a free call where the agent is bought. Other errors stay as they are.
 * @throws Problem the error itself, or SaleProblem
 */
export const withWaysToBuy = async <T>(deps: Reach, agentId: string | undefined, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const isRefused = error instanceof Problem && error.type === 'payment-required'
    const agent = isRefused && agentId !== undefined ? await deps.store.agent(agentId) : undefined
    if (!isRefused || !agent?.id) throw error
    throw new SaleProblem(await findWaysToBuy(deps, { ...agent, id: agent.id }))
  }
}
