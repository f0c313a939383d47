import { z } from 'zod'
import { jsonObject } from '../json.ts'

/**
 * Kinds of events in a run's log. Names avoid "completed", "failed", "error" and "payment" except where they mean it, because
 * existing clients search event names for these words.
 */
export const runEventKinds = [
  'message',
  // What a language model says while it still answers, a sentence at a time. The answer repeats it, or replaces it.
  'words',
  'understood',
  'searched',
  'chosen',
  'asked',
  'proposed',
  'confirmed',
  'declined',
  // A message was sent to an agent without a hire.
  'called',
  'job.open',
  'job.escrowed',
  'job.queued',
  'job.leased',
  // What the agent says about its progress, or why a paid request is sent again.
  'progress',
  'job.submitted',
  'job.settling',
  'job.settled',
  'job.rejected',
  'job.expired',
  'job.refunded',
  'job.cancelled',
  // A reorganisation reverted an event, or an event returned.
  'job.retracted',
  'job.restored',
  'evaluated',
  'disputed',
  // Token usage of language models for the run.
  'usage',
  // A plan of several steps: proposed with its digest, a step that began or ended, and the bill.
  'plan.proposed',
  'plan.step',
  'plan.ended',
  'transaction',
  'payment.settled',
  'answer',
] as const

export const runEventKind = z.enum(runEventKinds)
export type RunEventKind = z.infer<typeof runEventKind>

/** One event of a run's log. `summary` is for people, `data` for programs. */
export const runEvent = z.object({
  runId: z.string(),
  seq: z.number().int(),
  kind: runEventKind,
  summary: z.string(),
  data: jsonObject,
  at: z.number(),
})
export type RunEvent = z.infer<typeof runEvent>

/** An event that is not in the log yet. A key is used once in a run. */
export type NewRunEvent = Pick<RunEvent, 'kind' | 'summary' | 'data'> & { key?: string }
