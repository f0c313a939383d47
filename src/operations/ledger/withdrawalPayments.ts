import type { Address, Hex } from '../../domain/hex.ts'
import { Problem } from '../../domain/problem.ts'
import type { Chain, FollowedWithdrawal, Intent, Store } from '../../ports.ts'

/**
 * Whether the mined transaction of a withdrawal moved its tokens to where they were to go, as its receipt says: some tokens
 * refuse a transfer without a revert. True for intents that withdraw no token.
 * @throws Problem chain-unavailable when the node knows no receipt
 */
export const isWithdrawn = async (
  { store, chain }: { store: Store; chain: Chain },
  { key }: Intent,
  hash: Hex,
): Promise<boolean> => {
  const [subject, id = ''] = key.split(':')
  const asked = subject === 'withdraw' ? await store.withdrawal(id) : undefined
  const token = asked && tokenOf(chain, asked)
  if (!asked || !token || !chain.hasMoved) return true
  const { wallet: from, to, amount: value } = asked
  const hasMoved = await chain.hasMoved(hash, { token, from, to, value })
  if (hasMoved === undefined) throw new Problem('chain-unavailable', `The chain shows no receipt of ${hash}.`)
  return hasMoved
}

const tokenOf = ({ addresses }: Chain, { asset }: FollowedWithdrawal): Address | undefined => {
  if (asset === 'usdc') return addresses.usdc
  if (asset === 'wrapped') return addresses.wrappedCoin
  return asset === 'coin' ? undefined : asset
}
