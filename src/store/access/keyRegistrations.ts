import { z } from 'zod'
import { dayMs } from '../../domain/durations.ts'
import type { AccessTables } from '../../ports.ts'
import { hasRow, insertion, placesOf, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { approvalKey } from '../money/purchaseRows.ts'

const modes = rowOf({ state: z.enum(['fresh', 'closed', 'open']) })
const agents = rowOf({ agentKey: z.string() })

// The update changes no value. It takes the row's lock.
const hold = `insert into key_mode (wallet, state, at) values ($1, 'fresh', {NOW})
  on conflict (wallet) do update set wallet = excluded.wallet returning state`
const close = `update key_mode set state = 'closed', at = {NOW} where wallet = $1 and state = 'fresh' returning state`
const addClosed = `insert into key_mode (wallet, state, at) values ($1, 'closed', {NOW}) on conflict (wallet) do nothing`
const set = `insert into key_mode (wallet, state, at) values ($1, $2, {NOW})
  on conflict (wallet) do update set state = excluded.state, at = excluded.at`

const confirm = `update key_registration set confirmed_at = {NOW}
  where agent_key = $1 and confirmed_at is null returning agent_key`
const unverified = `select a.id from key_registration k join agent a on a.key = k.agent_key
  where k.confirmed_at is null and a.id is not null`

type Count = Parameters<AccessTables['countKeyRegistrations']>
const toCount = (of: Count[0], withinMs: Count[1]): [text: string, params: (string | number)[]] => {
  const [column, value] = 'wallet' in of ? ['wallet', of.wallet] : ['source', of.source]
  const text = `select count(*) as total from key_registration where ${column} = $1`
  return withinMs === undefined ? [text, [value]] : [`${text} and at > {NOW} - $2`, [value, withinMs]]
}

/** Registrations by a bare signature, and which wallets still accept them. */
export const keyRegistrationTable = tableGroup(({ read, run, write }) => ({
  keyMode: async wallet => modes.one(await read('select state from key_mode where wallet = $1', [wallet]))?.state ?? 'fresh',
  lockKeyMode: wallet => write(async ({ sql }) => modes.one(await sql(hold, [wallet]))?.state ?? 'fresh'),
  closeKeyMode: wallet =>
    write(async ({ sql }) => {
      if (await hasRow(sql(close, [wallet]))) return true
      await sql(addClosed, [wallet])
      return false
    }),
  setKeyMode: async (wallet, state) => {
    await run(set, [wallet, state])
  },

  addKeyRegistration: async of => {
    await run(...insertion('key_registration', of, ['at']))
  },

  countKeyRegistrations: async (of, withinMs) => Number((await read(...toCount(of, withinMs)))[0]?.total),

  gasUse: async (wallet, chainId) => {
    const since = `{NOW} - ${dayMs}`
    const [row] = await read(
      `select (select count(*) from agent where owner = $1 and chain_id = $2 and created_at > ${since}) as registrations,
       (select count(*) from job where "user" = $1 and chain_id = $2 and budget <> '0' and created_at > ${since}) as hires,
       (select count(*) from withdrawal where "user" = $1 and chain_id = $2 and created_at > ${since}) as withdrawals,
       (select count(*) from paid_call p join job j on j.id = p.job_id join agent a on a.id = j.agent_id
         where a.owner = $1 and p.chain_id = $2 and p.created_at > ${since}) as calls,
       (select count(*) from launch_order l join agent a on a.key = l.agent_key
         where a.owner = $1 and l.chain_id = $2 and l.created_at > ${since}) as launches,
       (select count(*) from trade_order where "user" = $1 and chain_id = $2 and agreed_at > ${since}) as trades,
       (select count(*) from purchase p join intent i on i.key = ${approvalKey}
         where p."user" = $1 and p.chain_id = $2 and p.agreed_at > ${since}) as approvals`,
      [wallet, chainId],
    )
    const countOf = (name: string) => Number(row?.[name])
    const [registrations, hires] = [countOf('registrations'), countOf('hires')]
    return {
      ...{ registrations, hires, withdrawals: countOf('withdrawals'), calls: countOf('calls') },
      ...{ launches: countOf('launches'), trades: countOf('trades'), approvals: countOf('approvals') },
    }
  },

  confirmAgent: key => hasRow(run(confirm, [key])),

  unverifiedAgents: async keys => {
    if (keys.length === 0) return []
    const unconfirmed = `select agent_key from key_registration where confirmed_at is null and agent_key in (${placesOf(keys)})`
    return agents.all(await read(unconfirmed, keys)).map(it => it.agentKey)
  },
  unverifiedIds: async () => (await read(unverified)).map(row => String(row.id)),
}))
