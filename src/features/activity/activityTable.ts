import { z } from 'zod'
import { type Address, address, hex } from '../../domain/hex.ts'
import { amount, maybe, whole } from '../../ports/rows/columns.ts'
import type { Scope, Sql } from '../../store/engine/db.ts'
import { hasRow, insertion, joined, placesOf, rowOf, type Statement } from '../../store/engine/rows.ts'
import type { ActivityTables, Movement } from './ports.ts'

const blocks = rowOf({ number: whole, hash: hex })
const wallets = rowOf({ address })
/** Parameters of one statement. */
const accountsAtOnce = 500
const id = maybe(z.string())
const told = rowOf({
  seq: z.number(),
  chainId: z.number(),
  wallet: address,
  other: address,
  amount,
  txHash: hex,
  blockNumber: whole,
  blockHash: hex,
  logIndex: z.number(),
  at: z.number(),
  posting: id,
  jobId: id,
  runId: id,
  withdrawalId: id,
})

/** The posting of the same transaction, wallet and amount. Amounts of other assets stand on other accounts. */
const posted = (column: string) => `(select p.${column} from posting p join ledger_entry e on e.posting_key = p.key
  where p.tx_hash = t.tx_hash and p.chain_id = t.chain_id and e.account = 'wallet:' || t.wallet and e.amount = t.amount
  order by p.seq desc limit 1)`
const reading = `select t.seq, t.chain_id, t.wallet, t.other, t.amount, t.tx_hash, t.block_number, t.block_hash,
    t.log_index, t.at, ${posted('key')} as posting, ${posted('job_id')} as job_id, ${posted('run_id')} as run_id,
    (select w.id from withdrawal w join intent i on i.key = 'withdraw:' || w.id
      where w.wallet = t.wallet and w.chain_id = t.chain_id and i.hash = t.tx_hash limit 1) as withdrawal_id
  from usdc_transfer t where t.wallet = $1`

const firstCursor =
  'insert into transfer_cursor (chain_id, number, hash) values ($1, $2, $3) on conflict do nothing returning number'
const nextCursor =
  'update transfer_cursor set number = $2, hash = $3 where chain_id = $1 and number = $4 and hash = $5 returning number'

type Moved = Parameters<ActivityTables['addMovements']>[2]
const toMoveCursor = (chainId: number, { from, to }: Moved): Statement => {
  const params = [chainId, to.number, to.hash]
  return from.hash === undefined ? [firstCursor, params] : [nextCursor, [...params, from.number, from.hash]]
}
const moveCursor = (sql: Sql, chainId: number, of: Moved): Promise<boolean> => hasRow(sql(...toMoveCursor(chainId, of)))

const toAdd = (it: Movement): Statement => {
  const [insert, params] = insertion('usdc_transfer', it)
  return [`${insert} on conflict do nothing returning seq`, params]
}

const ifMoved = `insert into usdc_transfer (wallet, other, amount, tx_hash, block_hash, chain_id, block_number, log_index, at)
  select column1, column2, column3, column4, column5, cast(column6 as {BIGINT}), cast(column7 as {BIGINT}),
  cast(column8 as {BIGINT}), cast(column9 as {BIGINT})`
/** One statement for all, because a server runs several in an order of its own, and positions ascend in the order of reading. */
const toAddAll = (movements: Movement[]): Statement => {
  const values = movements.map(it => [
    ...[it.wallet, it.other, it.amount, it.txHash, it.blockHash],
    ...[it.chainId, it.blockNumber, it.logIndex, it.at],
  ])
  const rows = values.map((row, at) => `(${placesOf(row, 1 + at * row.length)})`)
  return [`${ifMoved} from (values ${rows.join(', ')}) it where {ADDED} on conflict do nothing`, values.flat()]
}

/** Transfers of USDC from and to custodial wallets, as read from chains. */
export const activityTable = ({ read, run, write }: Scope): ActivityTables => ({
  transferCursor: async chainId =>
    blocks.one(await read('select number, hash from transfer_cursor where chain_id = $1', [chainId])),

  keepMovements: (chainId, movements, of) => {
    const added = movements.length > 0 ? [toAddAll(movements)] : []
    return hasRow(run(...joined([toMoveCursor(chainId, of), ...added])))
  },

  addMovements: (chainId, movements, of) =>
    write(async ({ sql }) => {
      const added: Movement[] = []
      if (!(await moveCursor(sql, chainId, of))) return undefined
      for (const it of movements) {
        if (await hasRow(sql(...toAdd(it)))) added.push(it)
      }
      return added
    }),

  dropMovements: (chainId, of) =>
    write(async ({ sql }) => {
      if (!(await moveCursor(sql, chainId, of))) return false
      await sql('delete from usdc_transfer where chain_id = $1 and block_number > $2', [chainId, of.to.number])
      return true
    }),

  movementBlocks: async (chainId, limit) => {
    const select = `select distinct block_number as number, block_hash as hash from usdc_transfer where chain_id = $1
      order by number desc limit $2`
    return blocks.all(await read(select, [chainId, limit]))
  },

  firstWallets: async limit => wallets.all(await read('select address from wallet limit $1', [limit])).map(it => it.address),

  walletsAmong: async accounts => {
    const found: Address[] = []
    for (let at = 0; at < accounts.length; at += accountsAtOnce) {
      const some = accounts.slice(at, at + accountsAtOnce)
      const marks = some.map((_, place) => `$${place + 1}`).join(', ')
      const rows = await read(`select address from wallet where address in (${marks})`, some)
      found.push(...wallets.all(rows).map(it => it.address))
    }
    return found
  },

  movements: async ({ wallet, before, limit }) => {
    const below = before === undefined ? '' : 'and t.seq < $3'
    const params = [wallet, limit, ...(before === undefined ? [] : [before])]
    return told.all(await read(`${reading} ${below} order by t.seq desc limit $2`, params))
  },
})
