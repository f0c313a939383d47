import { canonical, sha256 } from '../../domain/json.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import type { Caller, Deps } from '../operation.ts'
import { checkFree, freeOf, type Wish } from './takeWithdrawal.ts'

/**
 * Demands the passkey of a user who has one. It signs the amount, the token, the chain and the address, also where the request
 * left some of them out; what is then taken is exactly that.
 * @throws PasskeyProblem, Problem signature-mismatch, insufficient-funds
 */
export const agreed = async (deps: Deps, wish: Wish, caller: Caller): Promise<Wish> => {
  const { user, chain, asset, wallet, to, decimals, symbol } = wish
  if (!(await deps.presence?.hasPasskey(user, deps))) return wish
  const { committed } = await deps.store.lockWithdrawals(wallet, { chainId: chain.chainId, asset })
  const free = freeOf(wish, committed)
  const amount = wish.asked ?? free
  // A passkey is not asked for what would be refused.
  checkFree(wish, { amount, free })
  const terms = canonical({
    operation: 'withdraw',
    from: wallet,
    to,
    chain_id: chain.chainId,
    amount: formatUsdc(amount, decimals),
    asset: symbol,
    token: tokenOf(wish),
  })
  const answer = caller.passkeyAnswer
  await deps.presence?.demand({ user, operation: 'withdraw', terms, digest: sha256(terms), answer }, deps)
  return { ...wish, asked: amount }
}

/** The contract of the asset; the coin of a chain has none. */
const tokenOf = ({ asset, chain: { addresses } }: Wish): string => {
  if (asset === 'usdc') return addresses.usdc
  return asset === 'wrapped' ? (addresses.wrappedCoin ?? asset) : asset
}
