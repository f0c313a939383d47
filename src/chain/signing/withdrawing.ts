import { decodeFunctionData, encodeFunctionData, isAddressEqual } from 'viem'
import type { Address } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money.ts'
import type { Call, Chain, Withdrawal } from '../../ports.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import type { GasCeilings } from '../rpc/gas.ts'
import { SigningRefused } from './signerPolicy.ts'

/** USDC from a custodial wallet to the wallet of its owner (ERC-20 `transfer`). */
export const createWithdrawing = (deps: { usdc: Address; gas: GasCeilings }): Required<Pick<Chain, 'withdraw'>> => ({
  withdraw: (to, amount): Call => ({
    to: deps.usdc,
    data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'transfer', args: [to, amount] }),
    value: 0n,
    gas: deps.gas.withdraw,
  }),
})

type Transfer = { to: Address; amount: Atomic }

/** Where a call would send USDC; undefined when it is no `transfer` of the token. */
export const readTransfer = ({ to, data }: Call, usdc: Address): Transfer | undefined => {
  if (data === '0x' || to?.toLowerCase() !== usdc) return undefined
  const { functionName, args } = decodeFunctionData({ abi: testUsdcAbi, data })
  return functionName === 'transfer' ? { to: args[0], amount: args[1] } : undefined
}

/** Who sends it, and whose wallet that is. */
type Sent = Transfer & { sender: Address; owner: string | undefined }

/** A custodial wallet sends USDC as its owner asked, to its owner, and nowhere else. @throws SigningRefused */
export const checkWithdrawal = (asked: Withdrawal | undefined, { sender, owner, to, amount }: Sent): void => {
  if (!asked || !isAddressEqual(asked.wallet, sender)) throw new SigningRefused(`nobody asked to take USDC out of ${sender}`)
  if (asked.user !== owner || !isAddressEqual(asked.user, to))
    throw new SigningRefused('a withdrawal goes to the owner of its wallet, who asked for it')
  if (amount !== asked.amount) throw new SigningRefused(`the amount is not that of withdrawal ${asked.id}`)
}
