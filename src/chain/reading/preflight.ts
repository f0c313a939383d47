import { BaseError, decodeErrorResult, decodeFunctionData, ExecutionRevertedError } from 'viem'
import { z } from 'zod'
import { type Hex, hex } from '../../domain/hex.ts'
import type { Chain } from '../../ports.ts'
import { agentRegistryAbi } from '../contracts/artifacts/AgentRegistry.ts'
import { jobEscrowAbi } from '../contracts/artifacts/JobEscrow.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import { answered, type Node } from '../rpc/node.ts'
import { hireNonce } from '../signing/authorizations.ts'

/** Checks before a transaction is sent, or before an unsent one is abandoned. */
export type Preflight = Pick<Chain, 'preflight' | 'isHired'>

type PreflightDeps = { node: Node; chainId: number; addresses: Chain['addresses'] }

/** Creates the checks before a transaction is sent: whether it would revert, and whether a signed hire has already happened. */
export const createPreflight = ({ node, chainId, addresses: { escrow, usdc } }: PreflightDeps): Required<Preflight> => ({
  // The pending block has the current time and includes earlier transactions of the wallet.
  async preflight(sender, { to, data, value }) {
    if (data === '0x') return undefined
    try {
      await answered(node.call({ account: sender, to: to ?? null, data, value, blockTag: 'pending' }))
      return undefined
    } catch (error) {
      const isRevert = error instanceof BaseError && error.walk(it => it instanceof ExecutionRevertedError) !== null
      if (isRevert) return reasonOf(error)
      // Only reverts count here. The node reports any other fault at the broadcast.
      if (error instanceof BaseError) return undefined
      throw error
    }
  },

  // The token accepts each authorization once, and only the escrow can use ours. A used authorization means a funded job.
  async isHired({ data }) {
    const { functionName, args } = decodeFunctionData({ abi: jobEscrowAbi, data })
    if (functionName !== 'createAndFundWithAuthorization') return false
    const [terms] = args
    const question = { address: usdc, abi: testUsdcAbi, functionName: 'authorizationState' } as const
    return answered(node.readContract({ ...question, args: [terms.client, hireNonce(terms, chainId, escrow)] }))
  },
})

const abi = [...jobEscrowAbi, ...testUsdcAbi, ...agentRegistryAbi]
const carrier = z.looseObject({ data: hex })

const reasonOf = (error: BaseError): string => {
  const words = error.details || error.shortMessage
  const data = dataOf(error)
  if (data === undefined) return words
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi, data })
    return `${errorName}(${args.map(String).join(', ')})`
  } catch {
    // The error is declared by none of our contracts, so the node's message is used.
    return words
  }
}

const dataOf = (error: BaseError): Hex | undefined => {
  const found = error.walk(it => carrier.safeParse(it).success)
  return carrier.safeParse(found).data?.data
}
