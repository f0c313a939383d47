import type { z } from 'zod'
import type { NamedFile } from '../../domain/files/namedFile.ts'
import { isNamedBySchema } from '../../domain/jobs/acceptance.ts'
import { describeWrapping, type Examined, examine } from '../../domain/jobs/deliverable.ts'
import type { JobEvent } from '../../domain/jobs/job.ts'
import { limits } from '../../domain/limits.ts'
import { isStatedOnly } from '../../domain/offerings/usagePrice.ts'
import { Problem } from '../../domain/problem.ts'
import { toReportedFailure } from '../../domain/runTexts/ends.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { Job } from '../../ports.ts'
import {
  type Completed,
  type Completion,
  completed,
  completionInput,
  type completionMessage,
  usedUnits,
} from '../../records/delivery.ts'
import { resolveAgent } from '../agents/resolveAgent.ts'
import type { HeldJob } from '../deps.ts'
import { readDeliveredFiles } from '../files/jobFiles.ts'
import { closeJob } from '../hires/closeJob.ts'
import { type Judged, judgeNow } from '../hires/judgeDeliverable.ts'
import { type Caller, type Deps, operation } from '../operation.ts'
import { isProvenFor, makeStrict, mayActFor } from './access.ts'

/** Maximum length of an agent's failure message shown to the user, in characters. */
export const failureChars = 300

