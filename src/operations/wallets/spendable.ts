import type { Address } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import type { Chain, HeldAsset, Launchpad } from '../../ports.ts'
import { chainOf, type Deps } from '../operation.ts'

/**
 * Balance of an asset that a custodial wallet can spend, in atomic units. Of the coin, two top-ups are kept back: they were paid
 * by the treasury for gas.
 */
export const spendable = async (chain: Chain, wallet: Address, asset: HeldAsset): Promise<Atomic> => {
  if (asset === 'usdc') return chain.usdcBalance(wallet)
  if (asset === 'coin') {
    const free = ((await chain.coinBalance?.(wallet)) ?? 0n) - 2n * chain.topUp(wallet).value
    return free > 0n ? free : 0n
  }
  const contract = asset === 'wrapped' ? chain.launchpad?.wrappedCoin : asset
  return contract ? ((await (chain.launchpad ?? chain.others)?.balance(contract, wallet)) ?? 0n) : 0n
}

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
