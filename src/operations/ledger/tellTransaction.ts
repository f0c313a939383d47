import type { Hex } from '../../domain/hex.ts'
import type { Job, Tables } from '../../ports.ts'

const words: Record<string, string> = {
  hire: 'createJob, setBudget and fund, by your proxy wallet',
  submit: "submit of the deliverable's hash, by the agent wallet",
  complete: 'complete, by the evaluator',
  refund: 'refund of the escrow',
  feedback: 'feedback in the reputation registry, by your proxy wallet',
  claim: 'claimRefund, by the treasury',
  settle: 'transferWithAuthorization of the payer, by the treasury',
}

type Mined = { step: string; hash: Hex; blockNumber: bigint; success: boolean }

/** Adds a job's transaction to its run's log, once per hash. */
export const tellTransaction = (tables: Tables, job: Job, { step, hash, blockNumber, success }: Mined): Promise<void> =>
  tables.addRunEvent(job.runId, {
    kind: 'transaction',
    summary: `${words[step] ?? step}: ${hash} ${success ? 'was mined' : 'was reverted'} in block ${blockNumber}.`,
    data: { job_id: job.id, step, hash, success },
    key: `transaction:${hash}`,
  })
