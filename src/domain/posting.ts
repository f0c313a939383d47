import { z } from 'zod'

/**
 * The life of a posted job (`POST /v1/jobs`): a record that hirer, provider and evaluator keep by hand. No escrow belongs to it
 * and nothing is paid from it. A move not written here cannot happen.
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

/** Where an event leads from wherever it may happen. */
export const goalOf: Record<PostingEvent, PostingState> = {
  accept: 'accepted',
  submit: 'submitted',
  complete: 'completed',
  reject: 'rejected',
}
