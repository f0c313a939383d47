import type { JobEvent, JobKind, JobState } from '../jobs/job.ts'
import { limits } from '../limits.ts'
import type { Terms } from '../runs/proposal.ts'

type Job = { terms: Terms; kind: JobKind; state: JobState; attempt: number; reason: string }

const because = ({ reason }: Job) => (reason ? `: ${reason}` : '.')

const passedBefore =
  'The earlier deliverable passed its checks and counts: a doubt about a wish never withholds the payment. ' +
  'The payment is being released.'

const toRefusedJob = (job: Job): string => `${job.terms.agentHandle} could not do the job${because(job)}`

const words: Record<JobEvent, (job: Job) => string> = {
  fund: ({ state, terms }) =>
    state === 'escrowed'
      ? `${terms.price} USDC is held in escrow for ${terms.agentHandle}.`
      : `${terms.price} USDC is held in escrow again.`,
  cancel: job => `The hire did not go through and no money moved${because(job)}`,
  queue: ({ terms }) => `The job is waiting for ${terms.agentHandle} to pick it up.`,
  lease: ({ terms, attempt }) => `${terms.agentHandle} has picked up the job (delivery ${attempt} of ${limits.attempts}).`,
  lapse: ({ terms }) => `${terms.agentHandle} did not answer in time. The job is offered again.`,
  requeue: job =>
    `A caller without a credential of ${job.terms.agentHandle} reported a failure${because(job)} The job is offered again.`,
  submit: ({ terms }) => `${terms.agentHandle} has submitted the deliverable.`,
  fail: toRefusedJob,
  refuse: toRefusedJob,
  waive: job => `No other deliverable came${because(job)} ${passedBefore}`,
  recall: ({ reason }) => `${reason} ${passedBefore}`,
  accept: () => 'The deliverable passed its checks. The payment is being released.',
  revise: job => `The deliverable was sent back to be corrected${because(job)}`,
  reject: job => `The deliverable did not pass its checks${because(job)}`,
  expire: job => `The job ended without an accepted deliverable${because(job)}`,
  confirm: ({ terms }) => `${terms.agentHandle} has been paid.`,
  withdraw: job => `You cancelled the job before the agent picked it up${because(job)}`,
  unfund: ({ terms }) =>
    `A chain reorganisation removed the escrow of ${terms.price} USDC. Nothing is paid until it is mined again.`,
  unpay: ({ terms }) => `A chain reorganisation removed the payment of ${terms.agentHandle}. It is sent again.`,
  unrefund: ({ terms }) => `A chain reorganisation removed the refund of ${terms.price} USDC. It is sent again.`,
  refund: ({ terms }) => `${terms.price} USDC was refunded to your wallet.`,
}

/** Texts for a call paid by x402. It has no escrow: the payer's authorization is either used or left unused. */
const callWords: Partial<Record<JobEvent, (job: Job) => string>> = {
  fund: ({ terms }) =>
    `${terms.price} USDC for ${terms.agentHandle} are authorized. They are charged when the work passes its checks.`,
  refund: job => `Nothing was charged${because(job)}`,
  unpay: ({ terms }) => `The payment of ${terms.agentHandle} is not on chain any more.`,
  unrefund: ({ terms }) => `The payment of ${terms.agentHandle} is on chain after all.`,
}

export const toOpenText = ({ agentHandle, offeringName, price }: Terms): string =>
  `${agentHandle} is being hired for “${offeringName}” at ${price} USDC.`

/** Text of a delivery to an agent's own endpoint, which may still fail. */
export const toPushText = ({ terms, attempt }: Job): string =>
  `${terms.agentHandle} is called at its endpoint (delivery ${attempt} of ${limits.attempts}).`

export const toMoveText = (event: JobEvent, job: Job): string =>
  job.kind === 'paid-call' ? (callWords[event]?.(job) ?? words[event](job)) : words[event](job)
