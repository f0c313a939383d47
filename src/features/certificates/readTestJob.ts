import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { operation, userOf } from '../../operations/operation.ts'
import { waitUntil } from '../../operations/waiting.ts'
import { type TestRecord, testRecord } from '../../records/testJob.ts'
import { type TestJob, testsOf } from './ports.ts'
import { testStateOf } from './testDelivery.ts'

export const readTestJob = operation({
  name: 'readTestJob',
  summary: 'One of your test jobs, kept for a day.',
  scope: 'look',
  input: z.object({
    test_id: z.string().max(100),
    timeout: z.coerce.number().min(0).max(3600).default(0).describe('Seconds to wait for its end, at most 25'),
  }),
  output: testRecord,

  async run({ test_id, timeout }, deps, caller) {
    const owner = userOf(caller)
    const read = async () => {
      const job = await testsOf(deps.store).testJob(test_id)
      if (!job || job.owner !== owner) throw new Problem('job-not-found')
      return job
    }
    const isEnded = (job: Awaited<ReturnType<typeof read>>) => !['queued', 'leased'].includes(testStateOf(job, deps.clock.now()))
    await read()
    const deadline = deps.clock.now() + Math.min(timeout * 1000, limits.pollWaitMs)
    await waitUntil(deps, { channel: `test:${test_id}`, deadline, signal: caller.signal }, async () => {
      const job = await read()
      return isEnded(job) ? job : undefined
    })
    return toTestRecord(await read(), deps.clock.now())
  },
})

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
