import { isStoredDigest } from '../../domain/consent/digest.ts'
import { proposal, toDigest } from '../../domain/runs/proposal.ts'
import { toPurchaseDigest } from '../../domain/x402/purchase.ts'
import type { Purchase, SigningReference, Tables } from '../../ports.ts'

type Records = Pick<Tables, 'consents' | 'mandateYes' | 'planYes' | 'runEvents'>

/** Whether the user consented to these terms or to the plan of this step, or a mandate was drawn on for exactly this amount. */
export const isAgreed = async (store: Records, { runId, digest, amount }: SigningReference): Promise<boolean> => {
  const isKnown = async (stored: string) =>
    (await store.consents(runId)).includes(stored) ||
    (await store.mandateYes(runId, stored)) === amount ||
    (await store.planYes(runId, stored)) === amount
  if (await isKnown(digest)) return true
  for (const stored of await shortDigests(store, runId, digest)) if (await isKnown(stored)) return true
  return false
}

const eventsRead = 1_000

/**
 * The shorter digests that an earlier release showed for exactly these terms. The proposal in the run's log is compared in
 * full, so that other terms whose digest only begins alike are not agreed.
 */
const shortDigests = async (store: Records, runId: string, digest: string): Promise<string[]> =>
  (await store.runEvents(runId, 0, eventsRead)).flatMap(({ kind, data }) => {
    const shown = kind === 'proposed' ? proposal.safeParse(data.proposal).data : undefined
    return shown && shown.digest !== digest && toDigest(shown) === digest ? [shown.digest] : []
  })

/** The digest of a purchase as it is stored beside its terms; the one of these terms if they do not fit. */
export const digestOf = (purchase: Purchase): string => {
  const full = toPurchaseDigest(purchase)
  return isStoredDigest(purchase.digest, full) ? purchase.digest : full
}
