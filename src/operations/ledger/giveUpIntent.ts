import { toAbandonedTexts } from '../../domain/runTexts/transactions.ts'
import type { Chain, Follower, Intent, Store } from '../../ports.ts'
import { askFollowers } from './askFollowers.ts'
import { undoStep } from './jobOfIntent.ts'

/**
 * Abandons an intent that the contract would refuse, before it costs gas, and applies the consequences for its job. An intent
 * whose effect someone else caused first is decided only after its confirmations; until then it stays as it is.
 */
export const giveUpIntent = async (
  deps: { store: Store; chain: Chain; followers: readonly Follower[] },
  { intent, reason }: { intent: Intent; reason: string },
): Promise<void> => {
  const { store, chain, followers } = deps
  for (const it of followers) if (await it.isUnconfirmed?.({ store, chain }, intent)) return
  const undo = (await askFollowers(deps, intent)) ?? (await undoStep(deps, intent, toAbandonedTexts(reason)))
  await deps.store.atomically(async tables => {
    if (await tables.giveUp(intent.seq, reason)) await undo(tables)
  })
}
