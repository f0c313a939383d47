import { isThere } from '../../operations/ledger/retractChainEvents.ts'
import type { Reach, Recorded } from './sender.ts'

/**
 * Looks up the transactions that this process recorded. A reorganisation may remove a block between its receipt and the record of
 * it. The reader of events misses that when it passed the block before the record, so the sender looks itself. A transaction
 * that is not in its block is set back to sent. One whose look failed stays for the next step.
 */
export const lookAgain = async ({ store, chain }: Reach, recorded: Recorded): Promise<void> => {
  const looks = await Promise.allSettled(
    [...recorded].map(async ([hash, mined]) => {
      if (!isThere(mined, await chain.receipt(hash))) await store.unmine([hash])
      recorded.delete(hash)
    }),
  )
  const failed = looks.find(it => it.status === 'rejected')
  if (failed) throw failed.reason
}
