import { size, slice } from 'viem'
import type { Address, Hex } from '../../domain/hex.ts'
import type { Call, WalletRole } from '../../ports.ts'

/**
 * One row of the signing table: wallets of this role may call this function of this contract. A selector longer than four bytes
 * also fixes the first arguments.
 */
export type Permission = {
  role: WalletRole
  contract: Address
  selector: Hex /** Whether the call may transfer coin. */
  paysCoin?: true
}

/** A signature that no rule allows. This is a fault of the service, never of the caller. */
export class SigningRefused extends Error {
  constructor(reason: string) {
    super(`The signer refuses: ${reason}.`)
    this.name = 'SigningRefused'
  }
}

/** @throws SigningRefused unless a wallet of this role may send this call */
export type SignerPolicy = (role: WalletRole, call: Call, sender?: Address) => void

/**
 * Checks every transaction before it is signed. Only known functions of known contracts are allowed, and no deployments.
 * Only purchases with native coin may transfer it. Only the treasury may send plain transfers of coin, which fund the other
 * custodial wallets. Any wallet may send an empty transaction to itself, which uses up a nonce.
 */
export const createSignerPolicy = (permissions: readonly Permission[]): SignerPolicy => {
  const permissionFor = (role: WalletRole, to: Address, data: Hex) =>
    permissions.find(
      it => it.role === role && isSame(it.contract, to) && data.toLowerCase().startsWith(it.selector.toLowerCase()),
    )

  return (role, { to, data, value }, sender) => {
    if (to === undefined) throw new SigningRefused('deployments are not allowed')
    if (data === '0x') {
      const isEmpty = value === 0n && sender !== undefined && isSame(to, sender)
      if (!isEmpty && role !== 'treasury') throw new SigningRefused(`a wallet of role ${role} may not send plain transfers`)
      return
    }
    const permission = permissionFor(role, to, data)
    if (value !== 0n && !permission?.paysCoin) throw new SigningRefused('the call must not transfer native coin')
    if (!permission)
      throw new SigningRefused(`${size(data) < 4 ? data : slice(data, 0, 4)} of ${to} is not permitted for role ${role}`)
  }
}

const isSame = (one: Address, other: Address) => one.toLowerCase() === other.toLowerCase()
