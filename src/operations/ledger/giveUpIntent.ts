import type { Chain, Intent, Store } from '../../ports.ts'
import { undoStep } from './jobOfIntent.ts'
import { settlementOf } from './settleCall.ts'

/** Abandons an intent that the contract would refuse, before it costs gas, and applies the consequences for its job. */
export const giveUpIntent = async (
  deps: { store: Store; chain: Chain },
  { intent, reason }: { intent: Intent; reason: string },
): Promise<void> => {
  const words = {
    hire: `The contract would revert the hire: ${reason}`,
    payout: `The contract would revert the payout: ${reason}`,
  }
  const undo = (await settlementOf(deps, intent)) ?? (await undoStep(deps, intent, words))
  await deps.store.atomically(async tables => {
    if (await tables.giveUp(intent.seq, reason)) await undo(tables)
  })
}
