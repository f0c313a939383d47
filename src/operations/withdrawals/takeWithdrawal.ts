import { clockTime } from '../../domain/durations.ts'
import type { Address } from '../../domain/hex.ts'
import { canonical, sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import type { Chain, FollowedWithdrawal, HeldAsset, OutsideAddress, Tables, WithdrawalAddress } from '../../ports.ts'
import { maySpend } from '../gasBudget.ts'
import type { Caller, Deps } from '../operation.ts'

type Asked = { user: Address; wallet: Address; chainId: number; to: Address | undefined }

/**
 * Where a withdrawal goes: to the wallet that signs in, or to an outside address of its user. An account that is the wallet
 * itself has no other wallet here, so it names one of its outside addresses.
 * @throws Problem method-not-offered, address-not-added, address-waits
 */
export const recipientOf = async (deps: Pick<Deps, 'store' | 'clock'>, of: Asked): Promise<Address> => {
  const { user, wallet, chainId, to } = of
  if ((to ?? user) === user) {
    if (wallet === user) throw new Problem('method-not-offered', noOther)
    return user
  }
  const known = (await deps.store.withdrawalAddresses(user)).find(it => it.chainId === chainId && it.address === to)
  if (!known) throw new Problem('address-not-added', notAdded, '/to')
  if (known.usableAt > deps.clock.now()) throw tooEarly(known)
  return known.address
}

const noOther =
  'Your account is this wallet itself: name in `to` one of your withdrawal addresses. Add one under Account, with your passkey.'
const notAdded = 'You have no such withdrawal address on this chain: add it under Account, with your passkey.'
const tooEarly = ({ usableAt }: WithdrawalAddress) =>
  new Problem('address-waits', `This address was added lately. It can be used from ${clockTime(usableAt)}.`, '/to')

/**
 * Decides in the transaction of a withdrawal whether its outside address may be used. The read before only explained.
 * @throws Problem address-not-added, address-waits
 */
const checkOutside = async (tables: Tables, of: OutsideAddress): Promise<void> => {
  if (of.address === of.user) return
  const known = await tables.lockWithdrawalAddress(of)
  if (!known) throw new Problem('address-not-added', notAdded, '/to')
  if (!known.isUsable) throw tooEarly(known)
}

/** A withdrawal as its user wants it. `held` is what the wallet can spend; without `asked`, all that is free is meant. */
type Wish = {
  id: string
  user: Address
  wallet: Address
  to: Address
  chain: Chain
  asset: HeldAsset
  symbol: string
  decimals: number
  held: Atomic
  asked: Atomic | undefined
}

/** What is not committed to hires, purchases and trades. */
const freeOf = ({ held }: Pick<Wish, 'held'>, committed: Atomic): Atomic => (held > committed ? held - committed : 0n)

/** @throws Problem insufficient-funds */
const checkFree = (of: Pick<Wish, 'decimals' | 'symbol'>, { amount, free }: { amount: Atomic; free: Atomic }): void => {
  if (amount === 0n || amount > free)
    throw new Problem('insufficient-funds', `The wallet has ${formatUsdc(free, of.decimals)} ${of.symbol} to take out.`)
}

/** Decides a withdrawal and its transaction in one write, once for each id. */
export const take = async (deps: Deps, wish: Wish): Promise<FollowedWithdrawal> => {
  const { id, user, wallet, to, chain, asset, symbol, decimals } = wish
  const { chainId } = chain
  const transfer = chain.withdraw
  if (!transfer) throw new Problem('method-not-offered')
  return deps.store.atomically(async tables => {
    const { underWay, today, committed } = await tables.lockWithdrawals(wallet, { chainId, asset })
    const known = await tables.withdrawal(id)
    if (known) return known
    if (underWay > 0) throw new Problem('withdrawal-pending')
    if (today >= limits.withdrawalsADay) throw new Problem('too-many-withdrawals')
    await checkOutside(tables, { user, chainId, address: to })
    if (!(await maySpend(tables, { wallet: user, chain }, 'withdrawal'))) throw new Problem('gas-budget-used')
    const free = freeOf(wish, committed)
    const amount = wish.asked ?? free
    checkFree(wish, { amount, free })
    const added = await tables.addWithdrawal({ id, user, chainId, asset, decimals, wallet, to, amount })
    const text = `${formatUsdc(amount, decimals)} ${symbol} were withdrawn to ${to} on chain ${chainId}.`
    await tables.addAccountEvent({ wallet: user, kind: 'withdrawal', text })
    await tables.addIntents([
      { key: `withdraw:${id}`, chainId, sender: wallet, call: transfer(asset, to, amount), after: undefined },
    ])
    return { ...added, state: 'waiting' as const, hash: undefined }
  })
}

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
