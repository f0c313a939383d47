import { decodeFunctionData, erc20Abi, pad, toHex } from 'viem'
import { testUsdcAbi } from '../../../../src/chain/contracts/artifacts/TestUsdc.ts'
import { permitProxyAbi } from '../../../../src/chain/signing/permittedTransfers.ts'
import { type Address, address, type Hex } from '../../../../src/domain/hex.ts'
import type { ContractCall } from './contracts.ts'
import { places } from './places.ts'

const abi = [...testUsdcAbi.filter(it => it.type === 'function'), ...permitProxyAbi, ...erc20Abi]

/** A nonce of Permit2 as the 32 bytes by which payments are known. */
const toNonce = (nonce: bigint): Hex => pad(toHex(nonce), { size: 32 })
const lower = (text: string): Address => address.parse(text.toLowerCase())

/** Reads the bytes that the service encodes itself for the token and the proxy of x402, as a call of the model. */
export const fromCalldata = (data: Hex): ContractCall => {
  const { functionName, args } = decodeFunctionData({ abi, data })
  if (functionName === 'transferWithAuthorization') {
    const [from, to, amount, , validBefore, nonce] = args
    const of = { from: lower(from), to: lower(to), nonce, validBefore: Number(validBefore) }
    return { name: 'pay', ...of, amount: String(amount), isPermit: false }
  }
  if (functionName === 'settle') {
    const [{ permitted, nonce, deadline }, owner, witness] = args
    const of = { from: lower(owner), to: lower(witness.to), nonce: toNonce(nonce), validBefore: Number(deadline) }
    return { name: 'pay', ...of, amount: String(permitted.amount), isPermit: true }
  }
  if (functionName !== 'approve') throw new RangeError(`the model has no ${functionName}`)
  const [spender, amount] = args
  return { name: 'approve', asset: places.usdc, spender: lower(spender), amount: String(amount) }
}
