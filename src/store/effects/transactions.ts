import { z } from 'zod'
import { address, hex } from '../../domain/hex.ts'
import { maybe, whole } from '../../ports/rows/columns.ts'
import { unminedStates } from '../../ports/rows/effects.ts'
import type { Flight, Intent, Mined, SignedTransaction } from '../../ports.ts'
import { followedBy, type Tx } from '../engine/db.ts'
import { pack, packedText } from '../engine/packed.ts'
import { quoted, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { intentColumns, toSoundIntents } from './intentRows.ts'

/** The bytes of a signed transaction, which are packed as hex. */
export const rawBytes = packedText.pipe(hex)
const signedRow = { hash: hex, raw: rawBytes, nonce: z.number() }
const sent = rowOf({ ...signedRow, intentSeq: z.number() })
const waiting = rowOf({ ...signedRow, intentSeq: z.number(), waitedMs: z.number() })
const journaled = rowOf({
  ...signedRow,
  sender: address,
  blockNumber: maybe(whole),
  blockTime: maybe(z.number()),
  blockIndex: maybe(z.number()),
})

const costs = rowOf({ raw: rawBytes, at: z.number() })

/**
 * An intent may be sent again only when its predecessor is confirmed. A reorganisation can revert the predecessor after both
 * were sent.
 */
export const inOrder = `held is null and ("after" is null or
  exists (select 1 from intent earlier where earlier.key = intent."after" and earlier.state = 'confirmed'))`

/** Signed transactions of intents: bytes, nonces and the blocks that include them. */
export const transactionTable = tableGroup(({ read, aside, write }) => ({
  inFlight: async (chainId, sender) => {
    const flying = `from intent where chain_id = $1 and sender = $2 and state = 'sent' and ${inOrder}`
    const signed = `select hash as key, ${sent.columns}, {NOW} - signed_at as waited_ms from chain_transaction
      where retired = 0 and intent_seq in (select seq ${flying}) order by signed_at, hash`
    // At once, so that they cost one round trip. A transaction without its intent, or the reverse, is seen in the next step.
    const [sentIntents, rows] = await Promise.all([
      read(`select ${intentColumns} ${flying} order by nonce`, [chainId, sender]),
      read(signed, [chainId, sender]),
    ])
    const intents = toSoundIntents(aside, sentIntents)
    const transactions = Map.groupBy(aside.sound('chain_transaction', waiting, rows), it => it.intentSeq)
    return intents.map(intent => toFlight(intent, transactions.get(intent.seq) ?? []))
  },

  recordMined: seen => write(tx => recordMined(tx, seen)),

  minedSince: async ({ chainId, sender, sinceMs, limit }) =>
    costs.all(
      await read(
        `select raw, signed_at as at from chain_transaction where chain_id = $1 and sender = $2 and retired = 0
         and block_number is not null and signed_at > {NOW} - $3 order by nonce desc limit $4`,
        [chainId, sender, sinceMs, limit],
      ),
    ),

  journal: async chainId => {
    const select = `select ${journaled.columns} from chain_transaction where chain_id = $1 and retired = 0
      order by case when block_number is null then 1 else 0 end, block_number, block_index, intent_seq, signed_at`
    return journaled
      .all(await read(select, [chainId]))
      .map(row => ({ ...toSigned(row), sender: row.sender, mined: toMined(row) }))
  },
}))

type Sent = SignedTransaction & { waitedMs: number }

/** The columns of a signed transaction. */
export const toSignedRow = ({ hash, raw, nonce }: SignedTransaction) => ({ hash, raw: pack(raw), nonce })

const toFlight = (intent: Intent, transactions: Sent[]): Flight => ({
  intent,
  transactions: transactions.map(toSigned),
  waitedMs: Math.min(...transactions.map(it => it.waitedMs)),
})

const toSigned = ({ hash, raw, nonce }: SignedTransaction): SignedTransaction => ({ hash, raw, nonce })

type Placed = { blockNumber: bigint | undefined; blockTime: number | undefined; blockIndex: number | undefined }

const toMined = ({ blockNumber, blockTime, blockIndex }: Placed): Mined | undefined =>
  blockNumber === undefined || blockTime === undefined || blockIndex === undefined
    ? undefined
    : { blockNumber, blockTime, index: blockIndex }

const settle = `update intent set state = $2, hash = $3 where seq = $1 and state = 'sent'
  and exists (select 1 from chain_transaction t where t.intent_seq = $1 and t.hash = $3) returning key
  ${followedBy} update chain_transaction set block_number = $4, block_time = $5, block_index = $6 where hash = $3 and {ADDED}`

type Seen = { seq: number; hash: string; mined: Mined; success: boolean }

const recordMined = async (tx: Tx, { seq, hash, mined, success }: Seen): Promise<boolean> => {
  const { blockNumber, blockTime, index } = mined
  const [intent] = await tx.sql(settle, [seq, success ? 'confirmed' : 'reverted', hash, blockNumber, blockTime, index])
  if (!intent) return false
  tx.notify(`intent:${intent.key}`)
  if (success) tx.notify('intents')
  else await failDependents(tx, String(intent.key))
  return true
}

const dependents = `with recursive fallen (key) as (
    select key from intent where "after" = $1 and state in (${quoted(unminedStates)})
    union select i.key from intent i join fallen f on i."after" = f.key where i.state in (${quoted(unminedStates)})
  )`

/**
 * Fails every intent that waited for a failed one. Such an intent was already sent only when a reorganisation reverted its
 * predecessor. Its transaction is then retired, so that its nonce is free.
 */
export const failDependents = async (tx: Tx, key: string) => {
  await tx.sql(
    `${dependents} update chain_transaction set retired = 1 where block_number is null
     and intent_seq in (select seq from intent where key in (select key from fallen))`,
    [key],
  )
  const rows = await tx.sql(
    `${dependents} update intent set state = 'reverted' where key in (select key from fallen) returning key`,
    [key],
  )
  for (const row of rows) tx.notify(`intent:${row.key}`)
}
