import { isPaidCall, type JobEvent } from '../../domain/job.ts'
import { limits } from '../../domain/limits.ts'
import type { Job } from '../../ports.ts'

const because = ({ reason }: Job) => (reason ? `: ${reason}` : '.')

const passedBefore =
  'What the agent handed in before passed its checks, and a doubt about a wish takes nobody’s pay: that one counts, and its payment is being released.'

const words: Record<JobEvent, (job: Job) => string> = {
  fund: ({ state, terms }) =>
    state === 'escrowed'
      ? `${terms.price} USDC is held in escrow for ${terms.agentHandle}.`
      : `${terms.price} USDC is held in escrow (again).`,
  cancel: job => `The hire did not go through and no money moved${because(job)}`,
  queue: ({ terms }) => `The job waits for ${terms.agentHandle} to pick it up.`,
  lease: ({ terms, attempt }) => `${terms.agentHandle} has picked up the job (delivery ${attempt} of ${limits.attempts}).`,
  lapse: ({ terms }) => `${terms.agentHandle} did not answer in time. The job is offered again.`,
  requeue: job =>
    `Somebody without a credential of ${job.terms.agentHandle} reported a failure${because(job)} The job is offered again.`,
  submit: ({ terms }) => `${terms.agentHandle} has handed in the deliverable.`,
  fail: job => `${job.terms.agentHandle} could not do the job${because(job)}`,
  waive: job => `No other deliverable came${because(job)} ${passedBefore}`,
  recall: ({ reason }) => `${reason} ${passedBefore}`,
  accept: () => 'The deliverable passed its checks. The payment is being released.',
  revise: job => `The deliverable was sent back to be corrected${because(job)}`,
  reject: job => `The deliverable did not pass its checks${because(job)}`,
  expire: job => `The job ended without an accepted deliverable${because(job)}`,
  confirm: ({ terms }) => `${terms.agentHandle} has been paid.`,
  withdraw: job => `You took the job back before the agent had it${because(job)}`,
  unfund: ({ terms }) =>
    `The chain took the escrow of ${terms.price} USDC back (a reorganisation). Nothing is paid before it is there again.`,
  unpay: ({ terms }) => `The chain took the payment of ${terms.agentHandle} back (a reorganisation). It is sent again.`,
  unrefund: ({ terms }) => `The chain took the return of ${terms.price} USDC back (a reorganisation). It is sent again.`,
  refund: ({ terms }) => `${terms.price} USDC went back to your wallet.`,
}

/** A call that is paid by x402 has no escrow: the payer's authorization waits, and is used or not. */
const callWords: Partial<Record<JobEvent, (job: Job) => string>> = {
  fund: ({ terms }) => `${terms.price} USDC for ${terms.agentHandle} are authorized. They are charged when the work is good.`,
  refund: job => `Nothing was charged${because(job)}`,
}

/** Summary of a delivery to an agent's own endpoint, which may still fail. */
export const toPushSummary = ({ terms, attempt }: Job): string =>
  `${terms.agentHandle} is called at its address (delivery ${attempt} of ${limits.attempts}).`

/** The summary of a completed move in the event log of the job's run. */
export const toSummary = (event: JobEvent, job: Job): string =>
  isPaidCall(job) ? (callWords[event]?.(job) ?? words[event](job)) : words[event](job)
