import type { Chain, Job, NewIntent, Tables } from '../ports.ts'
import { chainOf, type Deps } from './operation.ts'

type Closing = { job: Job; event: 'fail' | 'reject' | 'expire' | 'withdraw'; reason: string }

/**
 * Ends a job without a payment: the move and the intent that returns the escrow are one write.
 * @returns the job, or undefined when the table of moves does not allow it any more
 */
export const closeJob = async (deps: Pick<Deps, 'store' | 'chains'>, of: Closing): Promise<Job | undefined> => {
  const chain = of.job.budget === 0n ? undefined : chainOf(deps, of.job.chainId)
  return deps.store.atomically(tables => closeWithin(tables, chain, of))
}

/** As closeJob, inside a transaction; a free job needs no chain. */
export const closeWithin = async (
  tables: Tables,
  chain: Chain | undefined,
  { job, event, reason }: Closing,
): Promise<Job | undefined> => {
  const closed = await tables.moveJob(job.id, event, { reason })
  if (!closed) return undefined
  if (!chain) return tables.moveJob(job.id, 'refund') // a free job has no escrow
  // A job whose funding was taken back has nothing to return; when it is back, its refund is decided then.
  await tables.addIntents(refundIntent(chain, closed, reason))
  return closed
}

/** The evaluator's reject, which returns the escrow to the user: at most one a job. */
export const refundIntent = (chain: Chain, { id, chainId, chainJobId }: Job, reason: string): NewIntent[] =>
  chainJobId === undefined
    ? []
    : [{ key: `job:${id}:refund`, chainId, sender: chain.evaluator, call: chain.reject(chainJobId, reason), after: undefined }]
