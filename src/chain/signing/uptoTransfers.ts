import { decodeFunctionData, encodeFunctionData, parseAbi } from 'viem'
import type { Address, Hex } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money/money.ts'
import type { Authorization } from '../../domain/x402/x402.ts'
import type { Call, Move, UptoTransfers } from '../../ports.ts'
import { lower } from '../rpc/checksum.ts'
import { answered } from '../rpc/node.ts'
import {
  createPermits,
  isPermitUsed,
  movesOf,
  type PermitDeps,
  permitRefusal,
  permitStructs,
  toPermit,
  unnamedMoves,
} from './permits.ts'
import { uptoProxy } from './proxies.ts'
import { amountsMoved, logsOf } from './transferLogs.ts'

export const uptoProxyAbi = parseAbi([
  ...permitStructs,
  'struct Witness { address to; address facilitator; uint256 validAfter; }',
  'function PERMIT2() view returns (address)',
  'function WITNESS_TYPEHASH() view returns (bytes32)',
  'function settle(PermitTransferFrom permit, uint256 amount, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(TokenPermit, PermitTransferFrom permit, uint256 amount, address owner, Witness, bytes signature)',
])

/** Creates payments of which at most the signed amount is taken. The treasury settles those of what is sold here. */
export const createUptoTransfers = (deps: PermitDeps): UptoTransfers => {
  const { node, usdc, sender: facilitator, policy } = deps
  const toCall = (data: Hex): Call => ({ to: uptoProxy, data, value: 0n, gas: policy.gas.uptoTransfer })
  const transfer = (it: Authorization): Call =>
    toCall(
      encodeFunctionData({
        abi: uptoProxyAbi,
        functionName: 'settle',
        args: [toPermit(it, usdc), 0n, it.from, { to: it.to, facilitator, validAfter: it.validAfter }, it.signature],
      }),
    )
  // Permit2 emits no event with the nonce. Only a call of the proxy itself proves which payment a transfer belongs to: a payee can
  // put a nonce into the input of any other contract.
  const takenOf: UptoTransfers['takenOf'] = async (it, { minedIn, since, isUsed: isKnown = false } = {}) => {
    const mined = minedIn && (await takenIn(minedIn, it, deps))
    if (mined) return mined
    if (!isKnown && !(await isPermitUsed(node, it))) return undefined
    const seen = new Set<Hex>()
    for await (const { hash, amount } of movesOf(it, deps, since)) {
      if (seen.size >= mostExamined) break
      if (amount > it.value || seen.has(hash)) continue
      seen.add(hash)
      const found = await takenIn(hash, it, deps)
      if (found) return found
    }
    return 'unclear'
  }
  return {
    ...createPermits(deps),
    spender: uptoProxy,
    facilitator,
    transfer,
    take: ({ data }, amount) => toCall(encodeTaking(data, amount)),
    refusal: it => permitRefusal(it, toCall(encodeTaking(transfer(it).data, it.value)), deps),
    takenOf,

    async movesSince(it, since) {
      const moves = await unnamedMoves(it, deps, since)
      return moves.filter(({ amount }) => amount <= it.value)
    },

    async transferOf(it, of) {
      const taken = await takenOf(it, of)
      if (taken === undefined || taken === 'unclear') return taken
      return taken.amount === it.value ? taken.hash : undefined
    },
  }
}

/** The same settlement with another amount. @throws RangeError above the signed amount */
const encodeTaking = (settlement: Hex, amount: Atomic): Hex => {
  const { functionName, args } = decodeFunctionData({ abi: uptoProxyAbi, data: settlement })
  if (functionName !== 'settle') throw new RangeError('this is no settlement')
  const [permit, , owner, witness, signature] = args
  if (amount > permit.permitted.amount) throw new RangeError('a settlement above the signed amount')
  return encodeFunctionData({ abi: uptoProxyAbi, functionName, args: [permit, amount, owner, witness, signature] })
}

/** Transactions with a transfer from the payer to the payee that are read to find the one of a payment. */
const mostExamined = 50

type Asked = Parameters<UptoTransfers['takenOf']>[0]

/**
 * What a transaction took of a payment. It is a call of the proxy that names nonce, owner, token, payee and amount, and its only
 * transfer from the payer to the payee is one of that amount. Undefined for every other transaction.
 */
const takenIn = async (hash: Hex, it: Asked, { node, usdc }: PermitDeps): Promise<Move | undefined> => {
  const [amount, ...others] = amountsMoved((await logsOf(node, hash)) ?? [], usdc, it)
  if (amount === undefined || others.length > 0 || amount > it.value) return undefined
  const { to, input } = await answered(node.getTransaction({ hash }))
  const called = to !== null && lower(to) === uptoProxy ? decodeSettlement(input) : undefined
  if (!called || called.nonce !== BigInt(it.nonce) || called.amount !== amount) return undefined
  const isOfPayment = lower(called.token) === usdc && lower(called.owner) === it.from && lower(called.to) === it.to
  return isOfPayment ? { hash, amount } : undefined
}

type Settlement = { owner: Address; to: Address; token: Address; nonce: bigint; amount: bigint }

const decodeSettlement = (data: Hex): Settlement | undefined => {
  try {
    const { functionName, args } = decodeFunctionData({ abi: uptoProxyAbi, data })
    if (functionName === 'settle') {
      const [{ permitted, nonce }, amount, owner, { to }] = args
      return { owner, to, token: permitted.token, nonce, amount }
    }
    if (functionName !== 'settleWithPermit') return undefined
    const [, { permitted, nonce }, amount, owner, { to }] = args
    return { owner, to, token: permitted.token, nonce, amount }
  } catch {
    return undefined // another function of the proxy
  }
}
