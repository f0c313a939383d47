import { toAbandonedTexts } from '../../domain/runTexts/transactions.ts'
import type { Chain, Follower, Intent, Store } from '../../ports.ts'
import { askFollowers } from './askFollowers.ts'
import { undoStep } from './jobOfIntent.ts'
import { isTransferUnconfirmed, settlementOf } from './settleCall.ts'

/**
 * Abandons an intent that the contract would refuse, before it costs gas, and applies the consequences for its job. A settlement
 * that someone else sent first is decided only after its confirmations; until then the intent stays as it is.
 */
export const giveUpIntent = async (
  deps: { store: Store; chain: Chain; followers: readonly Follower[] },
  { intent, reason }: { intent: Intent; reason: string },
): Promise<void> => {
  if (await isTransferUnconfirmed(deps, intent)) return
  const undo =
    (await settlementOf(deps, intent)) ??
    (await askFollowers(deps, intent)) ??
    (await undoStep(deps, intent, toAbandonedTexts(reason)))
  await deps.store.atomically(async tables => {
    if (await tables.giveUp(intent.seq, reason)) await undo(tables)
  })
}
