import { errorsOf } from '../../domain/jobs/acceptance.ts'
import { isFinal } from '../../domain/jobs/job.ts'
import type { Butler, Job, Run } from '../../ports.ts'
import { describeEnd } from '../hires/describeEnd.ts'
import { rejectDeliverable } from '../hires/judgeDeliverable.ts'
import { judgePaidCall } from '../hires/judgePaidCall.ts'
import type { Deps } from '../operation.ts'
import { runStateOf } from '../purchases/followPurchase.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'clock'>
type RunStep = Awaited<ReturnType<Butler['advance']>>

/** Adds paid calls and direct purchases to a butler: their runs advance by code alone, and all other runs by the butler. */
export const withPaidCalls = (deps: Reach, butler: Butler): Butler => ({
  async advance(run, lease) {
    const isPaidCall = run.target && run.jobId && (await deps.store.paidCallOfJob(run.jobId))
    if (isPaidCall) return advancePaidCall(deps, run)
    const purchase = run.jobId ? undefined : await deps.store.purchase(run.id)
    if (!purchase || purchase.isByButler) return butler.advance(run, lease)
    return { ...runStateOf(purchase), interruptId: undefined, questions: undefined, proposal: undefined, jobId: undefined }
  },
})

/** Judges the deliverable of a paid call, which is then settled or ends unpaid. Each step is safe to repeat. */
const advancePaidCall = async (deps: Reach, run: Run): Promise<RunStep> => {
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
  const verdict = await deps.store.atomically(tables => judgePaidCall(tables, id))
  if (verdict && !verdict.pass) await rejectDeliverable(deps, id, { pass: false, errors: errorsOf(verdict.criteria) })
}
