import { clockTime } from '../../domain/durations.ts'
import type { Address } from '../../domain/hex.ts'
import { Problem } from '../../domain/problem.ts'
import type { OutsideAddress, Tables, WithdrawalAddress } from '../../ports.ts'
import type { Deps } from '../operation.ts'

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
export const checkOutside = async (tables: Tables, of: OutsideAddress): Promise<void> => {
  if (of.address === of.user) return
  const known = await tables.lockWithdrawalAddress(of)
  if (!known) throw new Problem('address-not-added', notAdded, '/to')
  if (!known.isUsable) throw tooEarly(known)
}
