import { z } from 'zod'
import { address, hex } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { amount, maybe, whole } from '../../ports/rows/columns.ts'
import { unminedStates } from '../../ports/rows/effects.ts'
import { launchRow, tokenRow, tradeRow } from '../../ports/tokens.ts'
import { intentState } from '../../store/effects/intentRows.ts'
import type { Scope, Sql } from '../../store/engine/db.ts'
import { countOf, hasRow, insertion, quoted, rowOf } from '../../store/engine/rows.ts'
import type { OrderTables, ReadTables } from './ports.ts'

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

const launch = rowOf(launchRow)
const followedLaunch = rowOf({ ...launchRow, ...intentState, reason: z.string() })

const shape = {
  id: z.string(),
  user: address,
  chainId: z.number(),
  wallet: address,
  token: address,
  side: z.enum(['buy', 'sell']),
  asset: z.enum(['usdc', 'wrapped', 'coin']),
  amountIn: amount,
  leastOut: amount,
  deadline: z.number(),
  expectedOut: amount,
  fee: amount,
  digest: z.string(),
  createdAt: z.number(),
  agreedAt: maybe(z.number()),
}
const orders = rowOf(shape)
const sending = maybe(intentState.state)
const followedOrder = rowOf({ ...shape, sending, hash: maybe(hex), reason: z.string() })
const counts = rowOf({ total: z.coerce.number() })

const following = `select ${orders.columnsOf('o')}, i.state as sending, i.hash, coalesce(i.reason, '') as reason
  from trade_order o left join intent i on i.key = 'trade:' || o.id`

const followingLaunch = `select ${launch.columnsOf('l')}, i.state, i.hash, i.reason
  from launch_order l join intent i on i.key = 'launch:' || l.id`

/** An agreed order without an intent is under way until its deadline, because its request may be repeated. */
const underWay = `select count(*) as total from trade_order o left join intent i on i.key = 'trade:' || o.id
  where o.wallet = $1 and o.chain_id = $2 and o.agreed_at is not null
  and (i.state in (${quoted(unminedStates)}) or (i.state is null and o.deadline > {NOW}))`
const withdrawing = `select count(*) as total from withdrawal w join intent i on i.key = 'withdraw:' || w.id
  where w.wallet = $1 and w.chain_id = $2 and i.state in (${quoted(unminedStates)})`

/** Orders of owners and users to launch, buy and sell agent tokens. */
export const tradeOrderTable = (scope: Scope): OrderTables => ({ ...launchOrders(scope), ...quotes(scope) })

type Launches = Pick<OrderTables, 'addLaunchOrder' | 'launchOrder' | 'newestLaunchOrder'>

const launchOrders = ({ read, write }: Scope): Launches => ({
  addLaunchOrder: order =>
    write(async ({ sql }) => {
      const [insert, params] = insertion('launch_order', order, ['createdAt'])
      return launch.sole(await sql(`${insert} returning ${launch.columns}`, params))
    }),
  launchOrder: async id => followedLaunch.one(await read(`${followingLaunch} where l.id = $1`, [id])),
  newestLaunchOrder: async agentKey =>
    followedLaunch.one(await read(`${followingLaunch} where l.agent_key = $1 order by l.seq desc limit 1`, [agentKey])),
})

const quotes = ({ read, write }: Scope): Omit<OrderTables, keyof Launches> => ({
  addQuote: (order, maxOpen) =>
    write(async ({ sql }) => {
      await sql('select address from wallet where address = $1 {LOCK}', [order.wallet])
      await sql('delete from trade_order where "user" = $1 and agreed_at is null and deadline < {NOW}', [order.user])
      const open = counts.one(
        await sql('select count(*) as total from trade_order where "user" = $1 and agreed_at is null', [order.user]),
      )
      if ((open?.total ?? 0) >= maxOpen) return undefined
      const [insert, params] = insertion('trade_order', order, ['createdAt'])
      return orders.one(await sql(`${insert} returning ${orders.columns}`, params))
    }),
  tradeOrder: async id => followedOrder.one(await read(`${following} where o.id = $1`, [id])),
  tradeOrderOfDigest: async (user, digest) =>
    followedOrder.one(await read(`${following} where o."user" = $1 and o.digest = $2`, [user, digest])),
  tradeOrders: async ({ user, limit }) =>
    followedOrder.all(
      await read(`${following} where o."user" = $1 and o.agreed_at is not null order by o.seq desc limit $2`, [user, limit]),
    ),
  agreeTrade: id =>
    write(async ({ sql }) => {
      const [order] = orders.all(await sql(`select ${orders.columns} from trade_order where id = $1`, [id]))
      if (!order) return 'too-late'
      await sql('select address from wallet where address = $1 {LOCK}', [order.wallet])
      const busy = [underWay, withdrawing].map(async it => counts.one(await sql(it, [order.wallet, order.chainId]))?.total ?? 0)
      const [trading = 0, taking = 0] = await Promise.all(busy)
      const [now] = orders.all(await sql(`select ${orders.columns} from trade_order where id = $1`, [id]))
      if (now?.agreedAt !== undefined) return 'agreed-before'
      if (trading + taking > 0) return 'under-way'
      const agree =
        'update trade_order set agreed_at = {NOW} where id = $1 and agreed_at is null and deadline > {NOW} returning seq'
      return (await sql(agree, [id])).length > 0 ? 'agreed' : 'too-late'
    }),
})
