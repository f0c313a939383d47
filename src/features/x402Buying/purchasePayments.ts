import type { Hex } from '../../domain/hex.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { toBoughtText } from '../../domain/runTexts/payments.ts'
import { facilitatorIn, transferMethodOf } from '../../domain/x402/purchase.ts'
import { book, unbook } from '../../operations/ledger/bookings.ts'
import { everyRow } from '../../operations/ledger/rebuildChain.ts'
import type {
  AuthorizedTransfers,
  Chain,
  Follower,
  LedgerRow,
  Move,
  PermittedTransfers,
  Purchase,
  Store,
  Tables,
  UptoTransfers,
} from '../../ports.ts'
import { purchasesOf } from './ports.ts'

export type Transfers = AuthorizedTransfers | PermittedTransfers | UptoTransfers

/** A purchase that its user agreed to, so that its only authorization is known. */
export type Agreed = Purchase & { nonce: NonNullable<Purchase['nonce']>; validBefore: number }
export const isAgreed = (it: Purchase): it is Agreed => it.nonce !== undefined && it.validBefore !== undefined

export const transfersFor = (chain: Chain | undefined, purchase: Purchase): Transfers | undefined => {
  if (facilitatorIn(purchase)) return chain?.upto
  return transferMethodOf(purchase) === 'permit2' ? chain?.permitted : chain?.authorized
}

/**
 * The payment of a purchase: its transaction, and in the scheme `upto` what that took. `among`: how many such transfers the
 * transaction made, where none of them names its purchase.
 */
export type PaidBy = { hash: Hex; taken: Atomic | undefined; among?: number }

type Reach = { store: Store }

/**
 * The transaction that paid a purchase whose nonce is used. Undefined if none did, and `unclear` if the chain does not show it.
 * Another contract may have called the proxy of x402. The wallet signs only what is stored here, so a transfer of this
 * amount (`upto`: of at most this amount) to this payee that neither a posting nor another payment explains is then the payment.
 */
export const purchasePaidBy = async (
  { store }: Reach,
  { wallet: from, payTo: to, amount: value, nonce, hash, agreedAt = 0 }: Agreed,
  transfers: Transfers,
): Promise<PaidBy | 'unclear' | undefined> => {
  const terms = { from, to, value, nonce }
  const asked = { minedIn: hash, since: agreedAt, isUsed: true }
  const seen = 'takenOf' in transfers ? await transfers.takenOf(terms, asked) : await transfers.transferOf(terms, asked)
  if (seen === undefined) return undefined
  if (seen !== 'unclear') return typeof seen === 'string' ? { hash: seen, taken: undefined } : toPaidBy(seen, transfers)
  if (!('movesSince' in transfers)) return 'unclear'
  const moves = await transfers.movesSince(terms, agreedAt)
  const [oldest] = unbookedOf(moves, await store.ledger({ account: `wallet:${from}` })).toReversed()
  if (!oldest) return 'unclear'
  const among = moves.filter(it => it.hash === oldest.hash && it.amount === oldest.amount).length
  return { ...toPaidBy(oldest, transfers), among }
}

/** Whether other purchases took all transfers that may have paid this one. Inside the write, after the user's purchases are locked. */
export const isTakenByOthers = async (
  tables: Tables,
  { wallet, amount }: Purchase,
  { hash, taken, among }: PaidBy,
): Promise<boolean> => {
  if (among === undefined) return false
  const postings = await tables.ledger({ account: `wallet:${wallet}` })
  return postings.filter(it => it.txHash === hash && it.amount === -(taken ?? amount)).length >= among
}

const toPaidBy = ({ hash, amount }: Move, transfers: Transfers): PaidBy => ({
  hash,
  taken: 'takenOf' in transfers ? amount : undefined,
})

/** The transfers that no posting names. One transaction may have paid several purchases, so postings are counted. */
const unbookedOf = (moves: readonly Move[], postings: readonly LedgerRow[]): Move[] => {
  const left = new Map<string, number>()
  const toKey = (hash: Hex | undefined, amount: Atomic) => `${hash}:${amount}`
  for (const { txHash, amount } of postings)
    if (amount < 0n) left.set(toKey(txHash, -amount), (left.get(toKey(txHash, -amount)) ?? 0) + 1)
  return moves.filter(({ hash, amount }) => {
    const booked = left.get(toKey(hash, amount)) ?? 0
    left.set(toKey(hash, amount), booked - 1)
    return booked <= 0
  })
}

const toPlace = ({ id }: Purchase) => ({ rail: `x402:${id}`, step: 'purchase' as const })
const toSubject = ({ id: runId, chainId }: Purchase) => ({ id: undefined, runId, chainId })

type Paid = { purchase: Purchase; chain: Chain; hash: Hex }

/** Posts the payment of a purchase. A sale by an agent of this market is already in the ledger, posted by its settlement. */
export const bookPurchase = async (tables: Tables, { purchase, chain, hash }: Paid): Promise<void> => {
  const { id, wallet: payer, payTo, taken, chainId, asset, nonce } = purchase
  const amount = taken ?? purchase.amount
  const sale = nonce && (await tables.paidCallOfNonce?.({ chainId, asset, payer, nonce }))
  const legs: [string, bigint][] = [
    [`wallet:${payer}`, -amount],
    [`wallet:${payTo}`, amount],
  ]
  if (!sale) await book(tables, toSubject(purchase), { ...toPlace(purchase), txHash: hash, legs })
  const say = (of: Atomic) => formatUsdc(of, chain.usdcDecimals)
  const paid = say(amount)
  await tables.addRunEvent(id, {
    kind: 'payment.settled',
    summary: toBoughtText(paid, purchase, taken === undefined ? undefined : say(purchase.amount)),
    data: { amount: paid, currency: 'USDC', payee: payTo, transaction: hash, ...(taken !== undefined && { used: paid }) },
    key: `purchase:${id}`,
  })
}

/**
 * Compares an ended purchase with the chain. Where they differ, its posting is reversed and it is followed again, so that the
 * chain decides.
 */
const checkPurchase = async ({ store, chain }: Reach & { chain: Chain }, purchase: Purchase): Promise<void> => {
  const transfers = transfersFor(chain, purchase)
  if (!transfers || !isAgreed(purchase)) return
  const { wallet: from, nonce, validBefore } = purchase
  const state = await transfers.stateOf({ from, nonce, validBefore: BigInt(validBefore) })
  // A chain that lost the transfer of a paid purchase may still get it, by another transaction.
  if (state === 'open' && purchase.state !== 'paid') return
  const paidBy = state === 'used' ? await purchasePaidBy({ store }, purchase, transfers) : undefined
  if (paidBy === 'unclear') return
  const isRight = paidBy?.hash === purchase.hash && (paidBy !== undefined) === (purchase.state === 'paid')
  if (isRight && paidBy?.taken === purchase.taken) return
  await store.atomically(async tables => {
    const reopened = await purchasesOf(tables).reopenPurchase(purchase.id)
    if (reopened) await unbook(tables, toSubject(reopened), toPlace(reopened))
  })
}

/** Compares ended purchases with the chain. They are paid by the seller's transactions, which no intent names. */
export const followPurchases: Follower = {
  checkAll: at => everyRow(purchasesOf(at.store).endedPurchases, at.chain.chainId, it => checkPurchase(at, it)),
}
