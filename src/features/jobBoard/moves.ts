import { z } from 'zod'
import type { PostedJobEvent } from '../../domain/jobBoard/postedJob.ts'
import { isWithinBytes, json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type Caller, type Deps, operation } from '../../operations/operation.ts'
import { jobRecord } from '../../records/postedJob.ts'
import { movePostedJob } from './movePostedJob.ts'
import { keyOf, personId } from './people.ts'
import type { PostedJob, PostedJobPatch } from './ports.ts'

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
