import { size, slice } from 'viem'
import type { Address, Hex } from '../../domain/hex.ts'
import type { Call, WalletRole } from '../../ports.ts'

/**
 * One line of the table of what may be signed: wallets of this role may call this function of this contract. A selector
 * longer than four bytes fixes the first arguments too.
 */
export type Permission = { role: WalletRole; contract: Address; selector: Hex }

/** A transaction that no line of the table allows. It is a fault of ours, never the caller's. */
export class SigningRefused extends Error {
  constructor(reason: string) {
    super(`The signer refuses: ${reason}.`)
    this.name = 'SigningRefused'
  }
}

/** Throws SigningRefused unless a wallet of this role may send this call. */
export type SignerPolicy = (role: WalletRole, call: Call, sender?: Address) => void

/**
 * The gate in front of every signature: known contracts and functions only, no coin along with a call, no deployment.
 * Plain coin leaves the treasury alone: it fills the wallets that have to send. Any wallet may send nothing to itself, which uses
 * up a nonce.
 */
export const createSignerPolicy = (permissions: readonly Permission[]): SignerPolicy => {
  const isPermitted = (role: WalletRole, to: Address, data: Hex) =>
    permissions.some(
      it => it.role === role && isSame(it.contract, to) && data.toLowerCase().startsWith(it.selector.toLowerCase()),
    )

  return (role, { to, data, value }, sender) => {
    if (to === undefined) throw new SigningRefused('it signs no deployment')
    if (data === '0x') {
      const isEmpty = value === 0n && sender !== undefined && isSame(to, sender)
      if (!isEmpty && role !== 'treasury') throw new SigningRefused(`a wallet of role ${role} sends no plain transfer`)
      return
    }
    if (value !== 0n) throw new SigningRefused('a call carries no coin')
    if (!isPermitted(role, to, data))
      throw new SigningRefused(`${size(data) < 4 ? data : slice(data, 0, 4)} of ${to} is not on the table for role ${role}`)
  }
}

const isSame = (one: Address, other: Address) => one.toLowerCase() === other.toLowerCase()
