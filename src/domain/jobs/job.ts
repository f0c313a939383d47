import { z } from 'zod'
import { toTitleText } from '../files/fileLinks.ts'
import { isObject, parseJson } from '../json.ts'
import { toQuotable } from '../text/quotableText.ts'

/**
 * States of a job and the moves between them. A move not listed here cannot happen.
 *
 * After a reorganisation, unfund, unpay and unrefund undo the effects of a removed event. An agent that holds the lease keeps
 * working, because the transaction is usually mined again within seconds. Until the escrow holds the money again, nothing is
 * paid and no agent gets the job. A `fund` event in a state later than open means that the funding returned.
 *
 * `confirm` in a state before settling means that this database was restored from a backup made before the payment.
 *
 * Once a deliverable has passed the checks of code, its agent is paid. A revision for a wish can only replace it by another
 * deliverable. `waive` and `recall` then replace expire, fail and reject.
 */
export const moves = {
  open: { fund: 'escrowed', cancel: 'cancelled' },
  escrowed: { queue: 'queued', withdraw: 'expired', expire: 'expired', confirm: 'settled', unfund: 'open' },
  queued: {
    lease: 'leased',
    submit: 'submitted',
    withdraw: 'expired',
    waive: 'settling',
    expire: 'expired',
    confirm: 'settled',
    unfund: 'open',
    fund: 'queued',
    cancel: 'cancelled',
  },
  leased: {
    submit: 'submitted',
    lapse: 'queued',
    requeue: 'queued',
    fail: 'rejected',
    refuse: 'rejected',
    waive: 'settling',
    expire: 'expired',
    confirm: 'settled',
    unfund: 'leased',
    fund: 'leased',
    cancel: 'cancelled',
  },
  submitted: {
    accept: 'settling',
    revise: 'queued',
    reject: 'rejected',
    recall: 'settling',
    confirm: 'settled',
    refund: 'refunded',
    unfund: 'submitted',
    fund: 'submitted',
    cancel: 'cancelled',
  },
  settling: { confirm: 'settled', refund: 'refunded', unfund: 'settling', fund: 'settling', cancel: 'cancelled' },
  rejected: { refund: 'refunded', unfund: 'rejected', fund: 'rejected', cancel: 'cancelled' },
  expired: { refund: 'refunded', confirm: 'settled', unfund: 'expired', fund: 'expired', cancel: 'cancelled' },
  settled: { unpay: 'settling' },
  refunded: { unrefund: 'expired' },
  cancelled: { fund: 'expired' },
} as const satisfies Record<string, Partial<Record<string, string>>>

export type JobState = keyof typeof moves
export type JobEvent = { [S in JobState]: keyof (typeof moves)[S] }[JobState]

/** How a job was judged, once: accepted, rejected, or never delivered. */
export const jobOutcome = z.enum(['accepted', 'rejected', 'failed', 'undelivered'])
export type JobOutcome = z.infer<typeof jobOutcome>

export const causes: Record<JobEvent, string> = {
  fund: 'JobFunded was seen on chain; a job that had ended unfunded is refunded at once',
  cancel: 'the hire failed or can no longer be mined, so the escrow holds no money',
  queue: 'the gateway offers the job to the agent',
  lease: 'the agent polls',
  submit: 'the agent submits a deliverable (also after its lease expired)',
  lapse: 'the lease expired without a deliverable; the job is offered again',
  requeue: 'a caller without a credential, at another address than took the job, reported a failure; the job is offered again',
  fail: 'the agent reports that it cannot do it',
  refuse:
    'without a credential, the address that took the job reports that the agent cannot do it; this does not count against it',
  accept: 'the deliverable passes its checks',
  revise: 'the deliverable fails its checks and there is time for another attempt',
  reject: 'the deliverable fails its checks for the last time',
  waive: 'no revision was submitted; the deliverable before it passed its checks',
  recall: 'the revision fails its checks for the last time; the deliverable before it passed them',
  withdraw: 'before the agent has picked up the job, the user cancels, or the standby of a plan takes it over',
  expire: 'the promised time or the attempts are used up',
  confirm: 'PaymentReleased was seen on chain: the agent wallet has the USDC',
  refund: 'Refunded was seen on chain: the user has the USDC',
  unfund: 'a chain reorganisation removed JobFunded',
  unpay: 'a chain reorganisation removed PaymentReleased',
  unrefund: 'a chain reorganisation removed Refunded',
}

export const jobStates = Object.keys(moves).filter(isJobState)

export function isJobState(text: string): text is JobState {
  return Object.hasOwn(moves, text)
}

/** Where an event leads, or undefined when the move is not allowed. */
export const next = (state: JobState, event: JobEvent): JobState | undefined => {
  const row: Partial<Record<JobEvent, JobState>> = moves[state]
  return row[event]
}

export const sourcesOf = (event: JobEvent): JobState[] => jobStates.filter(state => next(state, event) !== undefined)

/** Moves that undo an event after a reorganisation. */
const undoings: readonly JobEvent[] = ['unfund', 'unpay', 'unrefund']
export const isUndoing = (event: JobEvent): boolean => undoings.includes(event)

/**
 * How a job is paid: `hire` by the escrow (ERC-8183), `paid-call` by a signed payment (x402), `free` not at all. Goods and money
 * are guarded by it.
 */
export type JobKind = 'hire' | 'paid-call' | 'free'

type Priced = { terms: { total: string }; budget: bigint }
/**
 * The kind of a stored job, which never changes. The row reader calls it; everything else reads `job.kind`.
 * @param priced `budget`: what the escrow shall hold, atomic USDC; `terms.total`: the agreed price, decimal USDC
 */
export const toJobKind = ({ terms, budget }: Priced): JobKind => {
  if (budget > 0n) return 'hire'
  return terms.total === '0' ? 'free' : 'paid-call'
}

type Delivered = { state: JobState; kind: JobKind; chainJobId: bigint | undefined; deliverable: string | undefined }
/** Returns the deliverable as its buyer may see it. The deliverable of a paid call is withheld until its payment is settled. */
export const deliverableFor = ({ state, kind, chainJobId, deliverable }: Delivered): string | undefined =>
  kind !== 'free' && chainJobId === undefined && state !== 'settled' ? undefined : deliverable

/** States that no event of the service leads out of. */
export const finalStates: readonly JobState[] = ['settled', 'refunded', 'cancelled']
/** Whether the state is final. Only the chain leads out of it: by a reorganisation, or by funding a cancelled job. */
export const isFinal = (state: JobState): boolean => finalStates.includes(state)

/** Whether the deliverable was submitted, or will never come, so that the butler continues. */
export const isDelivered = (state: JobState): boolean => !['open', 'escrowed', 'queued', 'leased'].includes(state)

const subjectChars = 60

/** What a job was about, from its input in few characters: its text, or the first value of its JSON, also in a list. */
export const toSubject = (input: string): string => {
  const read = parseJson(input)
  const [first = ''] = isObject(read) ? Object.values(read).flat() : [input]
  return toQuotable(toTitleText(typeof first === 'string' ? first : JSON.stringify(first)), subjectChars)
}
