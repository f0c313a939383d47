import { z } from 'zod'
import { json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { PostedJob } from '../../ports.ts'
import { operation } from '../operation.ts'
import { jobRecord } from './jobRecord.ts'
import { movePosting } from './movePosting.ts'
import { personId, toKey } from './people.ts'

const job = { job_id: z.string().max(100), chain_id: z.coerce.number().int().optional() }
const words = z.string().max(limits.messageChars).nullish()

const isProvider = ({ providerKey }: PostedJob, key: string) => providerKey === '' || providerKey === key
const isEvaluator = ({ evaluatorKey }: PostedJob, key: string) => evaluatorKey === '' || evaluatorKey === key
/** Before somebody has it, a job is its client's to take back. */
const mayReject = (posting: PostedJob, key: string) =>
  key === posting.clientKey || (posting.state !== 'open' && (isEvaluator(posting, key) || key === posting.providerKey))

export const acceptPosting = operation({
  name: 'acceptJob',
  summary: 'Take a posted job as its provider.',
  caller: 'anyone',
  input: z.object({ ...job, provider_id: personId }),
  output: jobRecord,

  run: ({ job_id, chain_id, provider_id }, deps, caller) =>
    movePosting(
      deps,
      {
        ...{ jobId: job_id, chainId: chain_id, event: 'accept', may: isProvider },
        by: { id: provider_id, pointer: '/provider_id' },
        patch: { providerId: provider_id, providerKey: toKey(provider_id) },
      },
      caller,
    ),
})

export const submitPosting = operation({
  name: 'submitJob',
  summary: 'Hand in the deliverable of a posted job.',
  caller: 'anyone',
  input: z.object({ ...job, provider_id: personId, deliverable_data: json.default(''), description: words }),
  output: jobRecord,

  run: ({ job_id, chain_id, provider_id, deliverable_data, description }, deps, caller) =>
    movePosting(
      deps,
      {
        ...{ jobId: job_id, chainId: chain_id, event: 'submit', may: isProvider },
        by: { id: provider_id, pointer: '/provider_id' },
        patch: {
          providerId: provider_id,
          providerKey: toKey(provider_id),
          deliverable: deliverable_data,
          reason: description ?? '',
        },
      },
      caller,
    ),
})

export const completePosting = operation({
  name: 'approveJob',
  summary: 'Say as its evaluator that a posted job is done.',
  caller: 'anyone',
  input: z.object({ ...job, evaluator_id: personId, reason: words }),
  output: jobRecord,

  run: ({ job_id, chain_id, evaluator_id, reason }, deps, caller) =>
    movePosting(
      deps,
      {
        ...{ jobId: job_id, chainId: chain_id, event: 'complete', may: isEvaluator },
        by: { id: evaluator_id, pointer: '/evaluator_id' },
        patch: { reason: reason ?? '' },
      },
      caller,
    ),
})

export const rejectPosting = operation({
  name: 'rejectJob',
  summary: 'Refuse what was handed in, or take a posted job back.',
  caller: 'anyone',
  input: z.object({ ...job, rejector_id: personId, reason: words }),
  output: jobRecord,

  run: ({ job_id, chain_id, rejector_id, reason }, deps, caller) =>
    movePosting(
      deps,
      {
        ...{ jobId: job_id, chainId: chain_id, event: 'reject', may: mayReject },
        by: { id: rejector_id, pointer: '/rejector_id' },
        patch: { reason: reason ?? '' },
      },
      caller,
    ),
})