/** Returns the result of the schema check at once, with all validation errors. The butler applies the same rules later. */
export const evaluate = (job: Judged, examined: Examined, files?: readonly NamedFile[]) => {
  const findings = judgeNow({ ...job, deliverable: examined.sent }, examined, files)
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

const textOf = (it: z.infer<typeof completionMessage> | null | undefined) => it?.parts?.find(each => each.text)?.text
const lastText = (history: z.infer<typeof completionMessage>[] | undefined) =>
  textOf(history?.filter(it => it.role !== 'user').at(-1))

export const completeJob = operation({
  name: 'completeJob',
  summary:
    'Submit the deliverable of a job, or report that it cannot be done. Only the first completion counts; ' +
    'later ones get the same response and are ignored.',
  caller: 'anyone',
  scope: 'sell',
  input: completionInput,
  output: completed,

  async run(completion, deps, caller) {
    const { job_id } = completion
    const before = (await deps.store.job(job_id)) ?? (await findHeld(job_id, deps))
    if (!before || !(await isOwnAgent(before, completion, deps))) throw new Problem('job-not-found')
    const known = await deps.gateway.access.find(before.agentId)
    // Other callers who know the id, such as the buyer, get the same error as for an unknown job.
    if (!mayActFor(known, caller)) throw new Problem(isNamed(caller) ? 'job-not-found' : 'unauthenticated')
    deps.gateway.presence.see(before.agentId)
    const isProven = isProvenFor(known, caller)
    if (isProven) await makeStrict(deps, known)
    if (!('runId' in before)) return before.complete(completion, deps)
    const isTaker = deps.gateway.takers.isTaker(job_id, caller.source)
    return takeCompletion(before, completion, { ...deps, by: isProven ? 'agent' : isTaker ? 'taker' : 'somebody' })
  },
})

/**
 * Who sends a completion. `agent`: its owner, a holder of its secret, or its own endpoint. `taker`: the address that took the
 * job, without a credential. `somebody`: anyone else who knows the job, such as its buyer.
 */
type Reporter = 'agent' | 'taker' | 'somebody'
type Reach = Pick<Deps, 'store' | 'chains' | 'selling' | 'files'> & { by: Reporter }

const isNamed = ({ wallet, agentKey }: Caller) => wallet !== undefined || agentKey !== undefined

/**
 * Applies a completion to its job.
 * @throws Problem body-too-large, invalid-input
 */
export const takeCompletion = async (before: Job, completion: Completion, deps: Reach): Promise<Completed> => {
  const { deliverable, failure } = outcomeOf(completion)
  if (failure !== undefined) return reportFailure(before, failure, deps)

  // The conditional write decides. The reads around it only explain the result.
  const units = unitsOf(before, completion)
  const examined = examine(before.offering.deliverable, deliverable)
  const files = await readDeliveredFiles(deps, before, examined.value)
  const taken = await submit(before, { examined, files, units }, deps)
  const now = taken ?? (await deps.store.job(before.id)) ?? before
  const same = now.deliverable === deliverable || now.deliverable === examined.text
  const evaluation = evaluate(before, examined, files)
  const accepted = taken !== undefined || same
  return { job_id: now.id, state: now.state, accepted, ...(accepted && counts(now, evaluation) && { evaluation }) }
}

/** The units of a usage price. @throws Problem invalid-input for no number of units, or none where only the agent knows it */
const unitsOf = ({ terms: { usage } }: Job, { units }: Completion): number | undefined => {
  if (!usage) return undefined
  const stated = usedUnits.nullish().safeParse(units)
  if (!stated.success || (isStatedOnly(usage.unit) && typeof stated.data !== 'number')) {
    const words = `This job is charged by use: say in units how many (${usage.unit}), a whole number of at least 0.`
    throw new Problem('invalid-input', words, '/units')
  }
  return stated.data ?? undefined
}

type Submission = { examined: Examined; files: readonly NamedFile[]; units: number | undefined }

/** Stores the deliverable. That of a paid call is judged in the same write, which also decides its settlement. */
const submit = (
  job: Job,
  { examined, files, units }: Submission,
  { store, chains, selling }: Reach,
): Promise<Job | undefined> => {
  const submitted = { deliverable: examined.sent, from: job, ...(units !== undefined && { units }) }
  if (job.kind !== 'paid-call' && files.length === 0) return store.moveJob(job.id, 'submit', submitted)
  const ids = files.map(it => it.file_id)
  return store.atomically(async tables => {
    const taken = await tables.moveJob(job.id, 'submit', submitted)
    if (taken && !(await tables.useFiles(job.id, 'deliverable', ids))) throw new RangeError('a delivered file that was removed')
    if (taken && job.kind === 'paid-call') await selling?.judge({ store: tables, chains }, job.id, examined)
    return taken
  })
}

/** Whether a result may be reported. A job that will not be paid is never reported as passed. */
const counts = ({ state }: Job, { pass }: { pass: boolean }) => !pass || !unpaid.has(state)
const unpaid = new Set<Job['state']>(['rejected', 'expired', 'refunded', 'cancelled'])

const isOwnAgent = async (job: Pick<Job, 'agentId' | 'chainId'>, { agent_id }: Completion, deps: Deps) => {
  if (!agent_id || agent_id === job.agentId) return true
  return (await resolveAgent(deps, agent_id, job.chainId))?.id === job.agentId
}

/**
 * What a reported failure does. A job is over once its agent says no; from somebody, it is offered again and the attempt
 * counts.
 */
const failureEvents = { agent: 'fail', taker: 'refuse', somebody: 'requeue' } as const satisfies Record<Reporter, JobEvent>

const reportFailure = async (job: Job, failure: string, { by, ...deps }: Reach) => {
  const reason = toReportedFailure(toQuotable(failure, failureChars), by !== 'somebody')
  const event = failureEvents[by]
  const closed =
    event === 'requeue'
      ? await deps.store.moveJob(job.id, 'requeue', { reason, from: job })
      : await closeJob(deps, { job, event, reason })
  const now = closed ?? (await deps.store.job(job.id)) ?? job
  return { job_id: now.id, state: now.state, accepted: now.reason === reason }
}

/** Finds a job that is no hire, such as a test job, among those that features give to agents. */
export const findHeld = async (id: string, deps: Deps): Promise<HeldJob | undefined> => {
  for (const it of deps.otherJobs ?? []) {
    const held = await it.held?.(id, deps)
    if (held) return held
  }
  return undefined
}
