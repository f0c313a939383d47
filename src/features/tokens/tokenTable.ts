import { z } from 'zod'
import { hex } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { amount, whole } from '../../ports/rows/columns.ts'
import { tokenRow, tradeRow } from '../../ports/tokens.ts'
import type { Scope, Sql } from '../../store/engine/db.ts'
import { countOf, hasRow, insertion, rowOf } from '../../store/engine/rows.ts'
import type { ReadTables } from './ports.ts'

const tokens = rowOf(tokenRow)
const trades = rowOf(tradeRow)
const blocks = rowOf({ number: whole, hash: hex })
const numbers = rowOf({ seq: z.number() })
const amounts = rowOf({ amount })

const ofToken = 'chain_id = $1 and token = $2'
const maxBlocks = `select block_number as number, block_hash as hash from token where chain_id = $1
  union select block_number, block_hash from token_trade where chain_id = $1
  union select block_number, block_hash from token_fee where chain_id = $1 order by number desc limit $2`

/** Agent tokens, their trades and paid fees, as read from chains. */
export const tokenTable = (scope: Scope): ReadTables => ({ ...launched(scope), ...traded(scope), ...followed(scope) })

type Launched = Pick<ReadTables, 'addToken' | 'token' | 'tokenOfAgent' | 'tokens' | 'countTokens'>

const launched = ({ read, write }: Scope): Launched => ({
  addToken: token => write(async ({ sql }) => (await insertOnce(sql, 'token', token)) !== undefined),
  token: async (chainId, token) =>
    tokens.one(await read(`select ${tokens.columns} from token where ${ofToken}`, [chainId, token])),
  tokenOfAgent: async agentId => tokens.one(await read(`select ${tokens.columns} from token where agent_id = $1`, [agentId])),
  tokens: async ({ chainId, limit, offset }) => {
    const where = chainId === undefined ? '' : 'where chain_id = $3'
    const select = `select ${tokens.columns} from token ${where} order by seq desc limit $1 offset $2`
    return tokens.all(await read(select, [limit, offset, ...(chainId === undefined ? [] : [chainId])]))
  },
  countTokens: async ({ chainId }) => {
    const where = chainId === undefined ? '' : 'where chain_id = $1'
    return countOf(read(`select count(*) as total from token ${where}`, chainId === undefined ? [] : [chainId]))
  },
})

type Traded = Pick<ReadTables, 'addMinedTrade' | 'newestTrade' | 'minedTrades' | 'minedTrade' | 'tradesOf' | 'countTraders'>

const traded = ({ read, write }: Scope): Traded => ({
  addMinedTrade: trade => write(({ sql }) => insertOnce(sql, 'token_trade', trade)),
  newestTrade: async (chainId, token) =>
    trades.one(
      await read(`select ${trades.columns} from token_trade where ${ofToken} order by seq desc limit 1`, [chainId, token]),
    ),
  minedTrades: async ({ chainId, token, since, limit }) => {
    const select = `select ${trades.columns} from token_trade where ${ofToken} and at >= $3 order by seq desc limit $4`
    return trades.all(await read(select, [chainId, token, since, limit]))
  },
  minedTrade: async (chainId, { txHash, place }) => {
    const [where, params] = place === undefined ? ['', []] : ['and place = $3', [place]]
    const select = `select ${trades.columns} from token_trade where chain_id = $1 and tx_hash = $2 ${where}
      order by place limit 1`
    return trades.one(await read(select, [chainId, txHash, ...params]))
  },
  tradesOf: async ({ chainId, token, trader, side, amount: of, limit }) => {
    const select = `select ${trades.columns} from token_trade where ${ofToken} and trader = $3 and side = $4 and amount = $5
      order by seq desc limit $6`
    return trades.all(await read(select, [chainId, token, trader, side, of, limit]))
  },
  countTraders: (chainId, token) =>
    countOf(read(`select count(distinct trader) as total from token_trade where ${ofToken}`, [chainId, token])),
})

const followed = ({ read, run, write }: Scope): Omit<ReadTables, keyof Launched | keyof Traded> => ({
  tokenCursor: async chainId => blocks.one(await read('select number, hash from token_cursor where chain_id = $1', [chainId])),
  moveTokenCursor: async (chainId, { from, to }) => {
    const params = [chainId, to.number, to.hash]
    const first = 'insert into token_cursor (chain_id, number, hash) values ($1, $2, $3) on conflict do nothing returning number'
    if (from.hash === undefined) return hasRow(run(first, params))
    const move =
      'update token_cursor set number = $2, hash = $3 where chain_id = $1 and number = $4 and hash = $5 returning number'
    return hasRow(run(move, [...params, from.number, from.hash]))
  },
  tokenBlocks: async (chainId, limit) => blocks.all(await read(maxBlocks, [chainId, limit])),
  addFeePayment: ({ chainId, token, event }) =>
    write(({ sql }) => {
      const { receiver, amount: paid, txHash, blockNumber, blockHash, place, at } = event
      return insertOnce(sql, 'token_fee', { chainId, token, receiver, amount: paid, txHash, blockNumber, blockHash, place, at })
    }),
  paidFees: async (chainId, token) => {
    const paid = amounts.all(await read(`select amount from token_fee where ${ofToken}`, [chainId, token]))
    return { sum: paid.reduce((sum, it) => sum + it.amount, 0n), payments: paid.length }
  },
  tradedTokens: async (chainId, trader) => {
    const ofTrader = 'select t.token from token_trade t where t.chain_id = $1 and t.trader = $2'
    const select = `select ${tokens.columns} from token where chain_id = $1 and token in (${ofTrader}) order by seq desc limit $3`
    return tokens.all(await read(select, [chainId, trader, limits.pageRows]))
  },
  dropTokenEvents: (chainId, above) =>
    write(async ({ sql }) => {
      const drop = async (table: string) =>
        numbers
          .all(await sql(`delete from ${table} where chain_id = $1 and block_number > $2 returning seq`, [chainId, above]))
          .map(it => it.seq)
          .toSorted((a, b) => b - a)
      const dropped = { trades: await drop('token_trade'), fees: await drop('token_fee') }
      await drop('token')
      return dropped
    }),
})

const insertOnce = async (sql: Sql, table: string, values: Parameters<typeof insertion>[1]): Promise<number | undefined> => {
  const [insert, params] = insertion(table, values)
  return numbers.one(await sql(`${insert} on conflict do nothing returning seq`, params))?.seq
}
