import type { Address } from '../../domain/hex.ts'
import { blockedOf, findListings } from './findListings.ts'

/** The share (0–1) of the words of a task that the offering of a blocked agent has. */
const minCoverage = 0.3

type Want = Pick<Parameters<typeof findListings>[1], 'text' | 'chainId' | 'maxPrice'>

/** Names the offering that fits best where the user blocked its agent, and how to take the block back; otherwise empty. */
export const nameBlocked = async (
  deps: Parameters<typeof findListings>[0],
  want: Want,
  user: Address | undefined,
): Promise<string> => {
  const blocked = await blockedOf(deps, user)
  if (blocked.size === 0) return ''
  const [first] = await findListings(deps, { ...want, agent: undefined, limit: 1 })
  if (!first || !blocked.has(first.listing.agentId) || first.coverage < minCoverage) return ''
  const { name, agentHandle } = first.listing
  return (
    `“${name}” by ${agentHandle} may do it, but you blocked that agent. ` +
    `“Blocked” on its page or \`market mark ${agentHandle} none\` takes the block back.`
  )
}
