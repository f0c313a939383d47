import type { JobKind, JobState } from '../jobs/job.ts'
import type { Terms } from '../runs/proposal.ts'
import { toLabelled } from '../text/labelled.ts'

type Ended = { terms: Terms; kind: JobKind; state: JobState; reason: string; deliverable: string | undefined }
type Payout = { amount: string; payee: string; transaction: string }

/** Text of a job that has ended: how, and where its money is. The deliverable is quoted as the agent's text. */
export const toEndText = (job: Ended, payout: Payout | undefined): string => {
  const { agentHandle, total } = job.terms
  if (job.state === 'settled') {
    const paid = payout
      ? `${payout.amount} USDC are in the agent wallet ${payout.payee} (transaction ${payout.transaction}).`
      : 'It cost nothing.'
    if (job.deliverable === undefined) return `${toUnkeptText(agentHandle)} ${paid}`
    return `${agentHandle} delivered:\n${toLabelled(job.deliverable)}\nIt passed its checks. ${paid}`
  }
  if (job.kind === 'paid-call') return `${job.reason} Nothing was charged.`.trim()
  const reason = job.reason || 'The escrow returned the money after its expiry.'
  if (job.state === 'cancelled') return `${job.reason} Nothing was paid.`
  return job.kind === 'free' ? `${reason} It cost nothing.` : `${reason} The ${total} USDC are back in your wallet.`
}

/** The payment was found on chain, and the deliverable was handed in after the backup from which the service was restored. */
const toUnkeptText = (agent: string): string =>
  `${agent} was paid for this job. What it delivered came after the backup from which this market was restored: ` +
  `ask ${agent} for it.`

/** Reason of a job that its user cancelled. It is stored and compared, so a change would not recognise earlier jobs. */
export const cancelledByUser = 'You cancelled the job before the agent had it.'

/** Reason of a job whose hire can no longer be mined. */
export const neverFunded = 'The hire did not reach the chain before its authorization expired.'

/** Reason of a refund: the recorded one, or one for a refund that this service did not request. */
export const toRefundReason = ({ state, reason }: { state: JobState; reason: string }): string => {
  if (state === 'settling') return 'The payment did not go through before the escrow expired.'
  const isEnded = state === 'rejected' || state === 'expired'
  return isEnded && reason ? reason : 'The escrow expired on chain and returned the money.'
}

/**
 * Why a purchase has no result although its payment may still be used.
 * @param untilMs expiry of its authorization, epoch ms
 */
export const toRefusedText = (status: number | undefined, untilMs: number): string => {
  const until = new Date(untilMs).toISOString().slice(0, 16).replace('T', ' ')
  return (
    `${toStatusText(status)} It has not used the signed payment so far, and can use it until ${until} UTC. ` +
    'Until then the amount stays reserved; it will not be paid again.'
  )
}

/** Why a purchase is not decided yet. */
export const purchaseUnsettled = 'It is not known yet whether the payment went through; it will not be paid again.'

/** Why a purchase by Permit2 is not requested yet. */
export const purchaseUnapproved = 'Your wallet approves Permit2 for this purchase first. Nothing was paid yet.'

export const purchaseUnanswered = 'It was paid, but the resource did not answer in time.'

/** Why a paid request is sent again although an answer began. */
export const purchaseBrokenOff = 'The connection ended before the answer. What arrived is kept.'

/** Why a purchase was not paid. */
export const purchaseUncharged = 'The payment expired unused. Nothing was charged.'
export const purchaseNotTaken = 'The seller took nothing of the payment. Nothing was charged.'
export const purchaseUsedElsewhere =
  'The nonce of the payment was used without its transfer, so it can never be charged. Nothing was paid.'
export const purchaseUnseen =
  'The nonce of the payment is used, and the chain does not show its transfer. Look at the transfers of your wallet.'

export const toStatusText = (status: number | undefined): string => `The resource answered with status ${status}.`

/** Why a paid request is sent again. @param said the seller's own words */
export const toRetryText = (why: string, said = ''): string =>
  `${why} ${said && `It said: “${said}” `}The same payment is sent again.`

/** Text of a direct call that failed. `reason` must be shortened and cleaned. */
export const toCallFailedText = (reason: string): string =>
  `The agent could not do it: “${reason}”. Nothing was hired and nothing was paid.`

const proven = 'The agent could not do it: '
/**
 * Starts the reason of a failure that was reported from another address than the job was taken from, without a credential of the
 * agent. Anyone who knows the job may have sent it.
 */
const unproven = 'A failure was reported for the agent: '

/**
 * The reason of a job for which a failure was reported, with the text of the report in quotes. `words` must be shortened and
 * cleaned.
 */
export const toReportedFailure = (words: string, isProven: boolean): string => `${isProven ? proven : unproven}"${words}".`

const late = 'The agent did not deliver in the promised time.'
const gaveUp = 'The agent took the job several times and did not deliver.'

/**
 * The reason of a job that ends without a deliverable: its time is over, or all deliveries are used up before. It includes the
 * failure that was reported last, if any.
 * @param before the reason of the job so far
 */
export const toUndelivered = (before: string, isLate: boolean): string => {
  const reported = [proven, unproven].some(it => before.startsWith(it)) ? before : undefined
  if (isLate) return reported ? `${late} ${reported}` : late
  return reported ?? gaveUp
}
