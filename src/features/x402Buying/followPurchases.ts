import { everyRow } from '../../operations/ledger/everyRow.ts'
import type { Follower } from '../../ports.ts'
import { purchasesOf } from './ports.ts'
import { checkPurchase } from './purchasePayments.ts'

/** Compares ended purchases with the chain. They are paid by the seller's transactions, which no intent names. */
export const followPurchases: Follower = {
  checkAll: at => everyRow(purchasesOf(at.store).endedPurchases, at.chain.chainId, it => checkPurchase(at, it)),
}
