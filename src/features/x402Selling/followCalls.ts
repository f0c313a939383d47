import { everyRow } from '../../operations/ledger/everyRow.ts'
import type { Follower } from '../../ports.ts'
import { everyPage } from '../../workers/everyPage.ts'
import { checkPaidCall } from './callPayments.ts'
import { paidCallsOf } from './ports.ts'
import { isTransferUnconfirmed, settlementOf } from './settleCall.ts'

/** Follows the settlements of paid calls. They follow from their transactions, which are not among the events of the escrow. */
export const followCalls: Follower = {
  consequenceOf: settlementOf,
  isUnconfirmed: isTransferUnconfirmed,
  checkAll: at => everyRow(paidCallsOf(at.store).decidedCalls, at.chain.chainId, call => checkPaidCall(at, call)),
  /** Somebody may send the transfer of a failed call later. */
  checkOpen: at => everyPage(paidCallsOf(at.store).unpaidCalls, at.chain.chainId, call => checkPaidCall(at, call)),
}
