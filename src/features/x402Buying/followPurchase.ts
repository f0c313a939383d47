import { dayMs } from '../../domain/durations.ts'
import { sha256 } from '../../domain/json.ts'
import { asProblem } from '../../domain/problem.ts'
import {
  purchaseBrokenOff,
  purchaseNotTaken,
  purchaseUnanswered,
  purchaseUnapproved,
  purchaseUncharged,
  purchaseUnseen,
  purchaseUnsettled,
  purchaseUsedElsewhere,
  toRefusedText,
  toRetryText,
  toStatusText,
} from '../../domain/runTexts/ends.ts'
import { deliveredIn, type PaidAnswer, saidIn, toPaidContent } from '../../domain/x402/paidAnswer.ts'
import {
  isFree,
  isGood,
  isPassing,
  isRefused,
  toApprovalKey,
  toCheckDelayMs,
  toPaymentHeader,
  transferMethodOf,
} from '../../domain/x402/purchase.ts'
import type { AdvanceRun } from '../../operations/deps.ts'
import type { Deps } from '../../operations/operation.ts'
import type { Chain, KeepPart, Purchase, Run, Tables } from '../../ports.ts'
import { purchasesOf, type SellerAnswer } from './ports.ts'
import {
  type Agreed,
  bookPurchase,
  isAgreed,
  isTakenByOthers,
  type PaidBy,
  purchasePaidBy,
  type Transfers,
  transfersFor,
} from './purchasePayments.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'clock' | 'resources'>
type At = { chain: Chain; transfers: Transfers; signal: AbortSignal }

/** Maximum number of paid requests without a final answer. After them only the payment is followed. */
const maxTries = 12
/** Maximum number of requests that a seller may refuse with 402. It may be unable to check a payment for a moment. */
const maxRefusals = 4

/**
 * Checks a running purchase once. It repeats the paid request until the answer is final, always with the same authorization, so
 * that the seller can charge at most once. Whether it was paid is read from the token, never from the seller's answer.
 */
export const followPurchase = async (deps: Reach, purchase: Purchase, signal: AbortSignal): Promise<void> => {
  const chain = deps.chains.get(purchase.chainId)
  const transfers = transfersFor(chain, purchase)
  if (!chain || !transfers || !isAgreed(purchase)) return
  const at = { chain, transfers, signal }
  if (mayAsk(deps, purchase) && !(await isApproved(deps, purchase)))
    return purchasesOf(deps.store).postponePurchase(purchase.id, { inMs: approvalCheckMs, reason: purchaseUnapproved, tries: 0 })
  const reason = mayAsk(deps, purchase) ? await ask(deps, purchase, at) : ''
  // The service is stopping, so the next process continues at once.
  if (signal.aborted) return purchasesOf(deps.store).postponePurchase(purchase.id, { inMs: 0, reason: purchase.reason })
  const current = await purchasesOf(deps.store).purchase(purchase.id)
  if (current?.state === 'paying' && isAgreed(current)) await settle(deps, { purchase: current, reason }, at)
}

/** Pause in ms between checks of an approval, which is mined within seconds. */
const approvalCheckMs = 500

/** Whether Permit2 may move the amount. The request waits for that, because a seller may refuse a payment for good. */
const isApproved = async ({ store }: Reach, { id, ...it }: Agreed): Promise<boolean> =>
  transferMethodOf(it) === 'eip3009' || (await store.intent(toApprovalKey(id)))?.state === 'confirmed'

const mayAsk = ({ clock }: Reach, { status, tries, validBefore }: Agreed): boolean =>
  status === undefined && tries <= maxTries && clock.now() < validBefore * 1_000

/** Sends the paid request and stores a final answer. Returns the reason if the answer is not final, otherwise an empty text. */
const ask = async ({ store, resources }: Reach, purchase: Agreed, { transfers, signal }: At): Promise<string> => {
  const spender = 'spender' in transfers ? transfers.spender : undefined
  const header = toPaymentHeader(purchase, await transfers.signPurchase(purchase.id), spender)
  try {
    const keep: KeepPart = (at, bytes) => purchasesOf(store).addAnswerPart(purchase.id, at, bytes)
    const answer = await resources.buy(purchase, header, { keep, signal })
    const { status, ending, bytes } = answer
    if (isPassing(answer) || (status === 402 && (await mayAskAgain(purchase, transfers))))
      return toRetryText(toStatusText(status), status === 402 ? '' : saidIn(answer))
    if (isGood(status) && ending === 'early') {
      if (bytes > 0) await purchasesOf(store).keepPartialAnswer(purchase.id, toStored(answer, purchase))
      return toRetryText(purchaseBrokenOff)
    }
    await purchasesOf(store).answerPurchase(
      purchase.id,
      (isGood(status) ? undefined : partialOf(purchase)) ?? toStored(answer, purchase),
    )
    return ''
  } catch (error) {
    // A failure of the seller is not an error of the service.
    return toRetryText(asProblem(error).detail)
  }
}

const toStored = (answer: PaidAnswer, { id }: Agreed): SellerAnswer => {
  const { status, bytes, ending, parts } = answer
  return { status, contentType: answer.contentType.slice(0, 200), content: toPaidContent(answer, id), bytes, ending, parts }
}

/** The answer that ended early. Many sellers refuse the same payment afterwards, because it is used. */
const partialOf = ({ partialStatus: status, content, answerBytes: bytes, ...it }: Agreed): SellerAnswer | undefined =>
  status === undefined || content === undefined || bytes === undefined
    ? undefined
    : { status, content, bytes, contentType: it.contentType ?? '', ending: 'early', parts: it.answerParts }

