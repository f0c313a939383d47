import { toIso } from '../../domain/durations.ts'
import { sha256 } from '../../domain/json.ts'
import type { JobRecord, JobStatus } from '../../records/postedJob.ts'
import type { PostedJob } from './ports.ts'
import { renamed } from '../../operations/renamed.ts'

/** Returns the status of a posted job. Past its expiry it is shown as expired, although its row is unchanged. */
export const statusOfPostedJob = ({ state, expiresAt }: Pick<PostedJob, 'state' | 'expiresAt'>, now: number): JobStatus =>
  (state === 'open' || state === 'accepted') && expiresAt <= now ? 'expired' : state

/** A posted job in the shape of the job API. It has no escrow. */
export const toPostingRecord = (it: PostedJob, now: number): JobRecord => ({
  job_id: it.id,
  ...renamed(it, ['id', 'description', 'rewardToken', 'clientId', 'providerId', 'evaluatorId', 'chainId', 'reason']),
  status: statusOfPostedJob(it, now),
  reward_amount: Number(it.rewardAmount),
  deliverable_uri: '',
  deliverable_hash: it.deliverable === undefined ? '' : sha256(JSON.stringify(it.deliverable)),
  escrow: { state: 'none', chain_job_id: '' },
  metadata: { ...it.metadata, ...(it.deliverable !== undefined && { deliverable_data: it.deliverable }) },
  created_at: toIso(it.createdAt),
  updated_at: toIso(it.updatedAt),
  expires_at: toIso(it.expiresAt),
})
