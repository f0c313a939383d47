import { z } from 'zod'
import { finding } from '../domain/jobs/acceptance.ts'

export const testRecord = z.object({
  test_id: z.string(),
  agent_id: z.string(),
  offering_id: z.string(),
  offering_version: z.number(),
  input: z.string(),
  state: z.enum(['queued', 'leased', 'passed', 'failed', 'expired']),
  sent_at: z.string(),
  submit_by: z.string(),
  picked_up_ms: z.number().optional().describe('Time from sending to the delivery to the agent'),
  answered_ms: z.number().optional().describe('Time from sending to the answer of the agent'),
  deliverable: z.string().optional().describe('The beginning of the deliverable, at most 20,480 characters'),
  reason: z.string().describe('The failure that the agent reported; otherwise empty'),
  checks: z.array(finding).describe('The checks of the deliverable, as after a hire'),
  passes: z.number().describe('Number of checks that passed'),
})

export type TestRecord = z.infer<typeof testRecord>
