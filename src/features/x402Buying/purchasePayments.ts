import type { Hex } from '../../domain/hex.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { toBoughtText } from '../../domain/runTexts/payments.ts'
import { transferMethodOf } from '../../domain/x402/purchase.ts'
import { book, unbook } from '../../operations/ledger/bookings.ts'
import type { AuthorizedTransfers, Chain, PermittedTransfers, Purchase, Store, Tables } from '../../ports.ts'
import { purchasesOf } from './ports.ts'

export type Transfers = AuthorizedTransfers | PermittedTransfers

/** A purchase that its user agreed to, so that its only authorization is known. */
export type Agreed = Purchase & { nonce: NonNullable<Purchase['nonce']>; validBefore: number }
export const isAgreed = (it: Purchase): it is Agreed => it.nonce !== undefined && it.validBefore !== undefined

export const transfersFor = (chain: Chain | undefined, purchase: Purchase): Transfers | undefined =>
  transferMethodOf(purchase) === 'permit2' ? chain?.permitted : chain?.authorized

type Reach = { store: Store }

/**
 * The transaction that paid a purchase whose nonce is used. Undefined if none did, and `unclear` if the chain does not show it.
 * Another contract may have called the proxy of x402. The wallet signs only what is stored here, so a transfer of this
 * amount to this payee that no posting names is then the payment.
 */
export const purchasePaidBy = async (
  { store }: Reach,
  { wallet: from, payTo: to, amount: value, nonce, hash, agreedAt = 0 }: Agreed,
  transfers: Transfers,
): Promise<Hex | 'unclear' | undefined> => {
  const terms = { from, to, value, nonce }
  const seen = await transfers.transferOf(terms, { minedIn: hash, since: agreedAt, isUsed: true })
  if (seen !== 'unclear' || !('spender' in transfers)) return seen
  const moves = await transfers.movesSince(terms, agreedAt)
  const booked = new Set((await store.ledger({ account: `wallet:${from}` })).map(it => it.txHash))
  return moves.find(it => !booked.has(it)) ?? 'unclear'
}

const toPlace = ({ id }: Purchase) => ({ rail: `x402:${id}`, step: 'purchase' as const })
const toSubject = ({ id: runId, chainId }: Purchase) => ({ id: undefined, runId, chainId })

type Paid = { purchase: Purchase; chain: Chain; hash: Hex }

/** Posts the payment of a purchase. A sale by an agent of this market is already in the ledger, posted by its settlement. */
export const bookPurchase = async (tables: Tables, { purchase, chain, hash }: Paid): Promise<void> => {
  const { id, wallet: payer, payTo, amount, chainId, asset, nonce } = purchase
  const sale = nonce && (await tables.paidCallOfNonce?.({ chainId, asset, payer, nonce }))
  const legs: [string, bigint][] = [
    [`wallet:${payer}`, -amount],
    [`wallet:${payTo}`, amount],
  ]
  if (!sale) await book(tables, toSubject(purchase), { ...toPlace(purchase), txHash: hash, legs })
  const paid = formatUsdc(amount, chain.usdcDecimals)
  await tables.addRunEvent(id, {
    kind: 'payment.settled',
    summary: toBoughtText(paid, purchase),
    data: { amount: paid, currency: 'USDC', payee: payTo, transaction: hash },
    key: `purchase:${id}`,
  })
}

/**
 * Compares an ended purchase with the chain. Where they differ, its posting is reversed and it is followed again, so that the
 * chain decides.
 */
export const checkPurchase = async ({ store, chain }: Reach & { chain: Chain }, purchase: Purchase): Promise<void> => {
  const transfers = transfersFor(chain, purchase)
  if (!transfers || !isAgreed(purchase)) return
  const { wallet: from, nonce, validBefore } = purchase
  const state = await transfers.stateOf({ from, nonce, validBefore: BigInt(validBefore) })
  // A chain that lost the transfer of a paid purchase may still get it, by another transaction.
  if (state === 'open' && purchase.state !== 'paid') return
  const paidBy = state === 'used' ? await purchasePaidBy({ store }, purchase, transfers) : undefined
  const isRight = paidBy === purchase.hash && (paidBy !== undefined) === (purchase.state === 'paid')
  if (paidBy === 'unclear' || isRight) return
  await store.atomically(async tables => {
    const reopened = await purchasesOf(tables).reopenPurchase(purchase.id)
    if (reopened) await unbook(tables, toSubject(reopened), toPlace(reopened))
  })
}
