import { z } from 'zod'
import { address, hex } from '../domain/hex.ts'
import type { Mined, SignedTransaction, Tables } from '../ports.ts'
import type { Scope, Tx } from './db.ts'
import { intentColumns, toIntent, toIntents } from './intentRows.ts'
import { insertion, maybe, rowOf, whole } from './rows.ts'

const signedRow = { hash: hex, raw: hex, nonce: z.number() }
const sent = rowOf({ ...signedRow, intentSeq: z.number() })
const journaled = rowOf({
  ...signedRow,
  sender: address,
  blockNumber: maybe(whole),
  blockTime: maybe(z.number()),
  blockIndex: maybe(z.number()),
})

type TransactionTables = Pick<Tables, 'inFlight' | 'nextNonce' | 'recordSigned' | 'recordMined' | 'journal'>

/** Signed bytes of intents, their nonces, and where they were mined. */
export const transactionTable = ({ read, write }: Scope): TransactionTables => ({
  inFlight: async (chainId, sender) => {
    const flying = `from intent where chain_id = $1 and sender = $2 and state = 'sent'`
    const intents = toIntents(await read(`select ${intentColumns} ${flying} order by nonce`, [chainId, sender]))
    const signed = `select ${sent.columns} from chain_transaction where intent_seq in (select seq ${flying}) order by signed_at, hash`
    const transactions = Map.groupBy(sent.all(await read(signed, [chainId, sender])), it => it.intentSeq)
    return intents.map(intent => ({ intent, transactions: (transactions.get(intent.seq) ?? []).map(toSigned) }))
  },

  nextNonce: async (chainId, sender) => {
    const [row] = await read('select next from nonce where chain_id = $1 and sender = $2', [chainId, sender])
    return row && Number(row.next)
  },

  recordSigned: (seq, signed) => write(tx => recordSigned(tx, seq, signed)),

  recordMined: (seq, hash, mined, success) => write(tx => recordMined(tx, { seq, hash, mined, success })),

  journal: async chainId => {
    const select = `select ${journaled.columns} from chain_transaction where chain_id = $1
      order by case when block_number is null then 1 else 0 end, block_number, block_index, intent_seq, signed_at`
    return journaled
      .all(await read(select, [chainId]))
      .map(row => ({ ...toSigned(row), sender: row.sender, mined: toMined(row) }))
  },
})

const toSigned = ({ hash, raw, nonce }: SignedTransaction): SignedTransaction => ({ hash, raw, nonce })

type Placed = { blockNumber: bigint | undefined; blockTime: number | undefined; blockIndex: number | undefined }

const toMined = ({ blockNumber, blockTime, blockIndex }: Placed): Mined | undefined =>
  blockNumber === undefined || blockTime === undefined || blockIndex === undefined
    ? undefined
    : { blockNumber, blockTime, index: blockIndex }

// The first use of a wallet starts its count; after that only the next nonce in line is taken.
const takeNonce = `insert into nonce (chain_id, sender, next) values ($1, $2, $4)
  on conflict (chain_id, sender) do update set next = excluded.next where nonce.next = $3 returning next`

const recordSigned = async ({ sql }: Tx, seq: number, { hash, raw, nonce }: SignedTransaction): Promise<boolean> => {
  const intent = toIntent(await sql(`select ${intentColumns} from intent where seq = $1 and state = 'waiting' {LOCK}`, [seq]))
  if (!intent) return false
  const { chainId, sender } = intent
  const taken = await sql(takeNonce, [chainId, sender, nonce, nonce + 1])
  if (taken.length === 0) return false
  await sql(`update intent set state = 'sent', nonce = $2, hash = $3 where seq = $1`, [seq, nonce, hash])
  await sql(...insertion('chain_transaction', { hash, intentSeq: seq, chainId, sender, nonce, raw }, ['signedAt']))
  return true
}

const settle = `update intent set state = $2, hash = $3 where seq = $1 and state = 'sent'
  and exists (select 1 from chain_transaction t where t.intent_seq = $1 and t.hash = $3) returning key`

type Seen = { seq: number; hash: string; mined: Mined; success: boolean }

const recordMined = async (tx: Tx, { seq, hash, mined, success }: Seen): Promise<boolean> => {
  const [intent] = await tx.sql(settle, [seq, success ? 'confirmed' : 'reverted', hash])
  if (!intent) return false
  await tx.sql('update chain_transaction set block_number = $2, block_time = $3, block_index = $4 where hash = $1', [
    hash,
    mined.blockNumber,
    mined.blockTime,
    mined.index,
  ])
  tx.notify(`intent:${intent.key}`)
  if (success) tx.notify('intents')
  else await fell(tx, String(intent.key))
  return true
}

// What waited for an effect that did not happen will not happen either.
const fell = async (tx: Tx, key: string) => {
  const fallen = await tx.sql(
    `with recursive chain (key) as (
       select key from intent where "after" = $1 and state = 'waiting'
       union select i.key from intent i join chain c on i."after" = c.key where i.state = 'waiting'
     ) update intent set state = 'reverted' where key in (select key from chain) returning key`,
    [key],
  )
  for (const row of fallen) tx.notify(`intent:${row.key}`)
}
