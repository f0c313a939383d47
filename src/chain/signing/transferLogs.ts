import { type Log, parseEventLogs, TransactionReceiptNotFoundError } from 'viem'
import { getAbiItem } from 'viem/utils'
import type { Address, Hex } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money/money.ts'
import type { Authorization } from '../../domain/x402/x402.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import { lower } from '../rpc/checksum.ts'
import { answeredOrNone, type Node } from '../rpc/node.ts'

type Moved = Pick<Authorization, 'from' | 'to' | 'value'>
type Signed = Moved & Pick<Authorization, 'nonce'>

const abi = [
  getAbiItem({ abi: testUsdcAbi, name: 'AuthorizationUsed' }),
  getAbiItem({ abi: testUsdcAbi, name: 'AuthorizationCanceled' }),
  getAbiItem({ abi: testUsdcAbi, name: 'Transfer' }),
] as const
/** The events of a token, in their order. Other contracts may emit events of the same names. */
const eventsOf = (logs: Log[], token: Address) => parseEventLogs({ abi, logs: logs.filter(it => lower(it.address) === token) })
type TokenEvent = ReturnType<typeof eventsOf>[number]

const isMove = (event: TokenEvent, { from, to, value }: Moved): boolean =>
  event.eventName === 'Transfer' && lower(event.args.from) === from && lower(event.args.to) === to && event.args.value === value

const isUseOf = (event: TokenEvent, { from, nonce }: Pick<Signed, 'from' | 'nonce'>): boolean =>
  event.eventName === 'AuthorizationUsed' &&
  lower(event.args.authorizer) === from &&
  event.args.nonce.toLowerCase() === nonce.toLowerCase()

/**
 * Whether a transaction moved this amount of a token from the payer to the payee by this authorization. A token emits
 * `AuthorizationUsed` before the transfer (reference implementation of EIP-3009), so the transfer stands between this event and
 * the next one. Each transfer counts for one authorization at most. If there is only one, the transfer may also stand before
 * it.
 */
export const hasAuthorizedTransfer = (logs: Log[], token: Address, it: Signed): boolean => {
  const events = eventsOf(logs, token)
  const uses = events.filter(of => of.eventName !== 'Transfer')
  const used = uses.findIndex(of => isUseOf(of, it))
  if (used < 0) return false
  const [first, next] = [uses[used], uses[used + 1]]
  const from = uses.length === 1 || !first ? 0 : events.indexOf(first)
  return events.slice(from, next && events.indexOf(next)).some(of => isMove(of, it))
}

/** Whether a transaction moved this amount of a token, by whatever call. */
export const hasTransfer = (logs: Log[], token: Address, moved: Moved): boolean =>
  eventsOf(logs, token).some(it => isMove(it, moved))

/**
 * The amounts of a token that a transaction moved from a payer to a payee, by whatever call. `isUnauthorized`: without those
 * that directly follow the use of an authorization of the payer.
 */
export const amountsMoved = (
  logs: Log[],
  token: Address,
  { from, to, isUnauthorized = false }: Pick<Authorization, 'from' | 'to'> & { isUnauthorized?: boolean },
): Atomic[] =>
  eventsOf(logs, token).flatMap((it, at, events) => {
    const before = events[at - 1]
    const isAuthorized = before?.eventName === 'AuthorizationUsed' && lower(before.args.authorizer) === from
    const isIt = it.eventName === 'Transfer' && isMove(it, { from, to, value: it.args.value })
    return isIt && !(isUnauthorized && isAuthorized) ? [it.args.value] : []
  })

/** The logs of a mined transaction; none of a failed one. Undefined if the node knows no receipt. */
export const logsOf = async (node: Node, hash: Hex): Promise<Log[] | undefined> =>
  (await answeredOrNone(node.getTransactionReceipt({ hash }), TransactionReceiptNotFoundError))?.logs