/** After a refusal the same payment is sent again while it is unused. A used one is refused for good. */
const mayAskAgain = async ({ wallet: from, nonce, validBefore, tries }: Agreed, transfers: Transfers) =>
  tries < maxRefusals && (await transfers.stateOf({ from, nonce, validBefore: BigInt(validBefore) })) === 'open'

/** How long after its end an authorization that was used without a visible transfer is followed, in ms. */
const unseenMs = dayMs

const settle = async (deps: Reach, { purchase, reason }: { purchase: Agreed; reason: string }, { transfers, chain }: At) => {
  const { id, wallet: from, nonce, validBefore } = purchase
  const state = await transfers.stateOf({ from, nonce, validBefore: BigInt(validBefore) })
  if (state === 'expired') return endUnpaid(deps, id, isFree(purchase) ? purchaseNotTaken : purchaseUncharged)
  if (state === 'open' && purchase.status !== undefined && !isGood(purchase.status)) return followRefused(deps, purchase)
  if (state === 'used' && !mayAsk(deps, purchase)) {
    const paidBy = await purchasePaidBy(deps, purchase, transfers)
    if (paidBy === undefined) return endUnpaid(deps, id, purchaseUsedElsewhere)
    if (paidBy !== 'unclear') return endPaid(deps, { purchase, chain, paidBy })
    if (deps.clock.now() > validBefore * 1_000 + unseenMs) return endUnpaid(deps, id, purchaseUnseen)
  }
  return postpone(deps, purchase, reason)
}

/** A failure of the seller is told in the run at once, because the tries after it take more than a minute. */
const postpone = ({ store }: Reach, { id, tries, reason: known }: Agreed, reason: string) => {
  const next = { inMs: toCheckDelayMs(tries), reason: reason || purchaseUnsettled }
  if (reason === '' || reason === known) return purchasesOf(store).postponePurchase(id, next)
  return store.atomically(async tables => {
    await purchasesOf(tables).postponePurchase(id, next)
    await tables.addRunEvent(id, { kind: 'progress', summary: reason, data: {}, key: `purchase:${id}:${sha256(reason)}` })
  })
}

/** The user is told of the refusal at once. Until the authorization expires, its use is watched, because the seller has it. */
const followRefused = async ({ store }: Reach, { id, status, tries, validBefore, reason: said }: Agreed) => {
  const reason = toRefusedText(status, validBefore * 1_000)
  await store.atomically(async tables => {
    await purchasesOf(tables).postponePurchase(id, { inMs: toCheckDelayMs(tries), reason })
    if (said !== reason) await tables.wakeRun(id)
  })
}

const endUnpaid = ({ store }: Reach, id: string, reason: string) =>
  store.atomically(async tables => {
    if (!(await purchasesOf(tables).endPurchase(id, { state: 'unpaid', hash: undefined, reason }))) return
    await dropApproval(tables, id)
    await tables.wakeRun(id)
  })

type Paid = { purchase: Agreed; chain: Chain; paidBy: PaidBy }

const endPaid = ({ store }: Reach, { purchase, chain, paidBy }: Paid) =>
  store.atomically(async tables => {
    const { id, user, status, partialStatus, tries } = purchase
    const { hash, taken, among } = paidBy
    // Two purchases of one seller may have seen the same transfer, and it pays one of them. The other is looked up again.
    if (among !== undefined) await purchasesOf(tables).lockPurchases(user)
    if (await isTakenByOthers(tables, purchase, paidBy))
      return purchasesOf(tables).postponePurchase(id, { inMs: toCheckDelayMs(tries), reason: purchaseUnsettled })
    const reason = status === undefined && partialStatus === undefined ? purchaseUnanswered : ''
    const ended = await purchasesOf(tables).endPurchase(id, { state: 'paid', reason, hash, taken })
    if (!ended) return
    await bookPurchase(tables, { purchase: ended, chain, hash: paidBy.hash })
    await tables.wakeRun(id)
  })

/** An approval that was not sent is not needed any more. */
const dropApproval = async (tables: Tables, id: string) => {
  const approval = await tables.intent(toApprovalKey(id))
  if (approval) await tables.giveUp(approval.seq, purchaseUncharged)
}

/** The state and the answer of a purchase's run, derived from the purchase. */
const runStateOf = (purchase: Purchase): Pick<Run, 'state' | 'answer'> => {
  const { state, status, content = '', reason } = purchase
  if (state === 'paid' && status !== undefined && isGood(status))
    return { state: 'completed', answer: deliveredIn(content) || 'Paid.' }
  if (state === 'paid') return { state: 'failed', answer: reason || toStatusText(status) }
  if (state === 'unpaid' && isFree(purchase)) return { state: 'completed', answer: content || reason }
  return state === 'unpaid' || isRefused(purchase) ? { state: 'failed', answer: reason } : { state: 'awaiting-job', answer: '' }
}

/** Advances the run of a direct purchase by code alone; undefined for other runs, and for purchases of the butler. */
export const advancePurchase: AdvanceRun = async (run, { store }) => {
  // A direct purchase never works on a message.
  const purchase = run.jobId || run.state === 'working' ? undefined : await purchasesOf(store).purchase(run.id)
  if (!purchase || purchase.isByButler) return undefined
  return { ...runStateOf(purchase), interruptId: undefined, questions: undefined, proposal: undefined, jobId: undefined }
}
