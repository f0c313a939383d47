import { closeJob } from '../operations/hires/closeJob.ts'
import type { Deps } from '../operations/operation.ts'
import { everyPage } from './everyPage.ts'
import type { Worker } from './loop.ts'

const reason = 'The agent did not deliver within its promise.'

/**
 * Ends jobs of one chain whose promise or attempts ran out. Their escrow goes back, unless something that passed was handed in
 * before. Each chain has its own worker: one that does not answer delays its own jobs only.
 */
export const expireJobs = (deps: Pick<Deps, 'store' | 'chains'>, chainId: number): Worker => ({
  name: `expireJobs ${chainId}`,
  channel: 'deadlines',
  idleMs: 1_000,
  async runOnce() {
    await everyPage(deps.store.overdueJobs, chainId, job => closeJob(deps, { job, event: 'expire', reason }))
    return false
  },
})
