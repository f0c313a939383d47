import { z } from 'zod'
import { json } from '../domain/json.ts'
import { jobDeadlines } from './job.ts'

/** Job states in `/v1/jobs`, both for posted jobs and for hires. */
export const jobStatus = z.enum(['open', 'funded', 'accepted', 'submitted', 'completed', 'rejected', 'expired', 'refunded'])

export type JobStatus = z.infer<typeof jobStatus>

export const jobRecord = z.object({
  job_id: z.string(),
  id: z.string(),
  status: jobStatus,
  description: z.string(),
  reward_amount: z.number(),
  reward_token: z.string(),
  client_id: z.string(),
  provider_id: z.string(),
  evaluator_id: z.string(),
  chain_id: z.number(),
  deliverable_uri: z.string(),
  deliverable_hash: z.string(),
  escrow: z
    .object({ state: z.string(), chain_job_id: z.string() })
    .describe(
      '`none`: the job is only a record; nothing is paid. ' +
        'A test job has no escrow either, but says `leased` while its agent works',
    ),
  reason: z.string(),
  metadata: z.looseObject({ deliverable_data: json.optional() }),
  created_at: z.string(),
  updated_at: z.string(),
  expires_at: z.string(),
  deadlines: jobDeadlines.optional().describe('Only for hires'),
})

export type JobRecord = z.infer<typeof jobRecord>
