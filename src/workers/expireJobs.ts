import { closeJob } from '../operations/hires/closeJob.ts'
import type { Deps } from '../operations/operation.ts'
import { inTurn } from './inTurn.ts'
import type { Worker } from './loop.ts'

const atOnce = 100
const reason = 'The agent did not deliver within its promise.'

/** Ends jobs whose promise or attempts ran out. Their escrow goes back, unless something that passed was handed in before. */
export const expireJobs = (deps: Pick<Deps, 'store' | 'chains'>): Worker => ({
  name: 'expireJobs',
  channel: 'deadlines',
  idleMs: 1_000,
  async runOnce() {
    const overdue = await deps.store.overdueJobs(atOnce)
    // Jobs of a chain that is not served now, or does not answer, wait for it; the others must not wait for them.
    const ours = overdue.filter(it => deps.chains.has(it.chainId))
    await inTurn(ours, job => closeJob(deps, { job, event: 'expire', reason }))
    return ours.length === atOnce
  },
})
