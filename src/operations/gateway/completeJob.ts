import { z } from 'zod'
import { isNamedBySchema } from '../../domain/acceptance.ts'
import { describeWrapping, type Fitted, fitDeliverable } from '../../domain/deliverable.ts'
import { jsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { toQuotable } from '../../domain/quotableText.ts'
import { toReportedFailure } from '../../domain/runTexts/reportedFailures.ts'
import { checkDeliverable } from '../../domain/schema.ts'
import type { Job } from '../../ports.ts'
import { resolveAgent } from '../agents/resolveAgent.ts'
import { closeJob } from '../hires/closeJob.ts'
import { judgeNow } from '../hires/judgeDeliverable.ts'
import { type Caller, type Deps, operation } from '../operation.ts'
import { isProvenFor, latch, mayActFor } from './access.ts'

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
type Completion = z.infer<typeof completionInput>

const output = z.object({
  job_id: z.string(),
  state: z.string(),
  accepted: z.boolean().describe('Whether this completion counts; only the first one does'),
  evaluation: z
    .object({ pass: z.boolean(), errors: z.array(z.string()), note: z.string().optional() })
    .optional()
    .describe('The checks of the deliverable, when it counts'),
})

export const completeJob = operation({
  name: 'completeJob',
  summary:
    'Submit the deliverable of a job, or report that it cannot be done. Only the first completion counts; later ones get the same response and are ignored.',
  caller: 'anyone',
  input: completionInput,
  output,

  async run(completion, deps, caller) {
    const before = await deps.store.job(completion.job_id)
    if (!before || !(await isOwnAgent(before, completion, deps))) throw new Problem('job-not-found')
    const known = await deps.gateway.access.find(before.agentId)
    // Other callers who know the id, such as the buyer, get the same error as for an unknown job.
    if (!mayActFor(known, caller)) throw new Problem(isNamed(caller) ? 'job-not-found' : 'unauthenticated')
    deps.gateway.presence.see(before.agentId)
    const isProven = isProvenFor(known, caller)
    if (isProven) await latch(deps, known)
    return takeCompletion(before, completion, { ...deps, isProven })
  },
})

type Reach = Pick<Deps, 'store' | 'chains'> & { isProven: boolean }

const isNamed = ({ wallet, agentKey }: Caller) => wallet !== undefined || agentKey !== undefined

/**
 * Applies a completion to its job.
 * @param deps.isProven whether the agent itself sent it: its owner, a holder of its secret, or its own endpoint
 * @throws Problem body-too-large, invalid-input
 */
export const takeCompletion = async (before: Job, completion: Completion, deps: Reach): Promise<z.infer<typeof output>> => {
  const { deliverable, failure } = outcomeOf(completion)
  if (failure !== undefined) return reportFailure(before, failure, deps)
  if (Buffer.byteLength(deliverable) > limits.deliverableBytes)
    throw new Problem('body-too-large', 'A deliverable has at most 256 KiB.')

  // The conditional write decides. The reads around it only explain the result.
  const taken = await deps.store.moveJob(before.id, 'submit', { deliverable })
  const now = taken ?? (await deps.store.job(before.id)) ?? before
  const fitted = fitDeliverable(before.offering.deliverable, deliverable)
  const same = now.deliverable === deliverable || now.deliverable === fitted.text
  const evaluation = evaluate(before, fitted)
  const accepted = taken !== undefined || same
  return { job_id: now.id, state: now.state, accepted, ...(accepted && counts(now, evaluation) && { evaluation }) }
}

/** Returns the result of the schema check at once, with all validation errors. The butler applies the same rules later. */
const evaluate = (job: Job, fitted: Fitted) => {
  const { errors } = checkDeliverable(job.offering.deliverable, fitted.text)
  const checks = judgeNow({ ...job, deliverable: fitted.text }).filter(it => it.kind === 'check' && it.outcome === 'fail')
  const faults = [...new Set([...errors, ...checks.filter(it => !isNamedBySchema(it)).map(it => it.evidence)])]
  const note = describeWrapping(fitted)
  return { pass: faults.length === 0, errors: faults, ...(note && { note }) }
}

/** Whether a result may be reported. A job that will not be paid is never reported as passed. */
const counts = ({ state }: Job, { pass }: { pass: boolean }) => !pass || !unpaid.has(state)
const unpaid = new Set<Job['state']>(['rejected', 'expired', 'refunded', 'cancelled'])

const isOwnAgent = async (job: Job, { agent_id }: Completion, deps: Deps) => {
  if (!agent_id || agent_id === job.agentId) return true
  return (await resolveAgent(deps, agent_id, job.chainId))?.id === job.agentId
}

/**
 * A failure without a credential does not end the job, because anyone can send it. The job is requeued, and the attempt counts.
 */
const reportFailure = async (job: Job, failure: string, { isProven, ...deps }: Reach) => {
  const reason = toReportedFailure(toQuotable(failure, failureChars), isProven)
  const closed = isProven
    ? await closeJob(deps, { job, event: 'fail', reason })
    : await deps.store.moveJob(job.id, 'requeue', { reason })
  const now = closed ?? (await deps.store.job(job.id)) ?? job
  return { job_id: now.id, state: now.state, accepted: now.reason === reason }
}

/** Maximum length of an agent's failure message shown to the user, in characters. */
const failureChars = 300

const failedStates = new Set(['failed', 'canceled', 'rejected'])

/**
 * Interprets a completion by its content, because existing clients report a failed handler as "completed".
 * @throws Problem invalid-input without a deliverable or failure; the lease stays, so the agent may send it again
 */
export const outcomeOf = (completion: Completion): { deliverable: string; failure?: string } => {
  const { status, error } = completion
  const { response, task: done } = resultOf(completion)
  const state = done?.status?.state
  if (status === 'failed' || (state && failedStates.has(state)))
    return { deliverable: '', failure: error ?? textOf(done?.status?.message) ?? 'no reason given' }
  const deliverable = textOfDeliverable(completion.deliverable) || response || lastText(done?.history)
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
