import { hourMs, minuteMs } from '../domain/durations.ts'
import { toRefundedBy } from '../domain/jobs/deadlines.ts'
import type { Deps } from '../operations/operation.ts'
import type { Chain, Job } from '../ports.ts'
import { everyPage } from './everyPage.ts'
import type { Worker } from './loop.ts'

type Reach = Pick<Deps, 'store' | 'clock'>

/** Margin in ms: the contract compares with the block's time, which may lag behind ours. */
const marginMs = 30_000
/** Time in ms that a pending payment of accepted work gets before the refund is claimed. */
const settlementGraceMs = hourMs

/** Claims refunds of one chain once the contract allows anyone to do it. This is the last resort of every job. */
export const claimRefunds = (deps: Reach, chain: Chain): Worker => ({
  name: `claimRefunds ${chain.chainId}`,
  channel: 'deadlines',
  idleMs: minuteMs,
  async runOnce() {
    await everyPage(deps.store.expiredEscrows, chain.chainId, job => claim(deps, chain, job))
    return false
  },
})

const claim = async ({ store, clock }: Reach, chain: Chain, job: Job) => {
  const { id, chainId, chainJobId, deadlines, state } = job
  if (chainJobId === undefined) return
  // A new key each hour, so that a failed claim is repeated hourly.
  const key = `job:${id}:claim:${Math.floor((clock.now() - deadlines.expiresAt) / hourMs)}`
  if (await store.intent(key)) return
  const refundableAt = chain.refundableAt ? await chain.refundableAt(chainJobId) : toRefundedBy(deadlines)
  if (refundableAt === undefined) return
  const graceMs = state === 'settling' ? settlementGraceMs : 0
  if (clock.now() < refundableAt + marginMs + graceMs) return
  await store.addIntents([{ key, chainId, sender: chain.treasury, call: chain.claimRefund(chainJobId), after: undefined }])
}
