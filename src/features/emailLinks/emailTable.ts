import { hourMs } from '../../domain/durations.ts'
import { address } from '../../domain/hex.ts'
import type { Scope } from '../../store/engine/db.ts'
import { insertion, rowOf } from '../../store/engine/rows.ts'
import type { EmailTables } from './ports.ts'

const accounts = rowOf({ wallet: address })

const counts = 'select count(*) as total, count(case when email = $1 then 1 end) as own from email_link'
const ofEmail = 'select wallet from email_account where email = $1'

/** Links that were sent in the last hour, and the accounts that e-mail addresses open. */
export const emailTable = ({ read, write }: Scope): EmailTables => ({
  noteLink: (email, most) =>
    write(async ({ sql }) => {
      await sql('select {LOCKED_NAME} as held', ['email-links'])
      await sql(`delete from email_link where at <= {NOW} - ${hourMs}`)
      const [row] = await sql(counts, [email])
      if (Number(row?.own) >= most.ofAddress || Number(row?.total) >= most.ofAll) return false
      await sql(...insertion('email_link', { email }, ['at']))
      return true
    }),

  accountOf: async email => accounts.one(await read(ofEmail, [email]))?.wallet,
  addAccount: (email, wallet) =>
    write(async ({ sql }) => {
      const [insert, params] = insertion('email_account', { email, wallet }, ['createdAt'])
      await sql(`${insert} on conflict (email) do nothing`, params)
      return accounts.one(await sql(ofEmail, [email]))?.wallet ?? wallet
    }),
})
