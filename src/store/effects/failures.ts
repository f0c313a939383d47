import { unminedStates } from '../../ports/rows/effects.ts'
import type { Tx } from '../engine/db.ts'
import { hasRow, quoted } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { failDependents } from './transactions.ts'

const count = `update intent set doubts = doubts + 1, doubt_head = $2, doubt_at = {NOW}
  where seq = $1 and state in (${quoted(unminedStates)})
  and (doubt_head is null or doubt_head < $2 or doubt_at + $3 < {NOW})`

/** Intents that may fail: counted preflight failures, giving up, and reopening. */
export const failureTable = tableGroup(({ read, write }) => ({
  countFailure: (seq, { head, staleHeadMs }) =>
    write(async ({ sql }) => {
      await sql(count, [seq, head, staleHeadMs])
      const [row] = await sql('select doubts from intent where seq = $1', [seq])
      return Number(row?.doubts ?? 0)
    }),

  giveUp: (seq, reason) => write(tx => giveUp(tx, seq, reason)),

  reopenIntent: (seq, nonce) =>
    write(async ({ sql, notify }) => {
      const reopened = await sql(
        `update intent set state = 'waiting', nonce = null, hash = null, doubts = 0, doubt_head = null
         where seq = $1 and nonce = $2 and state = 'sent' returning seq`,
        [seq, nonce],
      )
      if (reopened.length === 0) return false
      await sql('update chain_transaction set retired = 1 where intent_seq = $1 and nonce = $2', [seq, nonce])
      notify('intents')
      return true
    }),

  hasEarlier: async (chainId, sender, seq) => {
    const earlier = `select 1 from intent where chain_id = $1 and sender = $2 and seq < $3
      and state in (${quoted(unminedStates)}) limit 1`
    return hasRow(read(earlier, [chainId, sender, seq]))
  },
}))

const giveUp = async (tx: Tx, seq: number, reason: string): Promise<boolean> => {
  const [fallen] = await tx.sql(
    `update intent set state = 'reverted', reason = $2 where seq = $1 and state = 'waiting' returning key`,
    [seq, reason],
  )
  if (!fallen) return false
  tx.notify(`intent:${fallen.key}`)
  await failDependents(tx, String(fallen.key))
  return true
}
