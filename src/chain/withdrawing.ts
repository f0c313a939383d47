import { decodeFunctionData, encodeFunctionData, isAddressEqual } from 'viem'
import type { Address } from '../domain/hex.ts'
import type { Call, Chain, Withdrawal } from '../ports.ts'
import { testUsdcAbi } from './contracts/artifacts/TestUsdc.ts'
import type { GasCeilings } from './gas.ts'
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

/** A call, its sender, and whose wallet that is. */
type Sent = { sender: Address; call: Call; owner: string | undefined }

/** A custodial wallet sends USDC as its owner asked, to its owner, and nowhere else. @throws SigningRefused */
export const checkWithdrawal = (asked: Withdrawal | undefined, { sender, call, owner }: Sent): void => {
  const { functionName, args } = decodeFunctionData({ abi: testUsdcAbi, data: call.data })
  if (functionName !== 'transfer') throw new SigningRefused(`a withdrawal is no ${functionName}`)
  if (!asked || !isAddressEqual(asked.wallet, sender)) throw new SigningRefused(`nobody asked to take USDC out of ${sender}`)
  const [to, amount] = args
  if (asked.user !== owner || !isAddressEqual(asked.user, to))
    throw new SigningRefused('a withdrawal goes to the owner of its wallet, who asked for it')
  if (amount !== asked.amount) throw new SigningRefused(`the amount is not that of withdrawal ${asked.id}`)
}
