import { dayMs } from '../../domain/durations.ts'
import { flag } from '../../ports/rows/columns.ts'
import { withdrawalAddressRow } from '../../ports/withdrawals.ts'
import type { NewWithdrawalAddress, WithdrawalAddressTables } from '../../ports.ts'
import type { Scope, Sql } from '../engine/db.ts'
import { countOf, hasRow, insertion, rowOf } from '../engine/rows.ts'

const addresses = rowOf(withdrawalAddressRow)
const locked = rowOf({ ...withdrawalAddressRow, isUsable: flag })

/** A removed address counts for so long, so that adding and removing in turn fills nothing. */
const keptMs = 30 * dayMs

const prune = `delete from withdrawal_address where "user" = $1 and removed_at < {NOW} - ${keptMs}`
const ofUser = `select ${addresses.columns} from withdrawal_address where "user" = $1 and removed_at is null order by seq desc`
const isActive = `"user" = $1 and chain_id = $2 and address = $3 and removed_at is null`
const delayed = `update withdrawal_address set usable_at = {NOW} + $2, created_at = {NOW} where id = $1
  returning ${addresses.columns}`
const remove = `update withdrawal_address set removed_at = {NOW} where id = $1 and "user" = $2 and removed_at is null
  returning ${addresses.columns}`
const lock = `select ${addresses.columns}, case when usable_at <= {NOW} then 1 else 0 end as is_usable
  from withdrawal_address where ${isActive} {LOCK}`
const atTime = `select 1 as one from withdrawal_address
  where "user" = $1 and chain_id = $2 and address = $3 and usable_at <= $4 limit 1`

const add = async (sql: Sql, { delayMs, ...it }: NewWithdrawalAddress, most: number) => {
  // Locks the user by name, because a user without addresses has no row to lock.
  await sql('select {LOCKED_NAME} as held', [`withdrawal-addresses:${it.user}`])
  if (await hasRow(sql(`select id from withdrawal_address where ${isActive}`, [it.user, it.chainId, it.address]))) return 'known'
  await sql(prune, [it.user])
  if ((await countOf(sql('select count(*) as total from withdrawal_address where "user" = $1', [it.user]))) >= most) return 'full'
  const [insert, params] = insertion('withdrawal_address', it, ['createdAt', 'usableAt'])
  await sql(insert, params)
  return addresses.sole(await sql(delayed, [it.id, delayMs]))
}

/** Outside addresses to which accounts withdraw. */
export const withdrawalAddressTable = ({ read, write }: Scope): WithdrawalAddressTables => ({
  addWithdrawalAddress: (it, most) => write(({ sql }) => add(sql, it, most)),
  withdrawalAddresses: async user => addresses.all(await read(ofUser, [user])),
  removeWithdrawalAddress: (id, user) => write(async ({ sql }) => addresses.one(await sql(remove, [id, user]))),

  lockWithdrawalAddress: ({ user, chainId, address: to }) =>
    write(async ({ sql }) => locked.one(await sql(lock, [user, chainId, to]))),

  wasUsable: async ({ user, chainId, address: to }, at) => (await read(atTime, [user, chainId, to, at])).length > 0,
})
