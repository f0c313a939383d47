import { z } from 'zod'
import { jsonObject } from './json.ts'

/**
 * What is told of a run, in order. Names avoid "completed", "failed", "error" and "payment" except where they mean it:
 * existing clients search for those words in event names.
 */
export const runEventKinds = [
  'message',
  'understood',
  'searched',
  'chosen',
  'asked',
  'proposed',
  'confirmed',
  'declined',
  // A message went to an agent without a hire.
  'called',
  'job.open',
  'job.escrowed',
  'job.queued',
  'job.leased',
  'job.submitted',
  'job.settling',
  'job.settled',
  'job.rejected',
  'job.expired',
  'job.refunded',
  'job.cancelled',
  // The chain took something back, and gave it again.
  'job.retracted',
  'job.restored',
  'evaluated',
  'disputed',
  // What a language model was asked for the run, in tokens.
  'usage',
  'transaction',
  'payment.settled',
  'answer',
] as const

export const runEventKind = z.enum(runEventKinds)
export type RunEventKind = z.infer<typeof runEventKind>

/** One line of a run's log. `summary` is for people; `data` for programs. */
export const runEvent = z.object({
  runId: z.string(),
  seq: z.number().int(),
  kind: runEventKind,
  summary: z.string(),
  data: jsonObject,
  at: z.number(),
})
export type RunEvent = z.infer<typeof runEvent>
