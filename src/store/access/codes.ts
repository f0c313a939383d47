import { address } from '../../domain/hex.ts'
import { hasRow, insertion, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const spent = rowOf({ wallet: address })

const claim = 'update spent_code set claimable = 0 where code = $1 and claimable = 1 and until > {NOW} returning wallet'

/** Used sign-in codes. A row is needed only until its code has expired. */
export const codeTable = tableGroup(({ run, write }) => ({
  spendCode: ({ code, wallet, claimable, until }) =>
    write(async ({ sql }) => {
      await sql('delete from spent_code where until <= {NOW}')
      const [insert, params] = insertion('spent_code', { code, wallet, claimable, until })
      return hasRow(sql(`${insert} on conflict (code) do nothing returning code`, params))
    }),

  claimCode: code =>
    write(async ({ sql }) => {
      const claimed = spent.one(await sql(claim, [code]))
      if (claimed) return claimed
      return (await hasRow(sql('select code from spent_code where code = $1', [code]))) ? 'gone' : 'pending'
    }),

  dropClaims: async wallet => {
    await run('update spent_code set claimable = 0 where wallet = $1', [wallet])
  },
}))
