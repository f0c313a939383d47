import type { Hex } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money.ts'
import type { Job, Tables } from '../../ports.ts'

export type Booking = { step: 'escrow' | 'payout' | 'refund'; txHash: Hex; legs: [account: string, amount: Atomic][] }

const reversed = ':reversed'
/** Postings are append-only. A reverted movement is reversed by another posting, and a repeated one gets a number. */
const keyOf = (jobId: string, step: string, round: number) => `job:${jobId}:${step}${round === 0 ? '' : `:${round + 1}`}`

/** Posts a movement of a job's money. */
export const book = async (tables: Tables, job: Job, { step, txHash, legs }: Booking): Promise<void> => {
  const round = await roundOf(tables, job, step)
  const entries = legs.map(([account, amount]) => ({ account, amount }))
  const { id: jobId, chainId, runId } = job
  await tables.post({ key: keyOf(jobId, step, round), chainId, jobId, runId, txHash, entries })
}

/** Reverses the last posting of a step, once; does nothing when there is none. */
export const unbook = async (tables: Tables, job: Job, step: Booking['step']): Promise<void> => {
  const key = keyOf(job.id, step, await roundOf(tables, job, step))
  const rows = (await tables.ledger({ jobId: job.id })).filter(it => it.key === key)
  const [first] = rows
  if (!first) return
  const entries = rows.map(({ account, amount }) => ({ account, amount: -amount }))
  const { chainId, jobId, runId, txHash } = first
  await tables.post({ key: `${key}${reversed}`, chainId, jobId, runId, txHash, entries })
}

/** Number of reversals of a step. */
const roundOf = async (tables: Tables, { id }: Job, step: string): Promise<number> => {
  const rows = await tables.ledger({ jobId: id })
  const backwards = rows.filter(it => it.key.startsWith(`job:${id}:${step}`) && it.key.endsWith(reversed))
  return new Set(backwards.map(it => it.key)).size
}

/** The rows of postings that were not reversed. */
export const withoutReversed = <T extends { key: string }>(rows: T[]): T[] => {
  const keys = new Set(rows.map(it => it.key))
  return rows.filter(it => !it.key.endsWith(reversed) && !keys.has(`${it.key}${reversed}`))
}
