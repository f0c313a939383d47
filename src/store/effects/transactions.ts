import { z } from 'zod'
import { type Address, address, hex } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { maybe, whole } from '../../ports/rows/columns.ts'
import { unminedStates } from '../../ports/rows/effects.ts'
import type { Active, Flight, Intent, Mined, SignedTransaction } from '../../ports.ts'
import { type Aside, followedBy, type Row, type Tx } from '../engine/db.ts'
import { pack, packedText } from '../engine/packed.ts'
import { quoted, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { intentColumnsOf, toSoundIntents } from './intentRows.ts'
import { mayGo } from './intents.ts'

/** The bytes of a signed transaction, which are packed as hex. */
export const rawBytes = packedText.pipe(hex)
const signedRow = { hash: hex, raw: rawBytes, nonce: z.number() }
const waiting = rowOf({ ...signedRow, intentSeq: z.number(), waitedMs: z.number() })
const journaled = rowOf({
  ...signedRow,
  sender: address,
  blockNumber: maybe(whole),
  blockTime: maybe(z.number()),
  blockIndex: maybe(z.number()),
})

const nonces = rowOf({ next: maybe(z.number()) })

const costs = rowOf({ raw: rawBytes, at: z.number() })

/**
 * An intent may be sent again only when its predecessor is confirmed. A reorganisation can revert the predecessor after both
 * were sent.
 */
export const inOrder = `held is null and ("after" is null or
  exists (select 1 from intent earlier where earlier.key = intent."after" and earlier.state = 'confirmed'))`

// One read of all wallets of a chain, because a database may be far away.
const active = `select ${intentColumnsOf('i')}, n.next, t.hash as signed_hash, t.raw, t.nonce as signed_nonce,
    {NOW} - t.signed_at as waited_ms,
    (select count(*) from intent later where later."after" = i.key and later.state = 'waiting') as followers
  from intent i left join nonce n on n.chain_id = i.chain_id and n.sender = i.sender
  left join chain_transaction t on i.state = 'sent' and t.intent_seq = i.seq and t.retired = 0
  where i.seq in (select seq from intent where chain_id = $1 and state = 'sent' and ${inOrder}
    union all select seq from (select seq, row_number() over (partition by sender order by seq) as place
      from intent where chain_id = $1 and ${mayGo}) w where place <= $2)
  order by i.sender, i.nonce, i.seq, t.signed_at, t.hash`

/** Signed transactions of intents: bytes, nonces and the blocks that include them. */
export const transactionTable = tableGroup(({ read, aside, write, alone }) => ({
  activeSenders: async chainId => {
    const rows = await read(active, [chainId, aside.limit('intent', limits.inFlight)])
    return [...Map.groupBy(rows, row => address.parse(row.sender))].map(([sender, of]) => toActive(aside, sender, of))
  },

  recordMined: async ({ key, ...seen }) => {
    if (!alone || key === undefined || !seen.success) return write(tx => recordMined(tx, seen))
    // The sender of the chain is in this process.
    const here = (row: Row) => (Number(row.has_waiting) === 1 ? ['intents'] : [])
    return (await alone(settle, toSettled(seen), { channels: [`intent:${key}`], here })) !== undefined
  },

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

/** Groups rows by intent: a sent intent has one row for each of its transactions. */
const toActive = (aside: Aside, sender: Address, rows: Row[]): Active => {
  const intents = toSoundIntents(aside, [...new Map(rows.map(row => [row.seq, row])).values()])
  const signed = rows.flatMap(row =>
    row.signed_hash === null
      ? []
      : {
          key: row.signed_hash,
          hash: row.signed_hash,
          raw: row.raw,
          nonce: row.signed_nonce,
          intent_seq: row.seq,
          waited_ms: row.waited_ms,
        },
  )
  const transactions = Map.groupBy(aside.sound('chain_transaction', waiting, signed), it => it.intentSeq)
  const flights = intents.flatMap(it => (it.state === 'sent' ? toFlight(it, transactions.get(it.seq) ?? []) : []))
  const hasNext = rows.some(row => Number(row.followers) > 0)
  return {
    sender,
    flights,
    hasNext,
    waiting: intents.filter(it => it.state === 'waiting'),
    next: rows[0] && nonces.parse(rows[0]).next,
  }
}

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
  and exists (select 1 from chain_transaction t where t.intent_seq = $1 and t.hash = $3)
  returning key, case when exists (select 1 from intent w where w.chain_id = intent.chain_id and w.state = 'waiting')
    then 1 else 0 end as has_waiting
  ${followedBy} update chain_transaction set block_number = $4, block_time = $5, block_index = $6 where hash = $3 and {ADDED}`

type Seen = { seq: number; hash: string; mined: Mined; success: boolean }

const toSettled = ({ seq, hash, mined: { blockNumber, blockTime, index }, success }: Seen) => [
  ...[seq, success ? 'confirmed' : 'reverted', hash],
  ...[blockNumber, blockTime, index],
]

const recordMined = async (tx: Tx, seen: Seen): Promise<boolean> => {
  const { success } = seen
  const [intent] = await tx.sql(settle, toSettled(seen))
  if (!intent) return false
  tx.notify(`intent:${intent.key}`)
  if (!success) await failDependents(tx, String(intent.key))
  else if (Number(intent.has_waiting) === 1) tx.notify('intents')
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
