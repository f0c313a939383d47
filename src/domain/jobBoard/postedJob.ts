import { z } from 'zod'

/**
 * States of a posted job (`POST /v1/jobs`), a record that hirer, provider and evaluator update by hand. It has no escrow and
 * moves no money. A move not listed here cannot happen.
 */
export const postedJobMoves = {
  open: { accept: 'accepted', submit: 'submitted', reject: 'rejected' },
  accepted: { submit: 'submitted', reject: 'rejected' },
  submitted: { complete: 'completed', reject: 'rejected' },
  completed: {},
  rejected: {},
} as const satisfies Record<string, Partial<Record<string, string>>>

export type PostedJobState = keyof typeof postedJobMoves
export type PostedJobEvent = 'accept' | 'submit' | 'complete' | 'reject'

export const postedJobState = z.enum(['open', 'accepted', 'submitted', 'completed', 'rejected'])

/** Where an event leads, or undefined when the move is not allowed. */
export const nextPostedJob = (state: PostedJobState, event: PostedJobEvent): PostedJobState | undefined => {
  const row: Partial<Record<PostedJobEvent, PostedJobState>> = postedJobMoves[state]
  return row[event]
}

export const goalOf: Record<PostedJobEvent, PostedJobState> = {
  accept: 'accepted',
  submit: 'submitted',
  complete: 'completed',
  reject: 'rejected',
}
