import type { Verdict } from '../../domain/jobs/acceptance.ts'
import type { Examined } from '../../domain/jobs/deliverable.ts'
import { judgeDeliverable, reportVerdict } from '../../operations/hires/judgeDeliverable.ts'
import { payWithin } from '../../operations/hires/payJob.ts'
import type { Tables } from '../../ports.ts'
import { addSettlement } from './settleCall.ts'

/** No contract holds the money of a paid call. */
const noEscrow = { chain: undefined, heldUnder: undefined, settle: addSettlement }

/**
 * Judges the deliverable of a paid call inside a transaction, and decides its settlement when it passes. The checks are by code
 * alone, so the verdict needs no other write: each write waits for the disk.
 * @param examined the check of the deliverable, if it was made before
 * @returns the verdict; undefined when there is no such job
 */
export const judgePaidCall = async (tables: Tables, jobId: string, examined?: Examined): Promise<Verdict | undefined> => {
  const verdict = await judgeDeliverable({ store: tables, examined }, jobId)
  if (!verdict) return undefined
  await reportVerdict({ store: tables }, jobId, verdict)
  if (verdict.pass) await payWithin(tables, noEscrow, { id: jobId, event: 'accept' })
  return verdict
}
