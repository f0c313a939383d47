import { decodeFunctionData, encodeFunctionData, parseAbi } from 'viem'
import { type Address, type Hex, toWallet } from '../../domain/hex.ts'
import type { Authorization } from '../../domain/x402/x402.ts'
import type { Call, PermittedTransfers } from '../../ports.ts'
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
import { permitProxy } from './proxies.ts'
import { hasTransfer, logsOf } from './transferLogs.ts'

export const permitProxyAbi = parseAbi([
  ...permitStructs,
  'struct Witness { address to; uint256 validAfter; }',
  'function PERMIT2() view returns (address)',
  'function WITNESS_TYPEHASH() view returns (bytes32)',
  'function settle(PermitTransferFrom permit, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(TokenPermit permit2612, PermitTransferFrom permit, address owner, Witness witness, bytes signature)',
])

/** Creates transfers that payers have signed for Permit2. The treasury sends them through the proxy of x402. */
export const createPermittedTransfers = (deps: PermitDeps): PermittedTransfers => {
  const { node, usdc, policy } = deps
  const transfer = (it: Authorization): Call => ({
    to: permitProxy,
    data: encodeSettlement(it, usdc),
    value: 0n,
    gas: policy.gas.permittedTransfer,
  })
  return {
    ...createPermits(deps),
    spender: permitProxy,
    transfer,
    refusal: it => permitRefusal(it, transfer(it), deps),

    // Permit2 emits no event with the nonce. Only a call of the proxy with this nonce proves that a transfer is this one.
    async transferOf(it, { minedIn, since, isUsed: isKnown = false } = {}) {
      if (minedIn && (await isSettledBy(minedIn, it, deps))) return minedIn
      if (!isKnown && !(await isPermitUsed(node, it))) return undefined
      for await (const { hash, amount } of movesOf(it, deps, since))
        if (amount === it.value && (await isSettledBy(hash, it, deps))) return hash
      return 'unclear'
    },

    async movesSince(it, since) {
      const moves = await unnamedMoves(it, deps, since)
      return moves.filter(({ amount }) => amount === it.value)
    },
  }
}

const encodeSettlement = (it: Authorization, token: Address): Hex =>
  encodeFunctionData({
    abi: permitProxyAbi,
    functionName: 'settle',
    args: [toPermit(it, token), it.from, { to: it.to, validAfter: it.validAfter }, it.signature],
  })

type Signed = Pick<Authorization, 'from' | 'nonce'>
type Moved = Pick<Authorization, 'from' | 'to' | 'value'>

/** Whether a transaction called the proxy with this nonce, and moved this amount of the token from the payer to the payee. */
const isSettledBy = async (hash: Hex, it: Moved & Signed, { node, usdc }: PermitDeps): Promise<boolean> => {
  const logs = await logsOf(node, hash)
  if (!logs || !hasTransfer(logs, usdc, it)) return false
  const { to, input } = await answered(node.getTransaction({ hash }))
  return to !== null && lower(to) === permitProxy && isSettlementOf(input, it)
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
