import { toIso } from '../../domain/durations.ts'
import { deliverableFor, type JobState } from '../../domain/jobs/job.ts'
import { type JsonObject, jsonObject, sha256 } from '../../domain/json.ts'
import type { ListedJob } from '../../ports.ts'
import type { JobRecord, JobStatus } from '../../records/postedJob.ts'
import { renamed } from '../renamed.ts'
import { toDeadlines } from '../runs/runRecord.ts'

/** The only mapping of job states to the words of existing clients. */
const words: Record<JobState, JobStatus> = {
  open: 'open',
  escrowed: 'funded',
  queued: 'funded',
  leased: 'funded',
  submitted: 'submitted',
  settling: 'submitted',
  settled: 'completed',
  rejected: 'rejected',
  expired: 'expired',
  refunded: 'refunded',
  cancelled: 'expired',
}

export const toHiredRecord = (job: ListedJob): JobRecord => ({
  job_id: job.id,
  ...renamed(job, ['id', 'chainId', 'reason']),
  status: words[job.state],
  description: `${job.terms.offeringName}: ${job.terms.input}`,
  reward_amount: Number(job.terms.total),
  reward_token: 'USDC',
  client_id: `user:${job.user}`,
  provider_id: job.agentId,
  evaluator_id: '',
  deliverable_uri: '',
  deliverable_hash: sha256Of(deliverableFor(job)),
  escrow: { state: job.state, chain_job_id: String(job.chainJobId ?? '') },
  metadata: describeHire(job),
  created_at: toIso(job.createdAt),
  updated_at: toIso(job.updatedAt),
  expires_at: toIso(job.deadlines.expiresAt),
  deadlines: toDeadlines(job),
})

const sha256Of = (text: string | undefined) => (text === undefined ? '' : sha256(text))

const describeHire = (job: ListedJob): JsonObject => {
  const deliverable = deliverableFor(job)
  return jsonObject.parse({
    run_id: job.runId,
    offering_id: job.terms.offeringId,
    ...(deliverable !== undefined && { deliverable_data: deliverable }),
  })
}
