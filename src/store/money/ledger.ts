import { ledgerRow } from '../../ports/rows/effects.ts'
import type { Tables } from '../../ports.ts'
import type { Scope } from '../engine/db.ts'
import { insertion, matching, rowOf } from '../engine/rows.ts'

const rows = rowOf(ledgerRow)

export const ledgerTable = ({ read, write }: Scope): Pick<Tables, 'post' | 'ledger'> => ({
  post: async ({ entries, ...posting }) => {
    const sum = entries.reduce((total, it) => total + it.amount, 0n)
    if (sum !== 0n) throw new RangeError(`the entries of ${posting.key} add up to ${sum}, not to zero`)
    return write(async ({ sql }) => {
      const [insert, params] = insertion('posting', posting, ['at'])
      const added = await sql(`${insert} on conflict (key) do nothing returning seq`, params)
      if (added.length === 0) return false
      for (const [place, it] of entries.entries())
        await sql(...insertion('ledger_entry', { postingKey: posting.key, place, account: it.account, amount: it.amount }))
      return true
    })
  },

  ledger: async filter => {
    const { where, params } = matching(filter)
    const select = `select ${rows.columns} from posting join ledger_entry on posting_key = key ${where} order by seq, place`
    return rows.all(await read(select, params))
  },
})
