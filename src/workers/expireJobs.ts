import { toUndelivered } from '../domain/runTexts/ends.ts'
import { closeJob } from '../operations/hires/closeJob.ts'
import type { Deps } from '../operations/operation.ts'
import { takeOver } from '../operations/plans/describePlan.ts'
import type { Job } from '../ports.ts'
import { everyPage } from './everyPage.ts'
import type { Worker } from './loop.ts'

/**
 * Ends jobs of one chain that missed their deadline or used up their attempts. Their escrow is refunded, unless an earlier
 * deliverable passed its checks. A step of a plan that its agent does not take goes to its standby in time. Each chain has its own
 * worker, so a chain that does not answer delays only its own jobs.
 */
export const expireJobs = (deps: Pick<Deps, 'store' | 'chains' | 'clock' | 'selling'>, chainId: number): Worker => ({
  name: `expireJobs ${chainId}`,
  channel: 'deadlines',
  idleMs: 3_000,
  async runOnce() {
    await everyPage(deps.store.overdueJobs, chainId, job =>
      closeJob(deps, { job, event: 'expire', reason: toUndelivered(job.reason, isLate(job, deps)) }),
    )
    await everyPage(deps.store.untakenSteps, chainId, job => takeOver(deps, job))
    return false
  },
})

/** Whether the time for the deliverable is over. Otherwise the deliveries are used up. */
const isLate = ({ deadlines }: Job, { clock }: Pick<Deps, 'clock'>): boolean => clock.now() >= deadlines.submitBy
