import type { Hex } from '../hex.ts'

const steps: Readonly<Record<string, string>> = {
  hire: 'createJob, setBudget and fund, by your proxy wallet',
  submit: "submit of the deliverable's hash, by the agent wallet",
  complete: 'complete, by the evaluator',
  refund: 'refund of the escrow',
  feedback: 'feedback in the reputation registry, by your proxy wallet',
  'validation-request': 'validationRequest to the evaluator, by the agent wallet',
  'validation-response': 'validationResponse with the verdict, by the evaluator',
  claim: 'claimRefund, by the treasury',
  settle: 'transferWithAuthorization of the payer, by the treasury',
}

export type Mined = { step: string; hash: Hex; blockNumber: bigint; success: boolean }

export const toTransactionText = ({ step, hash, blockNumber, success }: Mined): string =>
  `${steps[step] ?? step}: ${hash} ${success ? 'was mined' : 'was reverted'} in block ${blockNumber}.`

const seenSubjects = {
  JobFunded: 'The escrow of your hire',
  PaymentReleased: 'The payment of the agent',
  Refunded: 'The refund of your money',
} as const

/** Escrow events that are added to the log before they are confirmed. */
export type SeenEvent = keyof typeof seenSubjects

export const isSeenEvent = (name: string): name is SeenEvent => Object.hasOwn(seenSubjects, name)

/** Text of an escrow event that is not confirmed yet. */
export const toSeenText = (name: SeenEvent, { txHash, blockNumber }: { txHash: Hex; blockNumber: bigint }): string =>
  `${seenSubjects[name]} was seen in block ${blockNumber} (${txHash}). It counts after enough confirmations.`

export const revertedTexts = {
  hire: 'The hire transaction was reverted by the contract.',
  payout: 'The payout transaction was reverted by the contract.',
}

/** Reasons of a job whose transaction the contract would revert, so that it is not sent. */
export const toAbandonedTexts = (reason: string): typeof revertedTexts => ({
  hire: `The contract would revert the hire: ${reason}`,
  payout: `The contract would revert the payout: ${reason}`,
})
