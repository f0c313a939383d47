import { z } from 'zod'
import { dayMs } from '../../domain/durations.ts'
import { type Address, address } from '../../domain/hex.ts'
import { amount, maybe } from '../../ports/rows/columns.ts'
import { unminedStates } from '../../ports/rows/effects.ts'
import { intentState } from '../effects/intentRows.ts'
import { insertion, quoted, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const shape = {
  id: z.string(),
  user: address,
  chainId: z.number(),
  asset: z.union([z.enum(['usdc', 'wrapped', 'coin']), address]),
  decimals: z.number(),
  wallet: address,
  recipient: maybe(address),
  amount,
  createdAt: z.number(),
}
/** Without a recipient, a withdrawal goes to the wallet that signs in. */
const withTo = <T extends { user: Address; recipient: Address | undefined }>({ recipient, ...it }: T) => ({
  ...it,
  to: recipient ?? it.user,
})
const withdrawals = rowOf(shape)
const followed = rowOf({ ...shape, ...intentState })
const budgets = rowOf({ budget: amount })
const counts = rowOf({ underWay: z.coerce.number(), today: z.coerce.number() })

const following = `select w.id, w."user", w.chain_id, w.asset, w.decimals, w.wallet, w.recipient, w.amount, w.created_at,
  i.state, i.hash
  from withdrawal w join intent i on i.key = 'withdraw:' || w.id`
const counting = `select
    coalesce(sum(case when i.state in (${quoted(unminedStates)}) then 1 else 0 end), 0) as under_way,
    coalesce(sum(case when w.created_at > {NOW} - ${dayMs} then 1 else 0 end), 0) as today
  from withdrawal w join intent i on i.key = 'withdraw:' || w.id where w.wallet = $1 and w.chain_id = $2`
const ofUsdc = `select budget from job where user_wallet = $1 and chain_id = $2 and state = 'open'
  union all select amount as budget from purchase where wallet = $1 and chain_id = $2 and due_at is not null
  union all select o.amount_in as budget from trade_order o join intent i on i.key = 'trade:' || o.id
  where o.wallet = $1 and o.chain_id = $2 and o.side = 'buy' and o.asset = 'usdc' and i.state in (${quoted(unminedStates)})`
const ofOther = `select o.amount_in as budget from trade_order o join intent i on i.key = 'trade:' || o.id
  where o.wallet = $1 and o.chain_id = $2 and (o.side = 'buy' and o.asset = $3 or o.side = 'sell' and o.token = $3)
  and i.state in (${quoted(unminedStates)})`

export const withdrawalTable = tableGroup(({ read, write }) => ({
  addWithdrawal: ({ to, ...withdrawal }) =>
    write(async ({ sql }) => {
      const recipient = to === withdrawal.user ? undefined : to
      const [insert, params] = insertion('withdrawal', { ...withdrawal, recipient }, ['createdAt'])
      return withTo(withdrawals.sole(await sql(`${insert} returning ${withdrawals.columns}`, params)))
    }),

  withdrawal: async id => {
    const found = followed.one(await read(`${following} where w.id = $1`, [id]))
    return found && withTo(found)
  },

  withdrawals: async ({ user, limit }) =>
    followed.all(await read(`${following} where w."user" = $1 order by w.seq desc limit $2`, [user, limit])).map(withTo),

  lockWithdrawals: (wallet, { chainId, asset }) =>
    write(async ({ sql }) => {
      await sql('select address from wallet where address = $1 {LOCK}', [wallet])
      const counted = counts.one(await sql(counting, [wallet, chainId]))
      const committed = await (asset === 'usdc' ? sql(ofUsdc, [wallet, chainId]) : sql(ofOther, [wallet, chainId, asset]))
      const sum = budgets.all(committed).reduce((all, it) => all + it.budget, 0n)
      return { underWay: counted?.underWay ?? 0, today: counted?.today ?? 0, committed: sum }
    }),
}))
