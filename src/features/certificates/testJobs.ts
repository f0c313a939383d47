import { z } from 'zod'
import type { AgentId } from '../../domain/agents/agentId.ts'
import { dayMs, toIso } from '../../domain/durations.ts'
import { sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type Finding, ok, warning } from '../../domain/offerings/diagnosis.ts'
import { Problem } from '../../domain/problem.ts'
import type { Deps, HeldJob, OtherJobs } from '../../operations/deps.ts'
import { operation, userOf } from '../../operations/operation.ts'
import { renamed } from '../../operations/renamed.ts'
import { waitUntil } from '../../operations/waiting.ts'
import type { JobRecord, JobStatus } from '../../records/postedJob.ts'
import { type TestRecord, testRecord } from '../../records/testJob.ts'
import { type TestJob, testsOf } from './ports.ts'
import { takeTestCompletion, testStateOf, toTestTerms } from './testDelivery.ts'

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
  ...renamed(it, ['agentId', 'offeringVersion', 'input']),
  offering_id: it.offering.id,
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

/** Test jobs in the job API and in the gateway, beside hires. */
export const testJobs: OtherJobs = {
  async read(id, { store, clock }, { wallet }) {
    const test = await testsOf(store).testJob(id)
    return test && test.owner === wallet ? toTestJobRecord(test, clock.now()) : undefined
  },

  async lease(agentId, { store }) {
    const job = await testsOf(store).leaseTestJob(agentId)
    if (!job) return undefined
    const of = { job_id: job.id, agent_id: job.agentId, chain_id: job.chainId }
    return { ...of, job_input: job.input, ...toTestTerms(job) }
  },

  async held(id, { store }) {
    const job = await testsOf(store).testJob(id)
    return job && toHeld(job)
  },

  diagnose: (agentId, deps) => diagnose(agentId, deps),
}

const toHeld = (job: TestJob): HeldJob => ({
  id: job.id,
  agentId: job.agentId,
  chainId: job.chainId,
  async complete(completion, deps) {
    if (await testsOf(deps.store).loseTestCompletion(job.id))
      throw new Problem('busy', 'This test job loses one answer on purpose. Send it again.')
    return takeTestCompletion(job, completion, deps)
  },
})

const diagnose = async (agentId: AgentId, { store, clock }: Deps): Promise<Finding> => {
  const ended = (await testsOf(store).testJobsSince(agentId, clock.now() - dayMs))
    .map(it => ({ offering: it.offering.id, state: testStateOf(it, clock.now()) }))
    .filter(it => it.state !== 'queued' && it.state !== 'leased')
  const last = ended.at(-1)
  const remedy = 'Send it one, which costs nothing: market agent test'
  if (!last) return warning('tested', 'No test job ended in the last 24 hours.', remedy)
  if (last.state === 'passed') return ok('tested', `Its last test job, of ${last.offering}, passed.`)
  const words = last.state === 'failed' ? 'failed' : 'was not answered in time'
  return warning('tested', `Its last test job, of ${last.offering}, ${words}.`, remedy)
}

const testWords: Record<ReturnType<typeof testStateOf>, JobStatus> = {
  queued: 'open',
  leased: 'accepted',
  passed: 'completed',
  failed: 'rejected',
  expired: 'expired',
}

/** A test job in the shape of the job API. Agents confirm the calls that they get by this record. */
const toTestJobRecord = (job: TestJob, now: number): JobRecord => {
  const state = testStateOf(job, now)
  return {
    job_id: job.id,
    id: job.id,
    status: testWords[state],
    description: `${job.offering.name}: ${job.input}`,
    reward_amount: 0,
    reward_token: 'USDC',
    client_id: `user:${job.owner}`,
    provider_id: job.agentId,
    evaluator_id: '',
    chain_id: job.chainId,
    deliverable_uri: '',
    deliverable_hash: job.deliverable === undefined ? '' : sha256(job.deliverable),
    escrow: { state: state === 'leased' ? 'leased' : 'none', chain_job_id: '' },
    reason: job.failure,
    metadata: { offering_id: job.offering.id, test: true },
    created_at: toIso(job.createdAt),
    updated_at: toIso(job.endedAt ?? job.leasedAt ?? job.createdAt),
    expires_at: toIso(job.submitBy),
  }
}
