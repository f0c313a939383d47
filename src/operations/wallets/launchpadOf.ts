import { Problem } from '../../domain/problem.ts'
import type { Chain, Launchpad } from '../../ports.ts'
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
