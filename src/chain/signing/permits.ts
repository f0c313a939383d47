import { encodeFunctionData, parseAbi, parseAbiItem } from 'viem'
import type { Address, Hex } from '../../domain/hex.ts'
import { type Authorization, permit2Address } from '../../domain/x402/x402.ts'
import type { Refusal } from '../../domain/x402/x402Refusal.ts'
import type { Call, Move, PermittedTransfers } from '../../ports.ts'
import { rangesBack } from '../rpc/blockRanges.ts'
import { lower } from '../rpc/checksum.ts'
import { answered, type Node } from '../rpc/node.ts'
import { finalBlock, succeeds } from './authorizedTransfers.ts'
import type { ChainPolicy } from './policy.ts'
import { permitProxy, uptoProxy } from './proxies.ts'
import { amountsMoved, logsOf } from './transferLogs.ts'

// What payments by Permit2 have in common, through whichever proxy of x402 they are settled.

const bitmapAbi = parseAbi(['function nonceBitmap(address owner, uint256 word) view returns (uint256)'])
const tokenAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
])
const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** The structs of Permit2 that both proxies take. */
export const permitStructs = [
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct TokenPermit { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }',
] as const

export type PermitDeps = Pick<PermittedTransfers, 'signPurchase'> & {
  node: Node
  usdc: Address
  sender: Address
  policy: Pick<ChainPolicy, 'gas' | 'blockTimeMs' | 'confirmations'>
}

type Token = Pick<PermitDeps, 'node' | 'usdc'>
type Moved = Pick<Authorization, 'from' | 'to'>

/** The members of both ways to pay by Permit2 that do not depend on the proxy. */
export const createPermits = (
  deps: PermitDeps,
): Pick<PermittedTransfers, 'signPurchase' | 'approve' | 'allowance' | 'stateOf'> => ({
  signPurchase: deps.signPurchase,
  approve: amount => ({
    to: deps.usdc,
    data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [permit2Address, amount] }),
    value: 0n,
    gas: deps.policy.gas.approve,
  }),
  allowance: of => readAllowance(of, deps),

  async stateOf(it) {
    // Reads the time before the state, so that a transfer in between counts as used.
    const { blockNumber, seconds } = await finalBlock(deps.node, deps.policy)
    if (await isPermitUsed(deps.node, it, blockNumber)) return 'used'
    return seconds > it.validBefore ? 'expired' : 'open'
  },
})

/**
 * Returns why a settlement would be refused now; undefined if it would be accepted. Permit2 and the token decide; the reads after
 * that only find the reason.
 */
export const permitRefusal = async (
  it: Authorization,
  { data, gas, to }: Call,
  deps: PermitDeps,
): Promise<Refusal | undefined> => {
  const { node, sender } = deps
  const isAccepted = await succeeds(node.call({ account: sender, to, data, gas, blockTag: 'pending' }))
  return isAccepted ? undefined : reasonOf(it, deps)
}

/**
 * The transfers of a token from the payer to the payee, newest first, without those of nothing, which anyone may send.
 * @param since epoch ms; earlier ones may be among them
 */
export async function* movesOf({ from, to }: Moved, { node, usdc }: Token, since: number | undefined) {
  for await (const range of rangesBack(node, since)) {
    const logs = await answered(node.getLogs({ address: usdc, event: transferEvent, args: { from, to }, ...range }))
    // A node may ignore the filter.
    const moves = logs.filter(it => lower(it.args.from ?? '0x') === from && lower(it.args.to ?? '0x') === to)
    for (const { transactionHash: hash, args } of moves.toReversed()) {
      const amount = args.value ?? 0n
      if (amount > 0n) yield { hash, amount }
    }
  }
}

/**
 * The same moves without those of other payments. A call of a proxy and an authorization of the token name their own payment.
 * A transfer that the payer sends itself is no payment.
 */
export const unnamedMoves = async (it: Moved, deps: Token, since: number): Promise<Move[]> => {
  const { node, usdc } = deps
  const moves: Move[] = []
  const seen = new Set<Hex>()
  for await (const { hash } of movesOf(it, deps, since)) {
    if (seen.has(hash)) continue
    seen.add(hash)
    const { from, to } = await answered(node.getTransaction({ hash }))
    if (lower(from) === it.from || isProxy(to)) continue
    const amounts = amountsMoved((await logsOf(node, hash)) ?? [], usdc, { ...it, isUnauthorized: true })
    moves.push(...amounts.flatMap(amount => (amount > 0n ? [{ hash, amount }] : [])).toReversed())
  }
  return moves
}

const isProxy = (to: Hex | null): boolean => to !== null && [permitProxy, uptoProxy].includes(lower(to))

/** Permit2 keeps one bit for each nonce, in words of 256 bits. */
export const isPermitUsed = async (
  node: Node,
  { from, nonce }: Pick<Authorization, 'from' | 'nonce'>,
  blockNumber?: bigint,
): Promise<boolean> => {
  const [word, bit] = [BigInt(nonce) >> 8n, BigInt(nonce) & 255n]
  const asked = { address: permit2Address, abi: bitmapAbi, functionName: 'nonceBitmap', args: [from, word] } as const
  const bits = await answered(node.readContract({ ...asked, ...(blockNumber !== undefined && { blockNumber }) }))
  return ((bits >> bit) & 1n) === 1n
}

const readAllowance = (owner: Address, { node, usdc }: Token): Promise<bigint> =>
  answered(node.readContract({ address: usdc, abi: tokenAbi, functionName: 'allowance', args: [owner, permit2Address] }))

const reasonOf = async (it: Authorization, deps: PermitDeps): Promise<Refusal> => {
  const { node, usdc } = deps
  const [isSpent, balance, allowance] = await Promise.all([
    isPermitUsed(node, it),
    answered(node.readContract({ address: usdc, abi: tokenAbi, functionName: 'balanceOf', args: [it.from] })),
    readAllowance(it.from, deps),
  ])
  if (isSpent) return 'permit2_invalid_nonce'
  if (balance < it.value) return 'permit2_insufficient_balance'
  return allowance < it.value ? 'permit2_allowance_required' : 'invalid_permit2_signature'
}

/** The token, nonce and deadline of a payment, as both proxies take them. */
export const toPermit = ({ value, nonce, validBefore }: Authorization, token: Address) => ({
  permitted: { token, amount: value },
  nonce: BigInt(nonce),
  deadline: validBefore,
})
