import { z } from 'zod'
import { json, jsonObject } from '../json.ts'

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

/** A question to a language model as its provider got it, and the answer. */
const exchange = z.object({ instructions: z.string(), prompt: z.string(), answer: z.string() })
export type Exchange = z.infer<typeof exchange>

/** A call of a port of the butler's graph, with its answer. `is_cut`: it was longer than the limit, so only its name is kept. */
const portCall = z.object({
  port: z.string(),
  args: z.array(json),
  result: json.optional(),
  problem: z.object({ type: z.string(), detail: z.string() }).optional(),
  usage: z.array(z.object({ input_tokens: z.number(), output_tokens: z.number() })).optional(),
  failures: z.number().int().optional(),
  exchanges: z.array(exchange).optional(),
  is_cut: z.literal(true).optional(),
})
export type PortCall = z.infer<typeof portCall>

/** A step of a run: one node of the butler's graph, what it read from outside, and what it decided. */
export const historyStep = z.object({
  step: z.number().int().describe('Number of the step in the run'),
  node: z.string(),
  model: z.string().describe('Id of the language model, or `rules`'),
  model_ms: z.number().describe('The most ms that a message waited for the model'),
  given: json
    .optional()
    .describe('What the run got before this step: its first message, a reply of the user, the end of the job'),
  calls: z.array(portCall).describe('Everything that the node read or did outside the graph, in order'),
  update: jsonObject.describe('What the node decided: its changes of the state. null removes a member'),
  is_cut: z.literal(true).optional().describe('The history was longer than its limit, so calls and update are not kept'),
})
export type HistoryStep = z.infer<typeof historyStep>

/** The history of a run, for a replay. */
export const history = z.object({ format: z.literal(1), run_id: z.string(), steps: z.array(historyStep) })
export type History = z.infer<typeof history>
