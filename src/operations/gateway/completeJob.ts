import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { checkDeliverable } from '../../domain/schema.ts'
import { toQuotable } from '../../domain/strangersText.ts'
import type { Job } from '../../ports.ts'
import { resolveAgent } from '../agents/resolveAgent.ts'
import { closeJob } from '../hires/closeJob.ts'
import { type Caller, type Deps, operation } from '../operation.ts'
import { mayActFor } from './access.ts'

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
    result: result.nullish(),
    error: z.string().nullish(),
    chain_id: z.number().int().nullish(),
  })
  .loose()
type Completion = z.infer<typeof completionInput>

const output = z.object({
  job_id: z.string(),
  state: z.string(),
  accepted: z.boolean().describe('Whether this completion is the one that counts'),
  evaluation: z.object({ pass: z.boolean(), errors: z.array(z.string()) }).optional(),
})

export const completeJob = operation({
  name: 'completeJob',
  summary:
    'Hand in the deliverable of a job, or say that it cannot be done. The first completion counts; later ones are answered and ignored.',
  caller: 'anyone',
  input: completionInput,
  output,

  async run(completion, deps, caller) {
    const before = await deps.store.job(completion.job_id)
    if (!before || !(await isOwnAgent(before, completion, deps))) throw new Problem('job-not-found')
    const known = await deps.gateway.access.find(before.agentId)
    // Whoever knows the id from elsewhere, as its buyer does, is not told more than that.
    if (!mayActFor(known, caller)) throw new Problem(isNamed(caller) ? 'job-not-found' : 'unauthenticated')
    deps.gateway.presence.see(before.agentId)
    return takeCompletion(before, completion, deps)
  },
})

const isNamed = ({ wallet, agentKey }: Caller) => wallet !== undefined || agentKey !== undefined

/** What a completion means for its job, by whichever way it came. @throws Problem body-too-large */
export const takeCompletion = async (
  before: Job,
  completion: Completion,
  deps: Pick<Deps, 'store' | 'chains'>,
): Promise<z.infer<typeof output>> => {
  const { deliverable, failure } = outcomeOf(completion)
  if (failure !== undefined) return reportFailure(before, failure, deps)
  if (Buffer.byteLength(deliverable) > limits.deliverableBytes)
    throw new Problem('body-too-large', 'A deliverable has at most 256 KiB.')

  // The write decides; the reads around it only explain.
  const taken = await deps.store.moveJob(before.id, 'submit', { deliverable })
  const now = taken ?? (await deps.store.job(before.id)) ?? before
  const same = now.deliverable === deliverable
  const evaluation = checkDeliverable(before.offering.deliverable, deliverable)
  return { job_id: now.id, state: now.state, accepted: taken !== undefined || same, evaluation }
}

const isOwnAgent = async (job: Job, { agent_id }: Completion, deps: Deps) => {
  if (!agent_id || agent_id === job.agentId) return true
  return (await resolveAgent(deps, agent_id, job.chainId))?.id === job.agentId
}

const reportFailure = async (job: Job, failure: string, deps: Pick<Deps, 'store' | 'chains'>) => {
  const reason = `The agent could not do it: "${toQuotable(failure, failureChars)}".`
  const closed = await closeJob(deps, { job, event: 'fail', reason })
  const now = closed ?? (await deps.store.job(job.id)) ?? job
  return { job_id: now.id, state: now.state, accepted: now.reason === reason }
}

/** An agent's own words on why it failed, as its user reads them. */
const failureChars = 300

const failedStates = new Set(['failed', 'canceled', 'rejected'])

/** What the completion means, whatever words it uses: existing clients report a failed handler as "completed". */
const outcomeOf = ({ status, result, error }: Completion): { deliverable: string; failure?: string } => {
  const state = result?.task?.status?.state
  const said = lastText(result?.task?.history)
  const deliverable = result?.response || said || ''
  if (status === 'failed' || (state && failedStates.has(state))) {
    return { deliverable: '', failure: error ?? textOf(result?.task?.status?.message) ?? 'no reason given' }
  }
  return deliverable ? { deliverable } : { deliverable: '', failure: 'the deliverable was empty' }
}

const textOf = (it: z.infer<typeof message> | null | undefined) => it?.parts?.find(each => each.text)?.text
const lastText = (history: z.infer<typeof message>[] | undefined) => textOf(history?.filter(it => it.role !== 'user').at(-1))
