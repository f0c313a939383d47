import { limits } from '../domain/limits.ts'
import type { Verdict } from '../domain/schema.ts'
import { closeJob } from './closeJob.ts'
import { chainOf, type Deps } from './operation.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'clock'>

/** Accepts: the agent wallet submits the deliverable's hash, then the evaluator completes and the escrow pays. */
export const acceptDeliverable = async ({ store, chains }: Reach, jobId: string): Promise<void> =>
  store.atomically(async tables => {
    const job = await tables.moveJob(jobId, 'accept')
    if (!job) return
    if (job.chainJobId === undefined) return void (await tables.moveJob(jobId, 'confirm')) // a free job has no escrow
    const chain = chainOf({ chains }, job.chainId)
    const submit = `job:${jobId}:submit`
    const { chainId } = job
    await tables.addIntents([
      {
        key: submit,
        chainId,
        sender: job.agentWallet,
        call: chain.submit(job.chainJobId, job.deliverable ?? ''),
        after: undefined,
      },
      {
        key: `job:${jobId}:complete`,
        chainId,
        sender: chain.evaluator,
        call: chain.complete(job.chainJobId, 'accepted'),
        after: submit,
      },
    ])
  })

/** Sends the job back to its agent while promise and attempts last; false when they do not. */
export const reviseDeliverable = async ({ store, clock }: Reach, jobId: string, verdict: Verdict): Promise<boolean> => {
  const job = await store.job(jobId)
  if (!job) return false
  if (job.state === 'queued' || job.state === 'leased') return true // done before this node was cut short
  if (job.attempt >= limits.attempts || clock.now() >= job.deadlines.submitBy) return false
  return (await store.moveJob(jobId, 'revise', { reason: verdict.errors.join(' ').slice(0, 500) })) !== undefined
}

/** Rejects for good: the evaluator returns the escrow to the user. */
export const rejectDeliverable = async (deps: Reach, jobId: string, verdict: Verdict): Promise<void> => {
  const job = await deps.store.job(jobId)
  if (job)
    await closeJob(deps, {
      job,
      event: 'reject',
      reason: `The deliverable breaks its schema: ${verdict.errors.join(' ')}`.slice(0, 500),
    })
}
