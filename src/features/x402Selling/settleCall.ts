import { usedUnitsOf } from '../../domain/jobs/usedUnits.ts'
import { chargeOf } from '../../domain/offerings/usagePrice.ts'
import { Problem } from '../../domain/problem.ts'
import { nothingUsed, settlementRefused } from '../../domain/runTexts/payments.ts'
import type { SettlingReach } from '../../operations/deps.ts'
import { reportTransaction } from '../../operations/ledger/bookings.ts'
import { everyRow } from '../../operations/ledger/rebuildChain.ts'
import { chainOf } from '../../operations/operation.ts'
import type { Chain, Consequence, Follower, Intent, Job, Receipt, Store, Tables } from '../../ports.ts'
import { everyPage } from '../../workers/everyPage.ts'
import { checkPaidCall, paymentOf, recordPaid, recordUnpaid, toSigned, transfersOf } from './callPayments.ts'
import { type FollowedPaidCall, type PaidCall, paidCallsOf } from './ports.ts'

const toKey = (id: string) => `x402:${id}`

/**
 * Adds the intent that settles the payment of a paid call, unless a facilitator is asked first.
 * @throws RangeError when a job with a price has neither an escrow nor a payment
 */
export const addSettlement = async ({ store, chains }: SettlingReach, job: Job): Promise<void> => {
  const call = await paidCallsOf(store).paidCallOfJob(job.id)
  if (!call) throw new RangeError(`job ${job.id} has a price and neither an escrow nor a payment`)
  if (job.terms.usage) return takeUsed({ store, chain: chainOf({ chains }, call.chainId) }, job, call)
  if (!(await paidCallsOf(store).deferSettlement(call.id))) await addOwn(store, call)
}

/**
 * Takes what was used of a payment in the scheme `upto`. Where nothing was used, the payment expires without a transaction.
 * @throws Problem chain-unavailable where the proxy of x402 is not served any more
 */
const takeUsed = async ({ store, chain }: { store: Tables; chain: Chain }, job: Job, call: PaidCall): Promise<void> => {
  const { usage } = job.terms
  const units = usedUnitsOf(job)?.charged ?? 0
  if (!chain.upto || !usage) throw new Problem('chain-unavailable', 'Payments by use are not served on this chain now.')
  const { amount: cap, settlement } = call
  const taken = chargeOf({ perUnit: usage.perUnit, units, cap, decimals: chain.usdcDecimals })
  await paidCallsOf(store).takePaidCall(call.id, taken)
  if (taken > 0n) return void (await addOwn(store, { ...call, settlement: chain.upto.take(settlement, taken) }))
  await store.moveJob(job.id, 'confirm')
  await store.addRunEvent(call.runId, {
    kind: 'payment.settled',
    summary: nothingUsed,
    data: { job_id: job.id, amount: '0', currency: 'USDC', payee: call.payTo },
    key: `payout:${job.id}:none`,
  })
}

/** Adds the intent of a settlement that this service sends by itself. */
export const addOwn = async (tables: Tables, { id, chainId, sender, settlement }: PaidCall): Promise<string> => {
  const key = toKey(id)
  await tables.addIntents([{ key, chainId, sender, call: settlement, after: undefined }])
  return key
}

type Reach = { store: Store; chain: Chain }

/**
 * Returns the consequences of a settlement that was mined, or abandoned without a transaction. Only the transfer itself counts,
 * as the chain shows it. Someone else may have sent it first. Ours then fails, but the agent was paid, so the call is settled.
 * @returns undefined when the intent settles no paid call
 * @throws Problem chain-unavailable when the transaction succeeded and the node shows no transfer in it
 */
export const settlementOf = async (
  { store, chain }: Reach,
  { key }: Intent,
  mined?: Receipt,
): Promise<Consequence | undefined> => {
  const call = await callOf(store, key)
  if (!call) return undefined
  const minedIn = mined?.success ? mined.hash : undefined
  const paidBy = await paymentOf(chain, call, { minedIn, since: call.createdAt })
  const hash = paidBy === 'unclear' ? undefined : paidBy
  // One of the two answers of the node is wrong or from an older block, so it is asked again.
  if (minedIn && !hash) throw new Problem('chain-unavailable', `The chain shows no transfer in ${minedIn}.`)
  return async tables => {
    if (mined) await reportSettlement(tables, call, mined)
    return hash ? recordPaid(tables, { chain, call, hash }) : recordUnpaid(tables, call, settlementRefused)
  }
}

/**
 * Whether someone else sent the transfer of this settlement in a block without enough confirmations. A reorganisation may still
 * remove it, and the service then sends its own.
 */
const isTransferUnconfirmed = async ({ store, chain }: Reach, { key }: Intent): Promise<boolean> => {
  const call = await callOf(store, key)
  const transfers = call && transfersOf(chain, call)
  if (!transfers || (await paymentOf(chain, call, { since: call.createdAt })) === undefined) return false
  return (await transfers.stateOf(toSigned(call))) === 'open'
}

const callOf = async (store: Store, key: string): Promise<FollowedPaidCall | undefined> => {
  const [subject, id = ''] = key.split(':')
  return subject === 'x402' ? paidCallsOf(store).paidCall(id) : undefined
}

const reportSettlement = async (tables: Tables, { jobId }: FollowedPaidCall, { hash, blockNumber, success }: Receipt) => {
  const job = await tables.job(jobId)
  if (job) await reportTransaction(tables, job, { step: 'settle', hash, blockNumber, success })
}

/** Follows the settlements of paid calls. They follow from their transactions, which are not among the events of the escrow. */
export const followCalls: Follower = {
  consequenceOf: settlementOf,
  isUnconfirmed: isTransferUnconfirmed,
  checkAll: at => everyRow(paidCallsOf(at.store).decidedCalls, at.chain.chainId, call => checkPaidCall(at, call)),
  /** Somebody may send the transfer of a failed call later. */
  checkOpen: at => everyPage(paidCallsOf(at.store).unpaidCalls, at.chain.chainId, call => checkPaidCall(at, call)),
}
