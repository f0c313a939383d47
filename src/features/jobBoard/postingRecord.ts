import { toIso } from '../../domain/durations.ts'
import type { Address } from '../../domain/hex.ts'
import { sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { Deps, OtherJobs } from '../../operations/deps.ts'
import { renamed } from '../../operations/renamed.ts'
import type { JobRecord, JobStatus } from '../../records/postedJob.ts'
import { boardOf, type PostedJob } from './ports.ts'

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

export const postedJobs: OtherJobs = {
  async read(id, { store, clock }) {
    const found = await boardOf(store).postedJob(id)
    return found && toPostingRecord(found, clock.now())
  },

  async list({ role, ...of }, deps) {
    const now = deps.clock.now()
    return (await postedJobsOf(deps, of, role)).map(it => toPostingRecord(it, now))
  },
}

type Of = { wallet: Address; chainId?: number }
type Role = 'client' | 'provider' | 'evaluator' | 'any'

/** Posted jobs have their own limit, so that they do not displace the caller's hires. */
const postedJobsOf = async ({ store }: Deps, of: Of, as: Role): Promise<PostedJob[]> => {
  const roles = as === 'any' ? (['client', 'provider', 'evaluator'] as const) : [as]
  const limitOf = (it: Role) => (it === 'evaluator' ? limits.postedJobsNamingEvaluator : limits.pageRows)
  const found = await Promise.all(roles.map(it => boardOf(store).postedJobsOf({ ...of, role: it, limit: limitOf(it) })))
  return onceEach(found.flat())
}

const onceEach = (found: PostedJob[]): PostedJob[] => [...new Map(found.map(it => [it.id, it])).values()]
