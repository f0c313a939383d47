import type { Hex } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money.ts'
import type { Job, Tables } from '../../ports.ts'

export type Booking = { step: 'escrow' | 'payout' | 'refund'; txHash: Hex; legs: [account: string, amount: Atomic][] }

const reversed = ':reversed'
/** The postings are append only: what the chain took back is booked backwards, and what comes again gets a number. */
const keyOf = (jobId: string, step: string, round: number) => `job:${jobId}:${step}${round === 0 ? '' : `:${round + 1}`}`

/** Books a movement of a job's money. */
export const book = async (tables: Tables, job: Job, { step, txHash, legs }: Booking): Promise<void> => {
  const round = await roundOf(tables, job, step)
  const entries = legs.map(([account, amount]) => ({ account, amount }))
  const { id: jobId, chainId, runId } = job
  await tables.post({ key: keyOf(jobId, step, round), chainId, jobId, runId, txHash, entries })
}

/** Books the last movement of a step backwards, once; nothing when there is none. */
export const unbook = async (tables: Tables, job: Job, step: Booking['step']): Promise<void> => {
  const key = keyOf(job.id, step, await roundOf(tables, job, step))
  const rows = (await tables.ledger({ jobId: job.id })).filter(it => it.key === key)
  const [first] = rows
  if (!first) return
  const entries = rows.map(({ account, amount }) => ({ account, amount: -amount }))
  const { chainId, jobId, runId, txHash } = first
  await tables.post({ key: `${key}${reversed}`, chainId, jobId, runId, txHash, entries })
}

/** How often a step was booked backwards. */
const roundOf = async (tables: Tables, { id }: Job, step: string): Promise<number> => {
  const rows = await tables.ledger({ jobId: id })
  const backwards = rows.filter(it => it.key.startsWith(`job:${id}:${step}`) && it.key.endsWith(reversed))
  return new Set(backwards.map(it => it.key)).size
}

/** Rows that stand: what was booked backwards never happened, as far as anybody is concerned now. */
export const standing = <T extends { key: string }>(rows: T[]): T[] => {
  const keys = new Set(rows.map(it => it.key))
  return rows.filter(it => !it.key.endsWith(reversed) && !keys.has(`${it.key}${reversed}`))
}
