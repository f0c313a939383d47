import { decodeFunctionData, encodeFunctionData, parseAbi } from 'viem'
import { type Address, type Hex, toWallet } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money/money.ts'
import type { Authorization } from '../../domain/x402/x402.ts'
import type { Call, UptoTransfers } from '../../ports.ts'
import { lower } from '../rpc/checksum.ts'
import { answered } from '../rpc/node.ts'
import { createPermits, isPermitUsed, movesOf, type PermitDeps, permitRefusal, permitStructs, toPermit } from './permits.ts'
import { amountsMoved, logsOf } from './transferLogs.ts'

/** The proxy of x402 for the scheme `upto`. It has the same address on every chain (@x402/evm). */
export const uptoProxy = lower('0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002')

/** The part of the proxy that is used here. It takes calls only of the facilitator that the payer named. */
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
  const takenOf: UptoTransfers['takenOf'] = async (it, { minedIn, since, isUsed: isKnown = false } = {}) => {
    const mined = minedIn && (await takenIn(minedIn, it, deps))
    if (mined?.isDirect) return mined.taken
    if (!isKnown && !(await isPermitUsed(node, it))) return undefined
    const passedOn: Taken[] = []
    for await (const { hash } of movesOf(it, deps, since)) {
      const found = await takenIn(hash, it, deps)
      if (found?.isDirect) return found.taken
      if (found) passedOn.push(found.taken)
    }
    const [only, ...others] = passedOn
    return only && others.length === 0 ? only : 'unclear'
  }
  return {
    ...createPermits(deps),
    spender: uptoProxy,
    facilitator,
    transfer,
    take: ({ data }, amount) => toCall(encodeTaking(data, amount)),
    refusal: it => permitRefusal(it, toCall(encodeTaking(transfer(it).data, it.value)), deps),
    takenOf,

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

type Asked = Parameters<UptoTransfers['takenOf']>[0]
type Taken = { hash: Hex; amount: Atomic }

/**
 * What a transaction took of a payment: its one transfer of the token from the payer to the payee, of at most the signed amount.
 * Permit2 emits no event with the nonce, so the call must name it. `isDirect`: it is a call of the proxy. Otherwise another
 * contract was called, with the nonce in its input. A payee could put a nonce into any input, so a direct call is preferred.
 */
const takenIn = async (
  hash: Hex,
  it: Asked,
  { node, usdc }: PermitDeps,
): Promise<{ taken: Taken; isDirect: boolean } | undefined> => {
  const [amount, ...others] = amountsMoved((await logsOf(node, hash)) ?? [], usdc, it)
  if (amount === undefined || others.length > 0 || amount > it.value) return undefined
  const { to, input } = await answered(node.getTransaction({ hash }))
  const taken = { hash, amount }
  if (to !== null && lower(to) === uptoProxy) return isSettlementOf(input, it) ? { taken, isDirect: true } : undefined
  return input.toLowerCase().includes(it.nonce.slice(2).toLowerCase()) ? { taken, isDirect: false } : undefined
}

const isSettlementOf = (input: Hex, { from, nonce }: Asked): boolean => {
  const called = decodeSettlement(input)
  return called !== undefined && called.nonce === BigInt(nonce) && toWallet(called.owner) === from
}

const decodeSettlement = (data: Hex): { owner: Address; nonce: bigint } | undefined => {
  try {
    const { functionName, args } = decodeFunctionData({ abi: uptoProxyAbi, data })
    if (functionName === 'settle') return { owner: args[2], nonce: args[0].nonce }
    return functionName === 'settleWithPermit' ? { owner: args[3], nonce: args[1].nonce } : undefined
  } catch {
    return undefined // another function of the proxy
  }
}
