import { decodeFunctionData, encodeFunctionData, erc20Abi, pad, toFunctionSelector, toHex } from 'viem'
import { getAbiItem } from 'viem/utils'
import { testUsdcAbi } from '../../../../src/chain/contracts/artifacts/TestUsdc.ts'
import { permitProxyAbi } from '../../../../src/chain/signing/permittedTransfers.ts'
import { uptoProxyAbi } from '../../../../src/chain/signing/uptoTransfers.ts'
import { type Address, address, type Hex } from '../../../../src/domain/hex.ts'
import type { ContractCall } from './contracts.ts'
import { places } from './places.ts'

const abi = [...testUsdcAbi.filter(it => it.type === 'function'), ...permitProxyAbi, ...erc20Abi]

/** A nonce of Permit2 as the 32 bytes by which payments are known. */
const toNonce = (nonce: bigint): Hex => pad(toHex(nonce), { size: 32 })
const lower = (text: string): Address => address.parse(text.toLowerCase())

type Pay = Extract<ContractCall, { name: 'pay' }>

/** Signatures are not checked by the model. */
const signature: Hex = `0x${'22'.repeat(65)}`

/** A signed transfer as anybody sends it: to the token, or to a proxy of x402. */
export const toTransferCall = ({ from, to, amount, nonce, validBefore, isPermit, ...of }: Pay): { to: Address; data: Hex } => {
  const [value, until] = [BigInt(amount), BigInt(validBefore)]
  if (of.facilitator) {
    const permit = { permitted: { token: places.usdc, amount: BigInt(of.most ?? amount) }, nonce: BigInt(nonce), deadline: until }
    const args = [permit, value, from, { to, facilitator: of.facilitator, validAfter: 0n }, signature] as const
    return { to: places.uptoProxy, data: encodeFunctionData({ abi: uptoProxyAbi, functionName: 'settle', args }) }
  }
  if (isPermit) {
    const permit = { permitted: { token: places.usdc, amount: value }, nonce: BigInt(nonce), deadline: until }
    const args = [permit, from, { to, validAfter: 0n }, signature] as const
    return { to: places.permitProxy, data: encodeFunctionData({ abi: permitProxyAbi, functionName: 'settle', args }) }
  }
  const args = [from, to, value, 0n, until, nonce, signature] as const
  const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'transferWithAuthorization', args })
  return { to: places.usdc, data }
}

const takeSelector = toFunctionSelector(getAbiItem({ abi: uptoProxyAbi, name: 'settle' }))

const fromTaking = (data: Hex): ContractCall => {
  const { functionName, args } = decodeFunctionData({ abi: uptoProxyAbi, data })
  if (functionName !== 'settle') throw new RangeError(`the model has no ${functionName}`)
  const [{ permitted, nonce, deadline }, amount, owner, { to, facilitator }] = args
  const of = { from: lower(owner), to: lower(to), nonce: toNonce(nonce), validBefore: Number(deadline), isPermit: true }
  return { name: 'pay', ...of, amount: String(amount), facilitator: lower(facilitator), most: String(permitted.amount) }
}

/** Reads the bytes that the service encodes itself for the token and the proxies of x402, as a call of the model. */
export const fromCalldata = (data: Hex): ContractCall => {
  if (data.startsWith(takeSelector)) return fromTaking(data)
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
