import { z } from 'zod'
import { maybe } from '../../ports/rows/columns.ts'
import type { NewIntent } from '../../ports.ts'
import type { Tx } from '../engine/db.ts'
import { rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { intentColumns, toIntent, toPackedCall, toSoundIntents } from './intentRows.ts'

export const mayGo = `state = 'waiting' and held is null and ("after" is null or
  exists (select 1 from intent earlier where earlier.key = intent."after" and earlier.state = 'confirmed'))`

const sendable = `select ${intentColumns}, (select n.next from nonce n where n.chain_id = $1 and n.sender = $2) as next
  from intent where chain_id = $1 and sender = $2 and ${mayGo} order by seq limit $3`
const nonces = rowOf({ next: maybe(z.number()) })

/** Intents: decided effects on a chain that are still to be sent. */
export const intentTable = tableGroup(({ read, aside, write }) => ({
  addIntents: intents =>
    write(async tx => {
      const known = new Set<string>()
      for (const it of intents) {
        if (it.after !== undefined && !known.has(it.after)) await demandIntent(tx, it.after)
        addIntent(tx, it)
        known.add(it.key)
      }
    }),

  intent: async key => toIntent(await read(`select ${intentColumns} from intent where key = $1`, [key])),

  intentByHash: async (chainId, hash) =>
    toIntent(
      await read(
        `select ${intentColumns} from intent where seq = (select intent_seq from chain_transaction
          where chain_id = $1 and hash = $2)`,
        [chainId, hash],
      ),
    ),

  sendable: async (chainId, sender, limit) => {
    const rows = await read(sendable, [chainId, sender, aside.limit('intent', limit)])
    return { waiting: toSoundIntents(aside, rows), next: rows[0] && nonces.parse(rows[0]).next }
  },
}))

const columns = '(key, chain_id, sender, call, "after", state, created_at)'
const values = 'cast($1 as text), cast($2 as {BIGINT}), cast($3 as text), cast($4 as {BLOB}), cast($5 as text)'
const addFirst = `insert into intent ${columns} select ${values}, 'waiting', {NOW} where cast($5 as text) is null
  on conflict (key) do nothing returning seq`
// Locks the preceding intent, so that it cannot fail unnoticed while this one is added.
const addNext = `insert into intent ${columns} select ${values},
  case when earlier.state = 'reverted' then 'reverted' else 'waiting' end, {NOW} from intent earlier where earlier.key = $5 {LOCK}
  on conflict (key) do nothing returning seq`

/** Adds an intent without a wait for the answer. */
const addIntent = (tx: Tx, { key, chainId, sender, call, after }: NewIntent): void => {
  const params = [key, chainId, sender, toPackedCall(call), after]
  const added = tx.sql(after === undefined ? addFirst : addNext, params)
  tx.notify(
    'intents',
    added.then(rows => (rows.length > 0 ? { event: undefined } : undefined)).catch(() => undefined),
  )
}

/** @throws RangeError when there is no such intent */
const demandIntent = async ({ sql }: Tx, key: string): Promise<void> => {
  const found = await sql('select seq from intent where key = $1', [key])
  if (found.length === 0) throw new RangeError(`no intent ${key} to wait for`)
}
