import { z } from 'zod'
import { json, jsonObject } from '../json.ts'

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
