import { limits } from '../domain/limits.ts'
import type { Verdict } from '../domain/schema.ts'
import type { Chain, Job } from '../ports.ts'
import { closeJob } from './closeJob.ts'
import { chainOf, type Deps } from './operation.ts'
import { payoutIntents } from './payout.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'clock'>

/**
 * Accepts the deliverable. It is paid only when the contract itself says, now, that it holds the money; otherwise the payment
 * is decided as soon as it does.
 */
export const acceptDeliverable = async ({ store, chains }: Reach, jobId: string): Promise<void> => {
  const before = await store.job(jobId)
  if (before?.state !== 'submitted') return
  if (before.budget === 0n) return acceptFree(store, jobId)
  const chain = chainOf({ chains }, before.chainId)
  const isHeld = await holdsMoney(chain, before)
  return store.atomically(async tables => {
    const job = await tables.moveJob(jobId, 'accept')
    if (job && isHeld && job.chainJobId === before.chainJobId) await tables.addIntents(payoutIntents(chain, job))
  })
}

const acceptFree = (store: Deps['store'], jobId: string): Promise<void> =>
  store.atomically(async tables => {
    if (await tables.moveJob(jobId, 'accept')) await tables.moveJob(jobId, 'confirm')
  })

const holdsMoney = async (chain: Chain, { chainJobId }: Job): Promise<boolean> => {
  if (chainJobId === undefined) return false
  // Also undefined when the chain took the job back and we have not heard of it.
  if (chain.refundableAt) return (await chain.refundableAt(chainJobId)) !== undefined
  const { status } = await chain.job(chainJobId)
  return status === 'funded' || status === 'submitted'
}

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
