import { z } from 'zod'

/**
 * States of a posted job (`POST /v1/jobs`), a record that hirer, provider and evaluator update by hand. It has no escrow and
 * moves no money. A move not listed here cannot happen.
 */
export const postingMoves = {
  open: { accept: 'accepted', submit: 'submitted', reject: 'rejected' },
  accepted: { submit: 'submitted', reject: 'rejected' },
  submitted: { complete: 'completed', reject: 'rejected' },
  completed: {},
  rejected: {},
} as const satisfies Record<string, Partial<Record<string, string>>>

export type PostingState = keyof typeof postingMoves
export type PostingEvent = 'accept' | 'submit' | 'complete' | 'reject'

export const postingState = z.enum(['open', 'accepted', 'submitted', 'completed', 'rejected'])

/** Where an event leads, or undefined when the move is not allowed. */
export const nextPosting = (state: PostingState, event: PostingEvent): PostingState | undefined => {
  const row: Partial<Record<PostingEvent, PostingState>> = postingMoves[state]
  return row[event]
}

/** The state to which an event leads. */
export const goalOf: Record<PostingEvent, PostingState> = {
  accept: 'accepted',
  submit: 'submitted',
  complete: 'completed',
  reject: 'rejected',
}
