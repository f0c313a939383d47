import type { Verdict } from '../../domain/jobs/acceptance.ts'
import type { Examined } from '../../domain/jobs/deliverable.ts'
import type { SettlingReach } from '../../operations/deps.ts'
import { judgeDeliverable, reportVerdict } from '../../operations/hires/judgeDeliverable.ts'
import { payWithin } from '../../operations/hires/payJob.ts'
import { addSettlement } from './settleCall.ts'

/**
 * Judges the deliverable of a paid call inside a transaction, and decides its settlement when it passes. The checks are by code
 * alone, so the verdict needs no other write: each write waits for the disk.
 * @param examined the check of the deliverable, if it was made before
 * @returns the verdict; undefined when there is no such job
 */
export const judgePaidCall = async (
  { store, chains }: SettlingReach,
  jobId: string,
  examined?: Examined,
): Promise<Verdict | undefined> => {
  const verdict = await judgeDeliverable({ store, examined }, jobId)
  if (!verdict) return undefined
  await reportVerdict({ store }, jobId, verdict)
  // No contract holds the money of a paid call.
  const position = { chain: undefined, heldUnder: undefined, settle: toSettle(chains) }
  if (verdict.pass) await payWithin(store, position, { id: jobId, event: 'accept' })
  return verdict
}

const toSettle =
  (chains: SettlingReach['chains']): Parameters<typeof payWithin>[1]['settle'] =>
  (store, job) =>
    addSettlement({ store, chains }, job)
