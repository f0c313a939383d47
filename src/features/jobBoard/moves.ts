import { z } from 'zod'
import { goalOf, nextPostedJob, type PostedJobEvent, postedJobState } from '../../domain/jobBoard/postedJob.ts'
import { isWithinBytes, json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { type Caller, type Deps, operation } from '../../operations/operation.ts'
import { type JobRecord, jobRecord } from '../../records/postedJob.ts'
import { checkAuthor, checkProven, keyOf, personId } from './people.ts'
import { boardOf, type PostedJob, type PostedJobPatch } from './ports.ts'
import { statusOfPostedJob, toPostingRecord } from './postingRecord.ts'

type Move = {
  jobId: string
  chainId: number | undefined
  event: PostedJobEvent
  by: { id: string; pointer: string }
  /** Whether this person of the job may do it. The provider is the first one to accept. */
  may(postedJob: PostedJob, key: string): boolean
  patch: PostedJobPatch
}

/**
 * Moves a posted job as its table allows. A repeated step by the same person returns the current state, because existing
 * clients repeat requests whose answer was lost.
 * @throws Problem job-not-found, wrong-owner, job-taken, job-already-closed
 */
const movePostedJob = async (deps: Deps, { jobId, chainId, event, by, may, patch }: Move, caller: Caller): Promise<JobRecord> => {
  // An evaluator may be a contract, which cannot have a token, so a token is not checked there.
  if (event !== 'complete') checkAuthor(by.id, caller, by.pointer)
  const board = boardOf(deps.store)
  const before = await board.postedJob(jobId)
  if (!before || (chainId !== undefined && before.chainId !== chainId)) throw new Problem('job-not-found')
  checkProven(before, by.id, caller)
  const key = await keyOf(deps, by.id)
  if (!may(before, key)) throw new Problem('job-taken', 'Another user or agent has this role in the job.', by.pointer)
  const to = goalOf[event]
  const from = postedJobState.options.filter(state => nextPostedJob(state, event) === to)
  // The conditional write decides. What follows only explains the result.
  const moved = await board.movePostedJob(jobId, { from, to, patch })
  const now = deps.clock.now()
  if (moved) return toPostingRecord(moved, now)
  const after = (await board.postedJob(jobId)) ?? before
  if (after.state === to && may(after, key)) return toPostingRecord(after, now)
  throw new Problem('job-already-closed', `The job is ${statusOfPostedJob(after, now)}.`)
}

const job = { job_id: z.string().max(100), chain_id: z.coerce.number().int().optional() }
const words = z.string().max(limits.messageChars).nullish()

const deliverable = json.refine(
  it => isWithinBytes(it, limits.deliverableBytes),
  `has at most ${limits.deliverableBytes / 1024} KiB as JSON`,
)

const isProvider = ({ providerKey }: PostedJob, key: string) => providerKey === '' || providerKey === key
const isEvaluator = ({ evaluatorKey }: PostedJob, key: string) => evaluatorKey === '' || evaluatorKey === key
/** Before a provider has accepted it, only the client may withdraw a job. */
const mayReject = (postedJob: PostedJob, key: string) =>
  key === postedJob.clientKey || (postedJob.state !== 'open' && (isEvaluator(postedJob, key) || key === postedJob.providerKey))

type Of = { job_id: string; chain_id?: number | undefined }
type Doing = { by: string; patch: PostedJobPatch }

/** Builds one step of a posted job from its event, the request member that names the acting person, and the permission check. */
const step =
  (event: PostedJobEvent, member: string, may: (postedJob: PostedJob, key: string) => boolean) =>
  ({ job_id, chain_id }: Of, { by, patch }: Doing, { deps, caller }: { deps: Deps; caller: Caller }) =>
    movePostedJob(deps, { jobId: job_id, chainId: chain_id, event, may, by: { id: by, pointer: `/${member}` }, patch }, caller)

const accept = step('accept', 'provider_id', isProvider)
const submit = step('submit', 'provider_id', isProvider)
const complete = step('complete', 'evaluator_id', isEvaluator)
const reject = step('reject', 'rejector_id', mayReject)

const providedBy = async (deps: Deps, id: string, { wallet }: Caller) => {
  const providerKey = await keyOf(deps, id)
  return { providerId: id, providerKey, ...(wallet === providerKey && { isProviderProven: true }) }
}
const because = (reason: string | null | undefined) => ({ reason: reason ?? '' })

export const acceptPosting = operation({
  name: 'acceptJob',
  summary: 'Accept a posted job as its provider.',
  caller: 'anyone',
  scope: 'sell',
  input: z.object({ ...job, provider_id: personId }),
  output: jobRecord,

  run: async (it, deps, caller) =>
    accept(it, { by: it.provider_id, patch: await providedBy(deps, it.provider_id, caller) }, { deps, caller }),
})

export const submitPosting = operation({
  name: 'submitJob',
  summary: 'Submit the deliverable of a posted job.',
  caller: 'anyone',
  scope: 'sell',
  input: z.object({ ...job, provider_id: personId, deliverable_data: deliverable.default(''), description: words }),
  output: jobRecord,

  async run({ provider_id, deliverable_data, description, ...of }, deps, caller) {
    const patch = { ...(await providedBy(deps, provider_id, caller)), ...because(description), deliverable: deliverable_data }
    return submit(of, { by: provider_id, patch }, { deps, caller })
  },
})

export const completePosting = operation({
  name: 'approveJob',
  summary: 'Accept the deliverable of a posted job as its evaluator.',
  caller: 'anyone',
  scope: 'hire',
  input: z.object({ ...job, evaluator_id: personId, reason: words }),
  output: jobRecord,

  run: (it, deps, caller) => complete(it, { by: it.evaluator_id, patch: because(it.reason) }, { deps, caller }),
})

export const rejectPosting = operation({
  name: 'rejectJob',
  summary: 'Reject the deliverable of a posted job, or withdraw the job.',
  caller: 'anyone',
  scope: 'hire',
  input: z.object({ ...job, rejector_id: personId, reason: words }),
  output: jobRecord,

  run: (it, deps, caller) => reject(it, { by: it.rejector_id, patch: because(it.reason) }, { deps, caller }),
})
