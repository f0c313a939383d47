import { z } from 'zod'
import { type AccountEventKind, accountEventKinds } from '../../domain/access/accountEvents.ts'
import type { AccountEventTables } from '../../ports.ts'
import type { Scope } from '../engine/db.ts'
import { insertion, rowOf } from '../engine/rows.ts'

const events = rowOf({ seq: z.number(), kind: z.enum(accountEventKinds), text: z.string(), createdAt: z.number() })
const limit = rowOf({ usdc: z.string() })

/** Events of one kind that an account keeps. Strangers make deposits, which must not hide what else happened. */
const keptOf = (kind: AccountEventKind): number => (kind === 'deposit' ? 3 : 50)

const forget = `delete from account_event where wallet = $1 and kind = $2 and seq <= (select seq from account_event
  where wallet = $1 and kind = $2 order by seq desc limit 1 offset $3)`
const newest = `select ${events.columns} from account_event where wallet = $1 order by seq desc limit $2`
const setFirst = `insert into yes_limit (wallet, usdc, at) values ($1, $2, {NOW}) on conflict do nothing returning wallet`
const setNext = 'update yes_limit set usdc = $2, at = {NOW} where wallet = $1 and usdc = $3 returning wallet'

/** What accounts are told, and the limit above which their yes needs a passkey. */
export const accountEventTable = ({ read, write }: Scope): AccountEventTables => ({
  addAccountEvent: async ({ wallet, kind, text }) => {
    await write(async ({ sql }) => {
      await sql(...insertion('account_event', { wallet, kind, text }, ['createdAt']))
      await sql(forget, [wallet, kind, keptOf(kind)])
    })
  },
  accountEvents: async ({ wallet, limit: most }) => events.all(await read(newest, [wallet, most])),
  yesLimit: async wallet => limit.one(await read('select usdc from yes_limit where wallet = $1', [wallet]))?.usdc,
  setYesLimit: (wallet, { usdc, before }) =>
    write(async ({ sql }) => {
      const rows = before === undefined ? sql(setFirst, [wallet, usdc]) : sql(setNext, [wallet, usdc, before])
      return (await rows).length > 0
    }),
})
