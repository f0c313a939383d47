import { type Mined, toTransactionText } from '../../domain/runTexts/transactions.ts'
import type { Job, Tables } from '../../ports.ts'

/** Adds a job's transaction to its run's log, once per hash. */
export const reportTransaction = (tables: Tables, job: Job, mined: Mined): Promise<unknown> =>
  tables.addRunEvent(job.runId, {
    kind: 'transaction',
    summary: toTransactionText(mined),
    data: { job_id: job.id, step: mined.step, hash: mined.hash, success: mined.success },
    key: `transaction:${mined.hash}`,
  })
