import { z } from 'zod'
import { noticeKinds } from '../../domain/access/notices.ts'
import type { NoticeTables } from '../../ports.ts'
import type { Scope } from '../engine/db.ts'
import { insertion, rowOf } from '../engine/rows.ts'

const notices = rowOf({ seq: z.number(), kind: z.enum(noticeKinds), text: z.string(), createdAt: z.number() })
const limit = rowOf({ usdc: z.string() })

/** Notices of one kind that an account keeps. */
const keptOfKind = 50

const forget = `delete from account_notice where wallet = $1 and kind = $2 and seq <= (select seq from account_notice
  where wallet = $1 and kind = $2 order by seq desc limit 1 offset ${keptOfKind})`
const newest = `select ${notices.columns} from account_notice where wallet = $1 order by seq desc limit $2`
const set = `insert into yes_limit (wallet, usdc, at) values ($1, $2, {NOW})
  on conflict (wallet) do update set usdc = excluded.usdc, at = excluded.at`

/** What accounts are told, and the limit above which their yes needs a passkey. */
export const noticeTable = ({ read, write }: Scope): NoticeTables => ({
  addNotice: async ({ wallet, kind, text }) => {
    await write(async ({ sql }) => {
      await sql(...insertion('account_notice', { wallet, kind, text }, ['createdAt']))
      await sql(forget, [wallet, kind])
    })
  },
  notices: async ({ wallet, limit: most }) => notices.all(await read(newest, [wallet, most])),
  yesLimit: async wallet => limit.one(await read('select usdc from yes_limit where wallet = $1', [wallet]))?.usdc,
  setYesLimit: async (wallet, usdc) => {
    await write(({ sql }) => sql(set, [wallet, usdc]))
  },
})
