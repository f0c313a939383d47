import type { Hex } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money/money.ts'
import { type Mined, toTransactionText } from '../../domain/runTexts/transactions.ts'
import type { Job, Tables } from '../../ports.ts'

type Step = 'escrow' | 'payout' | 'unused' | 'refund' | 'purchase'

/** The job whose money is moved. A purchase has only a run. */
type Subject = { id: string | undefined; chainId: number; runId: string }

/** A movement of money. `rail` starts its key if no escrow pays: `x402:<id>`. */
export type Booking = { rail?: string; step: Step; txHash: Hex; legs: [account: string, amount: Atomic][] }

const reversed = ':reversed'
/** Postings are append-only. A reverted movement is reversed by another posting, and a repeated one gets a number. */
const keyOf = (key: string, round: number) => `${key}${round === 0 ? '' : `:${round + 1}`}`
const firstKey = ({ id }: Subject, { rail = `job:${id}`, step }: Pick<Booking, 'rail' | 'step'>) => `${rail}:${step}`

export const book = async (tables: Tables, job: Subject, booking: Booking): Promise<void> => {
  const first = firstKey(job, booking)
  const entries = booking.legs.map(([account, amount]) => ({ account, amount }))
  const { id: jobId, chainId, runId } = job
  const post = (key: string) => tables.post({ key, chainId, jobId, runId, txHash: booking.txHash, entries })
  // Only a movement that was posted before can have been reversed.
  if (await post(first)) return
  const round = await roundOf(tables, job, first)
  if (round > 0) await post(keyOf(first, round))
}

/** Reverses the last posting of a step, once; does nothing when there is none. */
export const unbook = async (tables: Tables, job: Subject, booking: Pick<Booking, 'rail' | 'step'>): Promise<void> => {
  const first = firstKey(job, booking)
  const key = keyOf(first, await roundOf(tables, job, first))
  const rows = (await tables.ledger({ runId: job.runId })).filter(it => it.key === key)
  const [posting] = rows
  if (!posting) return
  const entries = rows.map(({ account, amount }) => ({ account, amount: -amount }))
  const { chainId, jobId, runId, txHash } = posting
  await tables.post({ key: `${key}${reversed}`, chainId, jobId, runId, txHash, entries })
}

const roundOf = async (tables: Tables, { runId }: Subject, first: string): Promise<number> => {
  const rows = await tables.ledger({ runId })
  const backwards = rows.filter(it => it.key.startsWith(first) && it.key.endsWith(reversed))
  return new Set(backwards.map(it => it.key)).size
}

/** The rows of postings that were not reversed. */
export const withoutReversed = <T extends { key: string }>(rows: T[]): T[] => {
  const keys = new Set(rows.map(it => it.key))
  return rows.filter(it => !it.key.endsWith(reversed) && !keys.has(`${it.key}${reversed}`))
}

/** Adds a job's transaction to its run's log, once per hash. */
export const reportTransaction = (tables: Tables, job: Job, mined: Mined): Promise<unknown> =>
  tables.addRunEvent(job.runId, {
    kind: 'transaction',
    summary: toTransactionText(mined),
    data: { job_id: job.id, step: mined.step, hash: mined.hash, success: mined.success },
    key: `transaction:${mined.hash}`,
  })
