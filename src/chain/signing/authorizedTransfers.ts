import { CallExecutionError, encodeFunctionData, parseAbiItem, parseSignature, size } from 'viem'
import type { Address, Hex } from '../../domain/hex.ts'
import type { Authorization } from '../../domain/x402.ts'
import type { Refusal } from '../../domain/x402Refusal.ts'
import type { AuthorizedTransfers, Call } from '../../ports.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import { answered, type Node } from '../rpc/node.ts'
import type { ChainPolicy } from './policy.ts'

type TransferDeps = {
  node: Node
  usdc: Address
  sender: Address
  policy: Pick<ChainPolicy, 'gas' | 'blockTimeMs' | 'confirmations'>
} & Pick<AuthorizedTransfers, 'domain' | 'signPurchase'>

/** Number of blocks searched for a transfer, because public nodes return the logs of a limited range only. */
export const searchedBlocks = 2_000n

/** Creates transfers that payers have signed (EIP-3009). The treasury sends them. */
export const createAuthorizedTransfers = ({
  node,
  usdc,
  sender,
  policy,
  domain,
  signPurchase,
}: TransferDeps): AuthorizedTransfers => {
  const transfer = (it: Authorization): Call => ({
    to: usdc,
    data: encodeTransfer(it),
    value: 0n,
    gas: policy.gas.authorizedTransfer,
  })
  return {
    domain,
    transfer,
    signPurchase,

    // The token decides whether it accepts the transfer. The reads after it only find the reason.
    async refusal(it) {
      const isAccepted = await succeeds(node.call({ account: sender, to: usdc, data: encodeTransfer(it), blockTag: 'pending' }))
      return isAccepted ? undefined : reasonOf(it, { node, usdc })
    },

    async transferOf({ from, nonce }) {
      const head = await answered(node.getBlockNumber())
      const fromBlock = head > searchedBlocks ? head - searchedBlocks : 0n
      const args = { authorizer: from, nonce }
      const [used] = await answered(node.getLogs({ address: usdc, event: authorizationUsed, args, fromBlock, toBlock: head }))
      return used?.transactionHash
    },

    async stateOf({ from, nonce, validBefore }) {
      // Reads the time before the state, so that a transfer in between counts as used.
      const { blockNumber, seconds } = await finalBlock(node, policy)
      const args = [from, nonce] as const
      const asked = { address: usdc, abi: testUsdcAbi, functionName: 'authorizationState', args } as const
      if (await answered(node.readContract({ ...asked, ...(blockNumber !== undefined && { blockNumber }) }))) return 'used'
      return seconds > validBefore ? 'expired' : 'open'
    },
  }
}

/** Seconds by which the clock of a chain that mines on demand may differ from ours. */
const clockSkewS = 5n

/** The newest block with enough confirmations, and its time. A chain that mines on demand has the time of this machine. */
export const finalBlock = async (
  node: Node,
  { confirmations, blockTimeMs }: TransferDeps['policy'],
): Promise<{ blockNumber: bigint | undefined; seconds: bigint }> => {
  if (blockTimeMs === 0) return { blockNumber: undefined, seconds: BigInt(Math.floor(Date.now() / 1_000)) - clockSkewS }
  const newest = await answered(node.getBlockNumber())
  const blockNumber = newest > BigInt(confirmations) ? newest - BigInt(confirmations) : 0n
  const { timestamp } = await answered(node.getBlock({ blockNumber }))
  return { blockNumber, seconds: timestamp }
}

const authorizationUsed = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)')

/**
 * A private key produces a signature of 65 bytes, which every EIP-3009 token accepts. Other lengths come from contract wallets
 * (ERC-1271).
 */
const keySignatureBytes = 65

const encodeTransfer = ({ from, to, value, validAfter, validBefore, nonce, signature }: Authorization): Hex => {
  const terms = [from, to, value, validAfter, validBefore, nonce] as const
  const parsed = size(signature) === keySignatureBytes ? toParts(signature) : undefined
  const args = parsed ? ([...terms, ...parsed] as const) : ([...terms, signature] as const)
  return encodeFunctionData({ abi: testUsdcAbi, functionName: 'transferWithAuthorization', args })
}

const toParts = (signature: Hex): [number, Hex, Hex] | undefined => {
  try {
    const { r, s, yParity } = parseSignature(signature)
    return [27 + yParity, r, s]
  } catch {
    return undefined // the token refuses it as the signature of a contract wallet
  }
}

/** Whether a simulated call succeeds. @throws Problem chain-unavailable */
export const succeeds = async (call: Promise<unknown>): Promise<boolean> => {
  try {
    await answered(call)
    return true
  } catch (error) {
    if (error instanceof CallExecutionError) return false
    throw error
  }
}

const reasonOf = async (
  { from, value, nonce }: Authorization,
  { node, usdc }: Pick<TransferDeps, 'node' | 'usdc'>,
): Promise<Refusal> => {
  const token = { address: usdc, abi: testUsdcAbi } as const
  const [isUsed, balance] = await Promise.all([
    answered(node.readContract({ ...token, functionName: 'authorizationState', args: [from, nonce] })),
    answered(node.readContract({ ...token, functionName: 'balanceOf', args: [from] })),
  ])
  if (isUsed) return 'invalid_exact_evm_nonce_already_used'
  return balance < value ? 'invalid_exact_evm_insufficient_balance' : 'invalid_exact_evm_signature'
}
