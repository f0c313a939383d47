import { cancelledByUser as reason } from '../../domain/runTexts/ends.ts'
import type { Chain, Job, Tables } from '../../ports.ts'
import { refundIntent } from '../ledger/payout.ts'
import { chainOf, type Deps } from '../operation.ts'
import { payWithin, readEscrowPosition, settlingOf } from './payJob.ts'

type Closing = { job: Job; event: 'fail' | 'refuse' | 'reject' | 'expire' | 'withdraw'; reason: string }

/** The events used instead when an earlier deliverable passed its checks, so that it is paid. */
const payingBy = { fail: 'waive', refuse: 'waive', reject: 'recall', expire: 'waive' } as const

/**
 * Ends a job without an accepted deliverable. It is unpaid, unless an earlier deliverable passed. The move and the intent that
 * refunds or releases the escrow are one write.
 * @returns the job, or undefined when the table of moves does not allow it any more
 */
export const closeJob = async (
  deps: Pick<Deps, 'store' | 'chains' | 'selling'>,
  of: Closing & { event: keyof typeof payingBy },
): Promise<Job | undefined> => {
  const { id, kept, kind, chainId } = of.job
  const chain = kind === 'hire' ? chainOf(deps, chainId) : undefined
  const position = kept ? await readEscrowPosition(deps, of.job) : { chain, heldUnder: undefined, settle: settlingOf(deps) }
  const paying = { id, event: payingBy[of.event], reason: of.reason, from: of.job }
  return deps.store.atomically(
    async tables => (await payWithin(tables, position, paying)) ?? (await closeWithin(tables, chain, of)),
  )
}

/** Ends a job without a payment, inside a transaction. A free job needs no chain. */
export const closeWithin = async (
  tables: Tables,
  chain: Chain | undefined,
  { job, event, reason }: Closing,
): Promise<Job | undefined> => {
  const closed = await tables.moveJob(job.id, event, { reason, from: job })
  if (!closed) return undefined
  if (!chain) return tables.moveJob(job.id, 'refund', { from: closed }) // a free job has no escrow
  // A job whose funding was reverted has nothing to refund. If the funding returns, its refund is decided then.
  await tables.addIntents(refundIntent(chain, closed, reason))
  return closed
}

/** Whether a job ended because its user cancelled it. */
export const isWithdrawn = (job: Pick<Job, 'reason'>): boolean => job.reason === reason

/** Withdraws a job inside a transaction; undefined when the agent has it, or when the hire is not mined yet. */
export const withdrawJob = (tables: Tables, deps: Pick<Deps, 'chains'>, job: Job): Promise<Job | undefined> =>
  closeWithin(tables, job.kind === 'hire' ? chainOf(deps, job.chainId) : undefined, { job, event: 'withdraw', reason })
