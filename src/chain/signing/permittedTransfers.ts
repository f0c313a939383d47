import { decodeFunctionData, encodeFunctionData, parseAbi, parseAbiItem } from 'viem'
import { type Address, type Hex, toWallet } from '../../domain/hex.ts'
import { type Authorization, permit2Address } from '../../domain/x402/x402.ts'
import type { Refusal } from '../../domain/x402/x402Refusal.ts'
import type { Call, PermittedTransfers } from '../../ports.ts'
import { rangesBack } from '../rpc/blockRanges.ts'
import { lower } from '../rpc/checksum.ts'
import { answered, type Node } from '../rpc/node.ts'
import { finalBlock, succeeds } from './authorizedTransfers.ts'
import type { ChainPolicy } from './policy.ts'
import { hasTransfer, logsOf } from './transferLogs.ts'

/** The proxy of x402 that payers name in their signature. It has the same address on every chain (@x402/evm). */
export const permitProxy = lower('0x402085c248EeA27D92E8b30b2C58ed07f9E20001')

const structs = [
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Witness { address to; uint256 validAfter; }',
  'struct TokenPermit { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }',
] as const

/** The part of the proxy that is used here. */
export const permitProxyAbi = parseAbi([
  ...structs,
  'function PERMIT2() view returns (address)',
  'function WITNESS_TYPEHASH() view returns (bytes32)',
  'function settle(PermitTransferFrom permit, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(TokenPermit permit2612, PermitTransferFrom permit, address owner, Witness witness, bytes signature)',
])

const bitmapAbi = parseAbi(['function nonceBitmap(address owner, uint256 word) view returns (uint256)'])
const tokenAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
])
const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

type PermitDeps = Pick<PermittedTransfers, 'signPurchase'> & {
  node: Node
  usdc: Address
  sender: Address
  policy: Pick<ChainPolicy, 'gas' | 'blockTimeMs' | 'confirmations'>
}

/** Creates transfers that payers have signed for Permit2. The treasury sends them through the proxy of x402. */
export const createPermittedTransfers = (deps: PermitDeps): PermittedTransfers => {
  const { node, usdc, sender, policy } = deps
  const transfer = (it: Authorization): Call => ({
    to: permitProxy,
    data: encodeSettlement(it, usdc),
    value: 0n,
    gas: policy.gas.permittedTransfer,
  })
  return {
    spender: permitProxy,
    signPurchase: deps.signPurchase,
    approve: amount => ({
      to: usdc,
      data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [permit2Address, amount] }),
      value: 0n,
      gas: policy.gas.approve,
    }),
    allowance: of => readAllowance(of, deps),
    transfer,

    // Permit2 and the token decide whether they accept the transfer. The reads after it only find the reason.
    async refusal(it) {
      const { data, gas } = transfer(it)
      const isAccepted = await succeeds(node.call({ account: sender, to: permitProxy, data, gas, blockTag: 'pending' }))
      return isAccepted ? undefined : reasonOf(it, deps)
    },

    // Permit2 emits no event with the nonce. Only a call of the proxy with this nonce proves that a transfer is this one.
    async transferOf(it, { minedIn, since, isUsed: isKnown = false } = {}) {
      if (minedIn && (await isSettledBy(minedIn, it, deps))) return minedIn
      if (!isKnown && !(await isUsed(node, it))) return undefined
      for await (const hash of movesOf(it, deps, since)) if (await isSettledBy(hash, it, deps)) return hash
      return 'unclear'
    },

    async movesSince(it, since) {
      const moves: Hex[] = []
      for await (const hash of movesOf(it, deps, since)) moves.push(hash)
      return moves
    },

    async stateOf(it) {
      // Reads the time before the state, so that a transfer in between counts as used.
      const { blockNumber, seconds } = await finalBlock(node, policy)
      if (await isUsed(node, it, blockNumber)) return 'used'
      return seconds > it.validBefore ? 'expired' : 'open'
    },
  }
}

const encodeSettlement = ({ from, to, value, validAfter, validBefore, nonce, signature }: Authorization, token: Address): Hex =>
  encodeFunctionData({
    abi: permitProxyAbi,
    functionName: 'settle',
    args: [
      { permitted: { token, amount: value }, nonce: BigInt(nonce), deadline: validBefore },
      from,
      { to, validAfter },
      signature,
    ],
  })

type Signed = Pick<Authorization, 'from' | 'nonce'>
type Moved = Pick<Authorization, 'from' | 'to' | 'value'>
type Token = Pick<PermitDeps, 'node' | 'usdc'>

/** The transactions that moved this amount from the payer to the payee, newest first. */
async function* movesOf({ from, to, value }: Moved, { node, usdc }: Token, since: number | undefined) {
  for await (const range of rangesBack(node, since)) {
    const logs = await answered(node.getLogs({ address: usdc, event: transferEvent, args: { from, to }, ...range }))
    for (const { transactionHash, args } of logs.toReversed()) if (args.value === value) yield transactionHash
  }
}

/** Whether a transaction called the proxy with this nonce, and moved this amount of the token from the payer to the payee. */
const isSettledBy = async (hash: Hex, it: Moved & Signed, { node, usdc }: Token): Promise<boolean> => {
  const logs = await logsOf(node, hash)
  if (!logs || !hasTransfer(logs, usdc, it)) return false
  const { to, input } = await answered(node.getTransaction({ hash }))
  return to !== null && lower(to) === permitProxy && isSettlementOf(input, it)
}

/** Permit2 keeps one bit for each nonce, in words of 256 bits. */
const isUsed = async (node: Node, { from, nonce }: Signed, blockNumber?: bigint): Promise<boolean> => {
  const [word, bit] = [BigInt(nonce) >> 8n, BigInt(nonce) & 255n]
  const asked = { address: permit2Address, abi: bitmapAbi, functionName: 'nonceBitmap', args: [from, word] } as const
  const bits = await answered(node.readContract({ ...asked, ...(blockNumber !== undefined && { blockNumber }) }))
  return ((bits >> bit) & 1n) === 1n
}

const isSettlementOf = (input: Hex, { from, nonce }: Signed): boolean => {
  const called = decodeSettlement(input)
  return called !== undefined && called.nonce === BigInt(nonce) && toWallet(called.owner) === from
}

const decodeSettlement = (data: Hex): { owner: Address; nonce: bigint } | undefined => {
  try {
    const { functionName, args } = decodeFunctionData({ abi: permitProxyAbi, data })
    if (functionName === 'settle') return { owner: args[1], nonce: args[0].nonce }
    return functionName === 'settleWithPermit' ? { owner: args[2], nonce: args[1].nonce } : undefined
  } catch {
    return undefined // another function of the proxy
  }
}

const readAllowance = (owner: Address, { node, usdc }: Pick<PermitDeps, 'node' | 'usdc'>): Promise<bigint> =>
  answered(node.readContract({ address: usdc, abi: tokenAbi, functionName: 'allowance', args: [owner, permit2Address] }))

const reasonOf = async (it: Authorization, deps: PermitDeps): Promise<Refusal> => {
  const { node, usdc } = deps
  const [isSpent, balance, allowance] = await Promise.all([
    isUsed(node, it),
    answered(node.readContract({ address: usdc, abi: tokenAbi, functionName: 'balanceOf', args: [it.from] })),
    readAllowance(it.from, deps),
  ])
  if (isSpent) return 'permit2_invalid_nonce'
  if (balance < it.value) return 'permit2_insufficient_balance'
  return allowance < it.value ? 'permit2_allowance_required' : 'invalid_permit2_signature'
}
