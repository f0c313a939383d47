import type { Hex } from '../../domain/hex.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { paymentMissing, toSettledText } from '../../domain/runTexts/payments.ts'
import { book, unbook } from '../../operations/ledger/bookings.ts'
import type { Deps } from '../../operations/operation.ts'
import type { AuthorizedTransfers, Chain, Job, Store, Tables } from '../../ports.ts'
import { costOf, type FollowedPaidCall, type PaidCall, paidCallsOf } from './ports.ts'
import type { Transfers } from './sale.ts'

/** The signed transfers by which a paid call is settled. A settlement through a proxy of x402 is signed for Permit2. */
export const transfersOf = (chain: Chain | undefined, { settlement }: Pick<PaidCall, 'settlement'>): Transfers | undefined => {
  const byPermit = [chain?.permitted, chain?.upto].find(it => it?.spender === settlement.to)
  return byPermit ?? chain?.authorized
}

export const toSigned = ({ payer, payTo, nonce, validUntil, ...of }: PaidCall) => ({
  ...{ from: payer, to: payTo, value: costOf(of), nonce, validBefore: BigInt(validUntil) / 1_000n },
})

/** The transaction that paid a call, as the chain shows it. See `transferOf` of the port. */
export const paymentOf = async (
  chain: Chain | undefined,
  call: PaidCall,
  of: Parameters<AuthorizedTransfers['transferOf']>[1] = {},
): Promise<Hex | 'unclear' | undefined> => transfersOf(chain, call)?.transferOf(toSigned(call), of)

/**
 * The transfer of a failed call that somebody else sent to the chain: the payer signed it, so anyone may send it until it
 * expires. This service cannot return the money. Undefined when the agent did not get the money by it. `transaction` is null when
 * the nonce is used, and the chain does not show for what.
 */
export const transferByOthers = async (
  { chains }: Pick<Deps, 'chains'>,
  call: PaidCall,
): Promise<{ transaction: Hex | null } | undefined> => {
  // In the scheme `upto` only this service can settle the payment.
  const chain = chains.get(call.chainId)
  if (transfersOf(chain, call) === chain?.upto) return undefined
  const seen = await paymentOf(chain, call)
  return seen && { transaction: seen === 'unclear' ? null : seen }
}

type Paid = { chain: Chain; call: FollowedPaidCall; hash: Hex }

/**
 * Records that a transaction made the transfer of a call with accepted work: the call is settled, and the ledger names this
 * transaction. A call that had failed is settled as well, because a reorganisation mined its settlement again, or somebody sent
 * the transfer later. Repeating it has no effect.
 */
export const recordPaid = async (tables: Tables, { chain, call, hash }: Paid): Promise<void> => {
  await tables.moveJob(call.jobId, 'unrefund')
  const job = (await tables.moveJob(call.jobId, 'confirm')) ?? (await tables.job(call.jobId))
  const booked = await paidCallsOf(tables).paidCall(call.id)
  if (job?.state !== 'settled' || booked?.hash === hash) return
  const place = { rail: `x402:${call.id}`, step: 'payout' as const }
  if (booked?.hash) await unbook(tables, job, place)
  await book(tables, job, {
    ...{ ...place, txHash: hash },
    legs: [
      [`wallet:${call.payer}`, -costOf(call)],
      [`wallet:${call.payTo}`, costOf(call)],
    ],
  })
  await report(tables, job, { chain, call, hash })
}

const report = (tables: Tables, job: Job, { chain, call, hash }: Paid) => {
  const amount = formatUsdc(costOf(call), chain.usdcDecimals)
  const most = call.taken === undefined ? undefined : formatUsdc(call.amount, chain.usdcDecimals)
  return tables.addRunEvent(call.runId, {
    kind: 'payment.settled',
    summary: toSettledText(amount, call.payTo, most),
    data: { job_id: job.id, amount, currency: 'USDC', payee: call.payTo, transaction: hash },
    key: `payout:${job.id}:${hash}`,
  })
}

/** Records that the transfer of a call was not made: its posting is reversed, and the work is not handed out. */
export const recordUnpaid = async (tables: Tables, call: FollowedPaidCall, reason: string): Promise<void> => {
  const settled = await tables.moveJob(call.jobId, 'unpay')
  if (settled) await unbook(tables, settled, { rail: `x402:${call.id}`, step: 'payout' })
  await tables.moveJob(call.jobId, 'refund', { reason })
}

/**
 * Compares a settled or failed call with the chain, and corrects the call where they differ. Nothing is changed while the
 * nonce may still be used, or where the node does not show for what it was used.
 */
export const checkPaidCall = async ({ store, chain }: { store: Store; chain: Chain }, call: FollowedPaidCall): Promise<void> => {
  const state = await transfersOf(chain, call)?.stateOf(toSigned(call))
  if (state !== 'used' && state !== 'expired') return
  const asked = { minedIn: call.hash, since: call.createdAt, isUsed: true }
  const paidBy = state === 'used' ? await paymentOf(chain, call, asked) : undefined
  if (paidBy === 'unclear') return
  await store.atomically(async tables => {
    if (paidBy) return recordPaid(tables, { chain, call, hash: paidBy })
    const job = await tables.job(call.jobId)
    if (job?.state === 'settled') await recordUnpaid(tables, call, paymentMissing)
  })
}
