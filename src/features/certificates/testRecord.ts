import { toIso } from '../../domain/durations.ts'
import type { TestRecord } from '../../records/testJob.ts'
import type { TestJob } from './ports.ts'
import { testStateOf } from './testDelivery.ts'

export const toTestRecord = (it: TestJob, now: number): TestRecord => ({
  test_id: it.id,
  agent_id: it.agentId,
  offering_id: it.offering.id,
  offering_version: it.offeringVersion,
  input: it.input,
  state: testStateOf(it, now),
  sent_at: toIso(it.createdAt),
  submit_by: toIso(it.submitBy),
  ...(it.leasedAt !== undefined && { picked_up_ms: it.leasedAt - it.createdAt }),
  ...(it.endedAt !== undefined && { answered_ms: it.endedAt - it.createdAt }),
  ...(it.deliverable !== undefined && { deliverable: it.deliverable }),
  reason: it.failure,
  checks: it.criteria,
  passes: it.criteria.filter(check => check.outcome === 'pass').length,
})
