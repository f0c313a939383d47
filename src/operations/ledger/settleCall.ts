import type { Hex } from '../../domain/hex.ts'
import { isPaidCall } from '../../domain/job.ts'
import { formatUsdc } from '../../domain/money.ts'
import { settlementRefused, toSettledText } from '../../domain/runTexts/payments.ts'
import type { Chain, FollowedPaidCall, Intent, Job, Receipt, Store, Tables } from '../../ports.ts'
import { book, unbook } from './bookings.ts'
import { reportTransaction } from './reportTransaction.ts'
import { toSigned, transfersOf } from './transferByOthers.ts'

const toKey = (id: string) => `x402:${id}`

/**
 * Adds the intent that settles the payment of a paid call.
 * @returns false when the job is not a paid call
 * @throws RangeError when a job with a price has neither an escrow nor a payment
 */
export const addSettlement = async (tables: Tables, job: Job): Promise<boolean> => {
  if (!isPaidCall(job)) return false
  const call = await tables.paidCallOfJob(job.id)
  if (!call) throw new RangeError(`job ${job.id} has a price and neither an escrow nor a payment`)
  const { id, chainId, sender, settlement } = call
  await tables.addIntents([{ key: toKey(id), chainId, sender, call: settlement, after: undefined }])
  return true
}

type Reach = { store: Store; chain: Chain }
type Consequence = (tables: Tables) => Promise<unknown>

/**
 * Returns the consequences of a settlement that was mined, or abandoned without a transaction. Someone else may have sent the
 * same transfer first. Ours then fails, but the agent was paid, so the call counts as settled.
 * @returns undefined when the intent settles no paid call
 */
export const settlementOf = async (
  { store, chain }: Reach,
  { key }: Intent,
  mined?: Receipt,
): Promise<Consequence | undefined> => {
  const call = await callOf(store, key)
  if (!call) return undefined
  const paidBy = mined?.success ? mined.hash : await transfersOf(chain, call)?.transferOf(toSigned(call))
  return async tables => {
    if (mined) await reportSettlement(tables, call, mined)
    return paidBy ? confirm(tables, chain, { call, hash: paidBy }) : fail(tables, call)
  }
}

/**
 * Whether someone else sent the transfer of this settlement in a block without enough confirmations. A reorganisation may still
 * remove it, and the service then sends its own.
 */
export const isTransferUnconfirmed = async ({ store, chain }: Reach, { key }: Intent): Promise<boolean> => {
  const call = await callOf(store, key)
  const transfers = call && transfersOf(chain, call)
  if (!transfers || (await transfers.transferOf(toSigned(call))) === undefined) return false
  return (await transfers.stateOf(toSigned(call))) === 'open'
}

const callOf = async (store: Store, key: string): Promise<FollowedPaidCall | undefined> => {
  const [subject, id = ''] = key.split(':')
  return subject === 'x402' ? store.paidCall(id) : undefined
}

const reportSettlement = async (tables: Tables, { jobId }: FollowedPaidCall, { hash, blockNumber, success }: Receipt) => {
  const job = await tables.job(jobId)
  if (job) await reportTransaction(tables, job, { step: 'settle', hash, blockNumber, success })
}

const confirm = async (tables: Tables, chain: Chain, { call, hash }: { call: FollowedPaidCall; hash: Hex }) => {
  const job = await tables.moveJob(call.jobId, 'confirm')
  // The call is already settled: its transaction was mined again after a reorganisation.
  if (!job) return
  await book(tables, job, {
    rail: `x402:${call.id}`,
    step: 'payout',
    txHash: hash,
    legs: [
      [`wallet:${call.payer}`, -call.amount],
      [`wallet:${call.payTo}`, call.amount],
    ],
  })
  const amount = formatUsdc(call.amount, chain.usdcDecimals)
  await tables.addRunEvent(call.runId, {
    kind: 'payment.settled',
    summary: toSettledText(amount, call.payTo),
    data: { job_id: job.id, amount, currency: 'USDC', payee: call.payTo, transaction: hash },
    key: `payout:${job.id}`,
  })
}

const fail = async (tables: Tables, call: FollowedPaidCall) => {
  const settled = await tables.moveJob(call.jobId, 'unpay')
  if (settled) await unbook(tables, settled, { rail: `x402:${call.id}`, step: 'payout' })
  await tables.moveJob(call.jobId, 'refund', { reason: settlementRefused })
}
