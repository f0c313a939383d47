import { address } from '../../domain/hex.ts'
import type { Intent, NewIntent, Tables } from '../../ports.ts'
import type { Scope, Tx } from '../engine/db.ts'
import { insertion, rowOf } from '../engine/rows.ts'
import { intentColumns, toIntent, toPackedCall, toSoundIntents } from './intentRows.ts'

type IntentTables = Pick<Tables, 'addIntents' | 'intent' | 'intentByHash' | 'activeSenders' | 'sendable'>

const mayGo = `state = 'waiting' and held is null and ("after" is null or
  exists (select 1 from intent earlier where earlier.key = intent."after" and earlier.state = 'confirmed'))`

const senders = rowOf({ sender: address })
const active = `select sender from intent where chain_id = $1 and state = 'sent' and held is null
  union select sender from intent where chain_id = $1 and ${mayGo} order by sender`

/** Intents: decided effects on a chain that are still to be sent. */
export const intentTable = ({ read, aside, write }: Scope): IntentTables => ({
  addIntents: intents =>
    write(async tx => {
      const added = new Set<string>()
      for (const it of intents) if (await addIntent(tx, it, added)) added.add(it.key)
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

  activeSenders: async chainId => senders.all(await read(active, [chainId])).map(it => it.sender),

  sendable: async (chainId, sender, limit) =>
    toSoundIntents(
      aside,
      await read(`select ${intentColumns} from intent where chain_id = $1 and sender = $2 and ${mayGo} order by seq limit $3`, [
        chainId,
        sender,
        aside.limit('intent', limit),
      ]),
    ),
})

/** `earlier`: keys that this transaction has just added, which nobody else can see or change. @returns whether it was added */
const addIntent = async (tx: Tx, { key, chainId, sender, call, after }: NewIntent, earlier: ReadonlySet<string>) => {
  const state = after !== undefined && earlier.has(after) ? 'waiting' : await firstState(tx, after)
  const [insert, params] = insertion('intent', { key, chainId, sender, call: toPackedCall(call), after, state }, ['createdAt'])
  const added = await tx.sql(`${insert} on conflict (key) do nothing returning seq`, params)
  if (added.length > 0) tx.notify('intents')
  return added.length > 0
}

// Locks the preceding intent, so that it cannot fail unnoticed while this one is added.
const firstState = async (tx: Tx, after: string | undefined): Promise<Intent['state']> => {
  if (after === undefined) return 'waiting'
  const [before] = await tx.sql('select state from intent where key = $1 {LOCK}', [after])
  if (!before) throw new RangeError(`no intent ${after} to wait for`)
  return before.state === 'reverted' ? 'reverted' : 'waiting'
}
