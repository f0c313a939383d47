import { ledgerRow } from '../../ports/rows/effects.ts'
import type { Tables } from '../../ports.ts'
import type { Scope } from '../engine/db.ts'
import { insertion, matching, rowOf } from '../engine/rows.ts'

const rows = rowOf(ledgerRow)
const addEntries = 'insert into ledger_entry (posting_key, place, account, amount) values'

export const ledgerTable = ({ read, write }: Scope): Pick<Tables, 'post' | 'ledger'> => ({
  post: async ({ entries, ...posting }) => {
    const sum = entries.reduce((total, it) => total + it.amount, 0n)
    if (sum !== 0n) throw new RangeError(`the entries of ${posting.key} add up to ${sum}, not to zero`)
    return write(async ({ sql, later }) => {
      const [insert, params] = insertion('posting', posting, ['at'])
      const added = await sql(`${insert} on conflict (key) do nothing returning seq`, params)
      if (added.length === 0) return false
      const marks = entries.map((_, at) => `($1, $${3 * at + 2}, $${3 * at + 3}, $${3 * at + 4})`)
      const values = entries.flatMap((it, place) => [place, it.account, it.amount])
      if (entries.length > 0) later(`${addEntries} ${marks.join(', ')}`, [posting.key, ...values])
      return true
    })
  },

  ledger: async filter => {
    const { where, params } = matching(filter)
    const select = `select ${rows.columns} from posting join ledger_entry on posting_key = key ${where} order by seq, place`
    return rows.all(await read(select, params))
  },
})
