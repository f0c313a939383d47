import { z } from 'zod'
import { address, hex } from '../../domain/hex.ts'
import { amount, maybe } from '../../ports/rows/columns.ts'
import { unminedStates } from '../../ports/rows/effects.ts'
import { launchRow } from '../../ports/tokens.ts'
import { intentState } from '../../store/effects/intentRows.ts'
import type { Scope } from '../../store/engine/db.ts'
import { insertion, quoted, rowOf } from '../../store/engine/rows.ts'
import type { OrderTables } from './ports.ts'

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
const followed = rowOf({ ...shape, sending, hash: maybe(hex), reason: z.string() })
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

/** OrderTables of owners and users to launch, buy and sell agent tokens. */
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
  tradeOrder: async id => followed.one(await read(`${following} where o.id = $1`, [id])),
  tradeOrderOfDigest: async (user, digest) =>
    followed.one(await read(`${following} where o."user" = $1 and o.digest = $2`, [user, digest])),
  tradeOrders: async ({ user, limit }) =>
    followed.all(
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
