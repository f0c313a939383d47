import { toRefundedBy } from '../domain/deadlines.ts'
import { hourMs, minuteMs } from '../domain/durations.ts'
import type { Deps } from '../operations/operation.ts'
import type { Chain, Job } from '../ports.ts'
import { everyPage } from './everyPage.ts'
import type { Worker } from './loop.ts'

type Reach = Pick<Deps, 'store' | 'clock'>

/** The contract goes by the time of the block: one that lags behind ours would refuse. */
const marginMs = 30_000
/** A payment of accepted work that is under way is not overtaken at once. */
const patienceMs = hourMs

/** Fetches money of one chain that is still in escrow when the contract lets anyone return it: the last resort of every job. */
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
  // A refused try is tried again, once an hour.
  const key = `job:${id}:claim:${Math.floor((clock.now() - deadlines.expiresAt) / hourMs)}`
  if (await store.intent(key)) return
  const refundableAt = chain.refundableAt ? await chain.refundableAt(chainJobId) : toRefundedBy(deadlines)
  if (refundableAt === undefined) return
  const patience = state === 'settling' ? patienceMs : 0
  if (clock.now() < refundableAt + marginMs + patience) return
  await store.addIntents([{ key, chainId, sender: chain.treasury, call: chain.claimRefund(chainJobId), after: undefined }])
}
