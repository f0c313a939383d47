import { z } from 'zod'
import { isNamedBySchema } from '../../domain/acceptance.ts'
import { describeWrapping, type Examined } from '../../domain/deliverable.ts'
import { jsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { type Judged, judgeNow } from '../hires/judgeDeliverable.ts'

const part = z.object({ text: z.string().optional() }).loose()
const message = z.object({ role: z.string().optional(), parts: z.array(part).optional() }).loose()
const task = z
  .object({
    status: z.object({ state: z.string().optional(), message: message.nullish() }).loose().optional(),
    history: z.array(message).optional(),
  })
  .loose()
const result = z.object({ response: z.string().nullish(), task: task.nullish() }).loose()

export const completionInput = z
  .object({
    job_id: z.string().max(100),
    agent_id: z.string().max(200).nullish(),
    status: z.string().max(40).default('completed'),
    deliverable: z.string().or(jsonObject).nullish().describe('The deliverable; result.response is an alias'),
    result: result.or(z.string()).nullish(),
    error: z.string().nullish(),
    chain_id: z.number().int().nullish(),
  })
  .loose()
export type Completion = z.infer<typeof completionInput>

export const completed = z.object({
  job_id: z.string(),
  state: z.string(),
  accepted: z.boolean().describe('Whether this completion counts; only the first one does'),
  evaluation: z
    .object({ pass: z.boolean(), errors: z.array(z.string()), note: z.string().optional() })
    .optional()
    .describe('The checks of the deliverable, when it counts'),
})
export type Completed = z.infer<typeof completed>

/** Maximum length of an agent's failure message shown to the user, in characters. */
export const failureChars = 300

/** Returns the result of the schema check at once, with all validation errors. The butler applies the same rules later. */
export const evaluate = (job: Judged, examined: Examined) => {
  const findings = judgeNow({ ...job, deliverable: examined.sent }, examined)
  const checks = findings.filter(it => it.kind === 'check' && it.outcome === 'fail' && !isNamedBySchema(it))
  const faults = [...new Set([...examined.verdict.errors, ...checks.map(it => it.evidence)])]
  const note = describeWrapping(examined)
  return { pass: faults.length === 0, errors: faults, ...(note && { note }) }
}

const failedStates = new Set(['failed', 'canceled', 'rejected'])

/**
 * Interprets a completion by its content, because existing clients report a failed handler as "completed".
 * @throws Problem invalid-input without a deliverable or failure, body-too-large; the lease stays, so the agent may send it again
 */
export const outcomeOf = (completion: Completion): { deliverable: string; failure?: string } => {
  const { status, error } = completion
  const { response, task: done } = resultOf(completion)
  const state = done?.status?.state
  if (status === 'failed' || (state && failedStates.has(state)))
    return { deliverable: '', failure: error ?? textOf(done?.status?.message) ?? 'no reason given' }
  const deliverable = textOfDeliverable(completion.deliverable) || response || lastText(done?.history)
  if (deliverable && Buffer.byteLength(deliverable) > limits.deliverableBytes)
    throw new Problem('body-too-large', 'A deliverable has at most 256 KiB.')
  if (deliverable) return { deliverable }
  if (error) return { deliverable: '', failure: error }
  const said = [completion.deliverable, response, done].some(it => it !== null && it !== undefined)
  if (!said) throw new Problem('invalid-input', nothingSaid, '/deliverable')
  return { deliverable: '', failure: 'the deliverable was empty' }
}

const nothingSaid =
  'No deliverable was found. Send it as text in deliverable or result.response, or send status "failed" with error.'

const resultOf = ({ result: it }: Completion) => (typeof it === 'string' ? { response: it, task: undefined } : (it ?? {}))
const textOfDeliverable = (it: Completion['deliverable']) => (typeof it === 'string' ? it : it && JSON.stringify(it))

const textOf = (it: z.infer<typeof message> | null | undefined) => it?.parts?.find(each => each.text)?.text
const lastText = (history: z.infer<typeof message>[] | undefined) => textOf(history?.filter(it => it.role !== 'user').at(-1))
