import { decodeFunctionData, encodeFunctionData, keccak256, size, stringToHex } from 'viem'
import type { Address, Hex } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money/money.ts'
import type { Call, Chain } from '../../ports.ts'
import { jobEscrowAbi } from '../contracts/artifacts/JobEscrow.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import type { GasCeilings } from '../rpc/gas.ts'
import { embeddedPolicy } from './policy.ts'
import { SigningRefused } from './signerPolicy.ts'

/** Encodes calls that need no signature besides the sender's. Pure functions. */
export type Calls = Pick<Chain, 'submit' | 'complete' | 'completeUsed' | 'reject' | 'claimRefund' | 'topUp' | 'faucet'>

type CallDeps = {
  addresses: Chain['addresses']
  gas: GasCeilings
  faucet: boolean
  returnsUnused?: boolean
  /** Native coin of one top-up, in wei. */
  topUpWei?: bigint
}

/** Creates the encoders of all contract calls, each with its gas limit. They send nothing. */
export const createCalls = ({ topUpWei = embeddedPolicy.topUpWei, ...deps }: CallDeps): Calls => {
  const { escrow, usdc } = deps.addresses
  const { gas } = deps
  const call = (to: Address, ceiling: bigint, data: Hex): Call => ({ to, data, value: 0n, gas: ceiling })

  return {
    submit: (job, deliverable) =>
      call(
        escrow,
        gas.submit,
        encodeFunctionData({ abi: jobEscrowAbi, functionName: 'submit', args: [job, hashText(deliverable), '0x'] }),
      ),
    complete: (job, reason) =>
      call(
        escrow,
        gas.complete,
        encodeFunctionData({ abi: jobEscrowAbi, functionName: 'complete', args: [job, toReason(reason), '0x'] }),
      ),
    ...(deps.returnsUnused && {
      completeUsed: (job, used, reason) =>
        call(
          escrow,
          gas.completeUsed,
          encodeFunctionData({ abi: jobEscrowAbi, functionName: 'completeUsed', args: [job, used, toReason(reason)] }),
        ),
    }),
    reject: (job, reason) =>
      call(
        escrow,
        gas.reject,
        encodeFunctionData({ abi: jobEscrowAbi, functionName: 'reject', args: [job, toReason(reason), '0x'] }),
      ),
    claimRefund: job =>
      call(escrow, gas.claimRefund, encodeFunctionData({ abi: jobEscrowAbi, functionName: 'claimRefund', args: [job] })),
    topUp: wallet => ({ to: wallet, data: '0x', value: topUpWei, gas: gas.transfer }),
    faucet: deps.faucet
      ? (to, amount) => call(usdc, gas.mint, encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [to, amount] }))
      : undefined,
  }
}

export const hashText = (text: string): Hex => keccak256(stringToHex(text))

/** Encodes a reason as bytes32 (ERC-8183): a short text itself, a longer one as its hash. */
const toReason = (reason: string): Hex => {
  const text = stringToHex(reason)
  return size(text) < 32 ? stringToHex(reason, { size: 32 }) : hashText(reason)
}

/** Whether a call is one of a contract. */
export const isOf = ({ to, data }: Call, contract: Address) => data !== '0x' && to?.toLowerCase() === contract.toLowerCase()

/** The money that a client's call would commit, in atomic USDC. */
export type Commitment = { amount: Atomic; jobKey: string | undefined; provider: string | undefined }

/** Reads what a client's call would commit; undefined for one that commits nothing. @throws SigningRefused for other calls */
export const toCommitment = ({ to, data }: Call, { usdc }: Chain['addresses']): Commitment | undefined => {
  if (data === '0x') return undefined
  if (to?.toLowerCase() === usdc) {
    const { functionName, args } = decodeFunctionData({ abi: testUsdcAbi, data })
    if (functionName !== 'approve') throw new SigningRefused(`a client's wallet does not sign ${functionName}`)
    return { amount: args[1], jobKey: undefined, provider: undefined }
  }
  const { functionName, args } = decodeFunctionData({ abi: jobEscrowAbi, data })
  switch (functionName) {
    case 'claimRefund':
      return undefined
    case 'createAndFund':
      return { amount: args[4], jobKey: args[3], provider: args[0] }
    case 'createAndFundWithAuthorization': {
      const [{ budget: amount, description: jobKey, provider }] = args
      return { amount, jobKey, provider }
    }
    default:
      throw new SigningRefused(`a client's wallet does not sign ${functionName}`)
  }
}
