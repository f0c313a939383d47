import { errorsOf } from '../domain/jobs/acceptance.ts'
import { neverFunded } from '../domain/runTexts/ends.ts'
import { acceptDeliverable, describeVerdict, judgeDeliverable, rejectDeliverable } from '../operations/hires/judgeDeliverable.ts'
import type { Deps } from '../operations/operation.ts'
import type { Job } from '../ports.ts'
import { everyPage } from './everyPage.ts'
import { inSequence } from './inSequence.ts'
import type { Worker } from './loop.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'clock' | 'selling'>

/**
 * Ends jobs of one chain whatever their runs do. A deliverable that was not judged in time gets the verdict of its checks, and
 * a hire that can no longer be mined is cancelled.
 */
export const endJobs = (deps: Reach, chainId: number): Worker => ({
  name: `endJobs ${chainId}`,
  channel: 'deadlines',
  idleMs: 3_000,
  async runOnce() {
    const { store } = deps
    const steps = [
      () => everyPage(store.unjudgedJobs, chainId, job => judge(deps, job)),
      () => everyPage(store.unfundedJobs, chainId, job => giveUp(deps, job)),
    ]
    await inSequence(steps, step => step())
    return false
  },
})

/** The deliverable is judged as the butler would have judged it, so a missed deadline favours neither side. */
const judge = async (deps: Reach, job: Job) => {
  const verdict = await judgeDeliverable(deps, job.id)
  if (!verdict) return
  await deps.store.addRunEvent(job.runId, describeVerdict(job, verdict, true))
  if (verdict.pass) return acceptDeliverable(deps, job.id)
  return rejectDeliverable(deps, job.id, { pass: false, errors: errorsOf(verdict.criteria) })
}

/** The signed hire has expired, so the contract refuses it and the job can never be funded. */
const giveUp = ({ store }: Reach, { id }: Job) => store.moveJob(id, 'cancel', { reason: neverFunded })
