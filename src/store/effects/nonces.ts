import { z } from 'zod'
import { hex } from '../../domain/hex.ts'
import { flag } from '../../ports/rows/columns.ts'
import type { SignedTransaction } from '../../ports.ts'
import { followedBy, type Sql, type Tx } from '../engine/db.ts'
import { hasRow, insertion, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { intentColumns, toIntent } from './intentRows.ts'
import { isOurs } from './senders.ts'
import { inOrder, rawBytes, toSignedRow } from './transactions.ts'

const placed = rowOf({ hash: hex, raw: rawBytes, nonce: z.number(), mayGo: flag })

/** Nonces of transactions. The write that stores a signed transaction assigns its nonce. `holder` names this process. */
export const nonceTable = tableGroup(({ read, run, write }, holder: string) => ({
  nextNonce: async (chainId, sender) => {
    const [row] = await read('select next from nonce where chain_id = $1 and sender = $2', [chainId, sender])
    return row && Number(row.next)
  },

  raiseNonce: (chainId, sender, atLeast) =>
    write(async ({ sql }) => {
      await sql('update nonce set next = $3 where chain_id = $1 and sender = $2 and next < $3', [chainId, sender, atLeast])
    }),

  recordSigned: (seq, of) => recordWith(run, takeNonce, { seq, of, holder }),
  recordFilling: (seq, of) =>
    write(({ sql, later }) => {
      // Sent at once: the locks are held before the nonce is taken.
      for (const lock of [lockIntent, lockCount]) later(lock, [seq])
      return recordWith(sql, takeGap, { seq, of, holder })
    }),
  recordReplacement: (seq, of) => write(tx => recordReplacement(tx, { seq, of, holder })),

  transactionAt: async (chainId, sender, nonce) =>
    placed.one(
      await read(
        `select t.hash, t.raw, t.nonce, case when ${inOrder} then 1 else 0 end as may_go
         from chain_transaction t join intent on intent.seq = t.intent_seq
         where t.chain_id = $1 and t.sender = $2 and t.nonce = $3 and t.retired = 0 order by t.signed_at desc, t.hash limit 1`,
        [chainId, sender, nonce],
      ),
    ),
}))

const ours = isOurs({ chainId: 'i.chain_id', sender: 'i.sender', holder: '$4' })
const waiting = `intent i where i.seq = $1 and i.state = 'waiting' and ${ours}`

// The first transaction of a wallet starts its counter. Later ones must use exactly the next nonce.
const takeNonce = `insert into nonce (chain_id, sender, next) select i.chain_id, i.sender, cast($3 as {BIGINT}) from ${waiting} {LOCK}
  on conflict (chain_id, sender) do update set next = excluded.next where nonce.next = $2 returning chain_id, sender`

// The counter's row is the lock that orders two writers filling the same gap. The lock needs its own statement: on PostgreSQL,
// a statement that waits for a lock still sees other rows as they were before the wait.
const lockIntent = 'select seq from intent where seq = $1 {LOCK}'
const lockCount = `select next from nonce where (chain_id, sender) = (select chain_id, sender from intent where seq = $1) {LOCK}`
const takeGap = `update nonce set next = next where (chain_id, sender) = (select i.chain_id, i.sender from ${waiting})
  and next >= $3 and not exists (select 1 from chain_transaction t
    where t.chain_id = nonce.chain_id and t.sender = nonce.sender and t.nonce = $2 and t.retired = 0)
  returning chain_id, sender`

// The same call with the same nonce has the same bytes and hash. A transaction retired for a failed intent can be used by its
// successor.
const reviving = `on conflict (hash) do update set retired = 0, intent_seq = excluded.intent_seq, signed_at = excluded.signed_at`

const thenStore = `${followedBy} update intent set state = 'sent', nonce = $2, hash = $5, doubts = 0, doubt_head = null
  where seq = $1 and {ADDED}
  ${followedBy} insert into chain_transaction (hash, raw, nonce, intent_seq, chain_id, sender, signed_at)
  select cast($5 as text), cast($6 as {BLOB}), cast($2 as {BIGINT}), i.seq, i.chain_id, i.sender, {NOW} from intent i
  where i.seq = $1 and {ADDED} ${reviving}`

type Signing = { seq: number; of: SignedTransaction; holder: string }

/** Takes the nonce and stores the transaction with it, in one statement. False when another writer was first. */
const recordWith = async (sql: Sql, take: string, { seq, of, holder }: Signing): Promise<boolean> => {
  const { hash, raw, nonce } = toSignedRow(of)
  return (await sql(`${take} ${thenStore}`, [seq, nonce, nonce + 1, holder, hash, raw])).length > 0
}

const recordReplacement = async ({ sql }: Tx, { seq, of, holder }: Signing): Promise<boolean> => {
  const held = isOurs({ chainId: 'intent.chain_id', sender: 'intent.sender', holder: '$4' })
  const intent = toIntent(
    await sql(
      `update intent set hash = $3 where seq = $1 and nonce = $2 and state = 'sent' and ${held} returning ${intentColumns}`,
      [seq, of.nonce, of.hash, holder],
    ),
  )
  if (!intent) return false
  const { chainId, sender } = intent
  const [insert, params] = insertion('chain_transaction', { ...toSignedRow(of), intentSeq: seq, chainId, sender }, ['signedAt'])
  return hasRow(sql(`${insert} on conflict (hash) do nothing returning hash`, params))
}
