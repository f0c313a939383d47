import { errorsOf } from '../../domain/jobs/acceptance.ts'
import { isFinal } from '../../domain/jobs/job.ts'
import type { AdvanceRun } from '../../operations/deps.ts'
import { rejectDeliverable } from '../../operations/hires/judgeDeliverable.ts'
import { describeEnd } from '../../operations/runs/readPayments.ts'
import type { Job } from '../../ports.ts'
import { judgePaidCall } from './judgePaidCall.ts'
import { paidCallsOf } from './ports.ts'

type Reach = Parameters<AdvanceRun>[1]

/**
 * Advances the run of a paid call by code alone: its deliverable is judged, and it is then settled or ends unpaid. Each step is
 * safe to repeat. Undefined for other runs.
 */
export const advancePaidCall: AdvanceRun = async (run, deps) => {
  const isPaidCall = run.target && run.jobId && (await paidCallsOf(deps.store).paidCallOfJob(run.jobId))
  if (!isPaidCall) return undefined
  const before = await deps.store.jobOfRun(run.id)
  if (before?.state === 'submitted') await judge(deps, before)
  const job = await deps.store.jobOfRun(run.id)
  const runState = { interruptId: undefined, questions: undefined, proposal: undefined, jobId: job?.id }
  if (!job || !isFinal(job.state)) return { ...runState, state: 'awaiting-job', answer: '' }
  const answer = await describeEnd(deps, job)
  await deps.store.addRunEvent(run.id, { kind: 'answer', summary: answer, data: {}, key: 'answer' })
  return { ...runState, state: job.state === 'settled' ? 'completed' : 'failed', answer }
}

/** A deliverable that passes was judged with its completion. One that fails is rejected here. */
const judge = async (deps: Reach, { id }: Job) => {
  const verdict = await deps.store.atomically(tables => judgePaidCall({ store: tables, chains: deps.chains }, id))
  if (verdict && !verdict.pass) await rejectDeliverable(deps, id, { pass: false, errors: errorsOf(verdict.criteria) })
}
