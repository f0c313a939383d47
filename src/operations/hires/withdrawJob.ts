import { cancelledByUser as reason } from '../../domain/runTexts/ends.ts'
import type { Job, Tables } from '../../ports.ts'
import { chainOf, type Deps } from '../operation.ts'
import { closeWithin } from './closeJob.ts'

/** Whether a job ended because its user cancelled it. */
export const isWithdrawn = (job: Pick<Job, 'reason'>): boolean => job.reason === reason

/** Withdraws a job inside a transaction; undefined when the agent has it, or when the hire is not mined yet. */
export const withdrawJob = (tables: Tables, deps: Pick<Deps, 'chains'>, job: Job): Promise<Job | undefined> =>
  closeWithin(tables, job.kind === 'hire' ? chainOf(deps, job.chainId) : undefined, { job, event: 'withdraw', reason })
