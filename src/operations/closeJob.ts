import type { Chain, Job, NewIntent } from '../ports.ts'
import { chainOf, type Deps } from './operation.ts'

/**
 * Ends a job without a payment: the move and the intent that returns the escrow are one write.
 * @returns the job, or undefined when the table of moves does not allow it any more
 */
export const closeJob = async (
  deps: Pick<Deps, 'store' | 'chains'>,
  { job, event, reason }: { job: Job; event: 'fail' | 'reject' | 'expire'; reason: string },
): Promise<Job | undefined> =>
  deps.store.atomically(async tables => {
    const closed = await tables.moveJob(job.id, event, { reason })
    if (!closed) return undefined
    if (closed.chainJobId === undefined) return tables.moveJob(job.id, 'refund') // a free job has no escrow
    await tables.addIntents(refundIntent(chainOf(deps, job.chainId), closed, reason))
    return closed
  })

/** The evaluator's reject, which returns the escrow to the user: at most one a job. */
export const refundIntent = (chain: Chain, { id, chainId, chainJobId }: Job, reason: string): NewIntent[] =>
  chainJobId === undefined
    ? []
    : [{ key: `job:${id}:refund`, chainId, sender: chain.evaluator, call: chain.reject(chainJobId, reason), after: undefined }]
