import { toWallet } from '../../domain/hex.ts'
import { Problem } from '../../domain/problem.ts'
import type { Chain, LaunchedToken, Launchpad } from '../../ports.ts'
import { resolveAgent } from '../agents/resolveAgent.ts'
import { chainOf, type Deps } from '../operation.ts'

/**
 * The launchpad of a chain.
 * @throws Problem chain-not-supported, tokens-not-offered
 */
export const launchpadOf = (
  deps: Pick<Deps, 'chains' | 'refusedChains'>,
  chainId: number,
): { chain: Chain; launchpad: Launchpad } => {
  const chain = chainOf(deps, chainId)
  if (!chain.launchpad) throw new Problem('tokens-not-offered')
  return { chain, launchpad: chain.launchpad }
}

/**
 * A token by its address, or by the id or handle of its agent.
 * @throws Problem token-not-found
 */
export const tokenOf = async (deps: Pick<Deps, 'store'>, text: string, chainId: number): Promise<LaunchedToken> => {
  const address = toWallet(text)
  const agent = address ? undefined : await resolveAgent(deps, text, chainId)
  const token = address ? await deps.store.token(chainId, address) : agent?.id && (await deps.store.tokenOfAgent(agent.id))
  if (!token) throw new Problem('token-not-found')
  return token
}
