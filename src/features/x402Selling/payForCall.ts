import { z } from 'zod'
import { isFinal } from '../../domain/jobs/job.ts'
import { canonical, type JsonObject, json, sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { toUsageText } from '../../domain/offerings/usagePrice.ts'
import { ifProblem, PaymentProblem, Problem, UnsettledProblem } from '../../domain/problem.ts'
import { toFacilitation } from '../../domain/x402/facilitation.ts'
import { toPaymentReceipt } from '../../domain/x402/mpp.ts'
import {
  issuedAtOf,
  offerReceipt,
  toOffer,
  toOfferExtension,
  toReceipt,
  toReceiptExtension,
} from '../../domain/x402/statements.ts'
import {
  type Charge,
  type Payment,
  schemeOf,
  toHeader,
  toPaymentRequired,
  toPaymentRequiredV1,
  toRequiredHeader,
  toRequirements,
} from '../../domain/x402/x402.ts'
import { refusalOf, toNextStep } from '../../domain/x402/x402Refusal.ts'
import { type Caller, type Deps, operation } from '../../operations/operation.ts'
import { waitUntil } from '../../operations/waiting.ts'
import { challengeRefusal, issueChallenge, readPayment } from './challenges.ts'
import { followPaidCall, type PaidCallRecord, paidCallRecord } from './paidCallRecord.ts'
import { type FollowedPaidCall, paidCallsOf } from './ports.ts'
import { findSale, type Sale, toCharge, toTask } from './sale.ts'
import { startPaidCall } from './startPaidCall.ts'

const request = z.object({
  agent: z.string().max(200),
  body: json.optional().describe('The requirement of the offering'),
  x402Version: z.string().max(10).optional().describe('1 for the body of version 1'),
})

type Answered = { status: 200 | 202; headers: Record<string, string> }

const toResponse = (record: PaidCallRecord): Answered =>
  record.state === 'settled'
    ? { status: 200, headers: toPaymentResponse(record) }
    : { status: 202, headers: { location: record.look_at } }

const settledCall = paidCallRecord
  .pick({ transaction: true, network: true, payer: true, receipt: true, atomic_amount: true, payment_receipt: true })
  .extend({ state: z.literal('settled') })

/** Returns the x402 headers with the settlement of a payment. They are empty unless the call is settled. */
export const toPaymentResponse = (record: unknown): Record<string, string> => {
  const { data } = settledCall.safeParse(record)
  if (!data) return {}
  const { transaction, network, payer, receipt, atomic_amount, payment_receipt } = data
  const extensions: JsonObject = receipt ? { extensions: { [offerReceipt]: toReceiptExtension(receipt) } } : {}
  const amount: JsonObject = atomic_amount === undefined ? {} : { amount: atomic_amount }
  const settled = toHeader({ success: true, transaction: transaction ?? '', network, payer, ...amount, ...extensions })
  return {
    'payment-response': settled,
    'x-payment-response': settled,
    ...(payment_receipt && { 'payment-receipt': payment_receipt }),
  }
}

const named = { caller: 'anyone', output: paidCallRecord, responseOf: toResponse } as const

export const payForCall = operation({
  ...named,
  name: 'payForCall',
  summary: 'Call an agent and pay with the request (x402 exact). Without a payment the answer is 402 with the price.',
  input: request,
  run: (input, deps, caller) => buy(input, deps, caller),
})

export const payForOffering = operation({
  ...named,
  name: 'payForOffering',
  summary:
    'Buy one offering of an agent and pay with the request (x402 exact, or upto at a price by use); the body is its requirement.',
  input: request.extend({ offering_id: z.string().max(200) }),
  run: (input, deps, caller) => buy(input, deps, caller),
})

type Asked = z.infer<typeof request> & { offering_id?: string | undefined }

/**
 * Runs a paid call in an order that protects both sides. The body is checked before the payment, and the nonce is claimed in
 * the same write as the work. The payment is settled only after the deliverable passes its checks.
 * @throws PaymentProblem, Problem invalid-input, invalid-payment, payment-reused, work-failed
 */
export const buy = async (asked: Asked, deps: Deps, caller: Caller): Promise<PaidCallRecord> => {
  const sale = await findSale(deps, asked)
  const isProbe = caller.payment === undefined && (asked.body === undefined || canonical(asked.body) === '{}')
  const input = isProbe ? '' : toTask(sale, asked.body)
  const payment = caller.payment === undefined ? undefined : readPayment(caller.payment)
  const refuse = createRefusal(deps, sale, asked.x402Version === '1' || payment?.version === 1)
  if (caller.payment === undefined) throw await refuse('Payment is required.')
  if (!payment) throw new Problem('invalid-payment')
  const requestHash = sha256(canonical([sale.path, asked.body ?? null, caller.payment]))
  const call = (await claimedBy(deps, sale, payment)) ?? (await start(deps, { sale, input, payment, requestHash }, refuse))
  if (call.requestHash !== requestHash) throw new Problem('payment-reused')
  const paid = await withReceipt(deps, await awaitPaidCall(deps, call, { signal: caller.signal, refuse }), sale.path)
  const { transaction, receipt } = paid
  if (!payment.challenge || transaction === null) return paid
  // The stored receipt has the time of the first answer, so that a repeated request gets the same.
  const at = issuedAtOf(receipt ?? '') ?? deps.clock.now()
  return { ...paid, payment_receipt: toPaymentReceipt(transaction, at) }
}

/** Returns the refusal of an unpaid call with its price; undefined where calls of the agent are not sold. */
export const priceOfCall = async (deps: Deps, agent: string): Promise<PaymentProblem | undefined> => {
  const sale = await findSale(deps, { agent }).catch(ifProblem)
  return sale && createRefusal(deps, sale, false)('Payment is required.')
}

/** The signed offer of a charge; nothing in a process that cannot sign. */
const toOffered = async ({ access, clock }: Pick<Deps, 'access' | 'clock'>, charge: Charge): Promise<JsonObject> => {
  if (!access) return {}
  const offer = toOffer(charge.url, toRequirements(charge), clock.now())
  return { [offerReceipt]: toOfferExtension(await access.sign(offer)) }
}

/** A settled call with its signed receipt, which stays the same for a transaction. */
const withReceipt = async (
  { access, clock, settings, store }: Deps,
  record: PaidCallRecord,
  path: string,
): Promise<PaidCallRecord> => {
  const { state, network, payer, transaction } = record
  if (!access || state !== 'settled' || transaction === null) return record
  const paid = { resourceUrl: `${settings.publicUrl}${path}`, network, payer, transaction, at: clock.now() }
  const receipt = await access.sign(toReceipt(paid))
  return { ...record, receipt: await paidCallsOf(store).keepReceipt(record.payment_id, { receipt, transaction }) }
}

type Refuse = (error: string) => Promise<PaymentProblem>

/** @param isOld whether the client speaks version 1. Its answer has no header of version 2, which newer clients read first. */
const createRefusal =
  (deps: Deps, sale: Sale, isOld: boolean): Refuse =>
  async error => {
    const charge = await toCharge(deps, sale)
    const { price, usage } = sale.offering
    const costs = usage ? `at most ${price} USDC: ${toUsageText(usage)}` : `${price} USDC`
    const words = (
      `${charge.description}: ${costs}. Pay with the header PAYMENT-SIGNATURE (x402 ${schemeOf(charge.method)}). ` +
      `${error} ${toNextStep(error, charge)}`
    ).trim()
    // Newer clients read the header first, so an answer of version 1 has none.
    if (isOld) return new PaymentProblem(words, { header: undefined, body: toPaymentRequiredV1(charge, error) })
    const required = toPaymentRequired(charge, error, await toOffered(deps, charge))
    const challenge = issueChallenge(deps, charge)
    return new PaymentProblem(words, { header: toRequiredHeader(required), challenge, body: required })
  }

const claimedBy = (deps: Deps, { chain }: Sale, { authorization: { from, nonce } }: Payment) =>
  paidCallsOf(deps.store).paidCallOfNonce({ chainId: chain.chainId, asset: chain.addresses.usdc, payer: from, nonce })

type Buying = { sale: Sale; input: string; payment: Payment; requestHash: string }

const start = async (deps: Deps, { sale, payment, ...of }: Buying, refuse: Refuse): Promise<FollowedPaidCall> => {
  const { authorization } = payment
  const charge = await toCharge(deps, sale)
  const mismatch = challengeRefusal(deps, sale, { payment, charge }) ?? refusalOf(payment, charge, deps.clock.now())
  if (mismatch) throw await refuse(mismatch)
  const [refusal, balance, allowance] = await Promise.all([
    sale.transfers.refusal(authorization),
    sale.chain.usdcBalance(authorization.from),
    'allowance' in sale.transfers ? sale.transfers.allowance(authorization.from) : undefined,
  ])
  if (refusal) throw await refuse(refusal)
  const isLimited = allowance !== undefined && allowance < balance
  // In the scheme `upto` the payer names who settles, and that is this service.
  const isDeferred = schemeOf(charge.method) === 'exact' && deps.settings.facilitators?.has(charge.chainId)
  const facilitation = isDeferred ? toFacilitation(charge, authorization) : undefined
  const spendable = isLimited ? allowance : balance
  const call = await startPaidCall(deps, { ...of, sale, authorization, facilitation, spendable })
  if (!call) throw await refuse(isLimited ? 'permit2_allowance_required' : 'invalid_exact_evm_insufficient_balance')
  return call
}

type Waiting = Pick<Caller, 'signal'> & { refuse: Refuse }
/**
 * Waits for the end of a paid call, up to a limit. A call that has not ended is answered with status 202 and a URL, never with
 * a second 402.
 */
const awaitPaidCall = async (deps: Deps, { id, runId }: FollowedPaidCall, { signal, refuse }: Waiting) => {
  const at = { channel: `run:${runId}`, deadline: deps.clock.now() + limits.invokeWaitMs, signal }
  await waitUntil(deps, at, async () => {
    const call = await paidCallsOf(deps.store).paidCall(id)
    const job = call && (await deps.store.job(call.jobId))
    return job && isFinal(job.state) ? job : undefined
  })
  const followed = await followPaidCall(deps, id)
  if (!followed) throw new RangeError(`paid call ${id} has no job`)
  const { record, call, isTaken } = followed
  if (record.state !== 'failed') return record
  if (call.settling !== undefined) throw await refuse(record.reason)
  const { reason, network, payer } = record
  const settlement = toHeader({ success: false, errorReason: 'work_failed', transaction: '', network, payer })
  // Somebody else may still send the transfer, so the buyer looks at the chain.
  if (isTaken) throw new Problem('work-failed', reason)
  throw new UnsettledProblem(`${reason} Nothing was charged.`.trim(), settlement)
}

export const readPaidCall = operation({
  name: 'readPaidCall',
  summary: 'The state of a paid call, by the id of its payment. Only its buyer knows this id.',
  caller: 'anyone',
  input: z.object({ payment_id: z.string().max(100) }),
  output: paidCallRecord,

  async run({ payment_id }, deps) {
    const followed = await followPaidCall(deps, payment_id)
    if (!followed) throw new Problem('payment-not-found')
    return followed.record
  },
})
