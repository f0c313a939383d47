import { CallExecutionError, encodeFunctionData, parseSignature, size } from 'viem'
import { getAbiItem } from 'viem/utils'
import type { Address, Hex } from '../../domain/hex.ts'
import type { Authorization } from '../../domain/x402/x402.ts'
import type { Refusal } from '../../domain/x402/x402Refusal.ts'
import type { AuthorizedTransfers, Call } from '../../ports.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import { rangesBack } from '../rpc/blockRanges.ts'
import { answered, type Node } from '../rpc/node.ts'
import { hashText } from './calls.ts'
import type { ChainPolicy } from './policy.ts'
import { hasAuthorizedTransfer, logsOf } from './transferLogs.ts'

type TransferDeps = {
  node: Node
  usdc: Address
  sender: Address
  policy: Pick<ChainPolicy, 'gas' | 'blockTimeMs' | 'confirmations'>
} & Pick<AuthorizedTransfers, 'domain' | 'signPurchase'>

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
    hash: hashText,
    signPurchase,

    // The token decides whether it accepts the transfer. The reads after it only find the reason.
    async refusal(it) {
      const isAccepted = await succeeds(node.call({ account: sender, to: usdc, data: encodeTransfer(it), blockTag: 'pending' }))
      return isAccepted ? undefined : reasonOf(it, { node, usdc })
    },

    // A used nonce proves no payment: the payer may use it for another transfer, or withdraw it. The receipt decides.
    async transferOf(it, { minedIn, since, isUsed: isKnown = false } = {}) {
      const isMadeBy = async (hash: Hex) => {
        const logs = await logsOf(node, hash)
        return logs && hasAuthorizedTransfer(logs, usdc, it)
      }
      if (minedIn && (await isMadeBy(minedIn))) return minedIn
      if (!isKnown && !(await isUsed(it, { node, usdc }))) return undefined
      const use = await findUse(it, { node, usdc, since })
      if (!use?.hash) return use ? undefined : 'unclear'
      const isMade = await isMadeBy(use.hash)
      return isMade ? use.hash : isMade === undefined ? 'unclear' : undefined
    },

    async stateOf(it) {
      // Reads the time before the state, so that a transfer in between counts as used.
      const { blockNumber, seconds } = await finalBlock(node, policy)
      if (await isUsed(it, { node, usdc, blockNumber })) return 'used'
      return seconds > it.validBefore ? 'expired' : 'open'
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

type Token = Pick<TransferDeps, 'node' | 'usdc'>
type Nonce = Pick<Authorization, 'from' | 'nonce'>

/** Whether the nonce was used, for a transfer or for its withdrawal. */
const isUsed = ({ from, nonce }: Nonce, { node, usdc, blockNumber }: Token & { blockNumber?: bigint | undefined }) => {
  const asked = { address: usdc, abi: testUsdcAbi, functionName: 'authorizationState', args: [from, nonce] } as const
  return answered(node.readContract({ ...asked, ...(blockNumber !== undefined && { blockNumber }) }))
}

/**
 * What used a nonce: the transaction of a transfer, or its withdrawal, which has no hash. Undefined if the node shows neither.
 */
const findUse = async (
  { from: authorizer, nonce }: Nonce,
  { node, usdc, since }: Token & { since: number | undefined },
): Promise<{ hash?: Hex } | undefined> => {
  const find = async (name: 'AuthorizationUsed' | 'AuthorizationCanceled', range: { fromBlock: bigint; toBlock: bigint }) => {
    const event = getAbiItem({ abi: testUsdcAbi, name })
    const [found] = await answered(node.getLogs({ address: usdc, event, args: { authorizer, nonce }, ...range }))
    return found?.transactionHash
  }
  for await (const range of rangesBack(node, since)) {
    const [hash, withdrawal] = await Promise.all([find('AuthorizationUsed', range), find('AuthorizationCanceled', range)])
    if (hash) return { hash }
    if (withdrawal) return {}
  }
  return undefined
}

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

const reasonOf = async (it: Authorization, { node, usdc }: Token): Promise<Refusal> => {
  const [used, balance] = await Promise.all([
    isUsed(it, { node, usdc }),
    answered(node.readContract({ address: usdc, abi: testUsdcAbi, functionName: 'balanceOf', args: [it.from] })),
  ])
  if (used) return 'invalid_exact_evm_nonce_already_used'
  return balance < it.value ? 'invalid_exact_evm_insufficient_balance' : 'invalid_exact_evm_signature'
}
