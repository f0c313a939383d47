import { decodeFunctionData, encodeFunctionData, isAddressEqual } from 'viem'
import type { Address } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money.ts'
import type { Call, Chain, Withdrawal } from '../../ports.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import type { GasCeilings } from '../rpc/gas.ts'
import { SigningRefused } from './signerPolicy.ts'

/** Encodes a transfer of USDC from a custodial wallet to its owner's wallet (ERC-20 `transfer`). */
export const createWithdrawing = (deps: { usdc: Address; gas: GasCeilings }): Required<Pick<Chain, 'withdraw'>> => ({
  withdraw: (to, amount): Call => ({
    to: deps.usdc,
    data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'transfer', args: [to, amount] }),
    value: 0n,
    gas: deps.gas.withdraw,
  }),
})

type Transfer = { to: Address; amount: Atomic }

/** Recipient and amount of a USDC `transfer`; undefined for any other call. */
export const readTransfer = ({ to, data }: Call, usdc: Address): Transfer | undefined => {
  if (data === '0x' || to?.toLowerCase() !== usdc) return undefined
  const { functionName, args } = decodeFunctionData({ abi: testUsdcAbi, data })
  return functionName === 'transfer' ? { to: args[0], amount: args[1] } : undefined
}

/** A transfer with its sending wallet and that wallet's owner. */
type Sent = Transfer & { sender: Address; owner: string | undefined }

/**
 * A custodial wallet sends USDC only to its owner, as requested by that owner.
 * @throws SigningRefused
 */
export const checkWithdrawal = (asked: Withdrawal | undefined, { sender, owner, to, amount }: Sent): void => {
  if (!asked || !isAddressEqual(asked.wallet, sender)) throw new SigningRefused(`no withdrawal from ${sender} was requested`)
  if (asked.user !== owner || !isAddressEqual(asked.user, to))
    throw new SigningRefused('a withdrawal must be requested by the owner of its wallet and go to that owner')
  if (amount !== asked.amount) throw new SigningRefused(`the amount is not that of withdrawal ${asked.id}`)
}
