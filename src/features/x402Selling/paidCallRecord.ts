import { z } from 'zod'
import { toCaip2 } from '../../domain/chains/chains.ts'
import { isFinal } from '../../domain/jobs/job.ts'
import { json, parseJson } from '../../domain/json.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { toTakenText } from '../../domain/runTexts/payments.ts'
import { chainOf, type Deps } from '../../operations/operation.ts'
import type { Job } from '../../ports.ts'
import { transferByOthers } from './callPayments.ts'
import { costOf, type FollowedPaidCall, paidCallsOf } from './ports.ts'

export const paidCallRecord = z.object({
  payment_id: z.string(),
  run_id: z.string(),
  state: z
    .enum(['working', 'settling', 'settled', 'failed'])
    .describe(
      '`failed`: this service charged nothing; `transaction` names a transfer that somebody else sent. `settling`: ' +
        'the payment is on its way; read it again later and do not pay again',
    ),
  content: z.string().describe('The deliverable as text, once it is settled'),
  deliverable: json.nullable().describe('The same as JSON, where it is JSON'),
  reason: z.string().describe('Why the call failed'),
  amount: z.string().describe('USDC, decimal text; of a price by use the most, and what was charged once it is settled'),
  up_to: z.string().optional().describe('Of a price by use the most that the payment allows, in USDC'),
  atomic_amount: z.string().optional().describe('Of a price by use what was charged, in atomic units'),
  units: z.number().optional().describe('Of a price by use the units that were charged'),
  currency: z.literal('USDC'),
  payer: z.string(),
  payee: z.string(),
  network: z.string().describe('CAIP-2'),
  transaction: z.string().nullable(),
  receipt: z.string().optional().describe('Signed receipt (compact JWS), in the answer to a settled call'),
  payment_receipt: z.string().optional().describe('Payment-Receipt of MPP, in the answer to a call that was paid by it'),
  look_at: z.string(),
})
export type PaidCallRecord = z.infer<typeof paidCallRecord>

/** The API representation of a paid call. The deliverable is shown only after the payment has settled. */
export const toPaidCallRecord = (deps: Pick<Deps, 'chains'>, call: FollowedPaidCall, job: Job): PaidCallRecord => {
  const isSettled = job.state === 'settled'
  const say = (amount: Atomic) => formatUsdc(amount, chainOf(deps, call.chainId).usdcDecimals)
  const content = isSettled ? (job.deliverable ?? '') : ''
  return {
    payment_id: call.id,
    run_id: call.runId,
    state: isSettled ? 'settled' : isFinal(job.state) ? 'failed' : job.state === 'settling' ? 'settling' : 'working',
    content,
    deliverable: parseJson(content) ?? null,
    reason: isFinal(job.state) && !isSettled ? job.reason : '',
    amount: say(isSettled ? costOf(call) : call.amount),
    ...(job.terms.usage && { up_to: say(call.amount) }),
    ...(isSettled && call.taken !== undefined && { atomic_amount: String(call.taken) }),
    ...(isSettled && job.verdict?.used && { units: job.verdict.used.charged }),
    currency: 'USDC',
    payer: call.payer,
    payee: call.payTo,
    network: toCaip2(call.chainId),
    transaction: isSettled ? (call.hash ?? null) : null,
    look_at: `/x402/payments/${call.id}`,
  }
}

/**
 * Returns the current state of a paid call; undefined when there is none. `isTaken`: it failed, and somebody else sent its
 * transfer.
 */
export const followPaidCall = async (
  deps: Pick<Deps, 'chains' | 'store'>,
  id: string,
): Promise<{ record: PaidCallRecord; call: FollowedPaidCall; job: Job; isTaken: boolean } | undefined> => {
  const known = await paidCallsOf(deps.store).paidCall(id)
  const job = known && (await deps.store.job(known.jobId))
  // The call is read after the job, so that the transaction hash of a settled call is known.
  const call = job && (await paidCallsOf(deps.store).paidCall(id))
  if (!call) return undefined
  const record = toPaidCallRecord(deps, call, job)
  const taken = record.state === 'failed' ? await transferByOthers(deps, call) : undefined
  if (!taken) return { record, call, job, isTaken: false }
  const reason = `${record.reason} ${toTakenText({ ...record, ...taken })}`
  return { record: { ...record, reason, transaction: taken.transaction }, call, job, isTaken: true }
}
