import { ledgerRow } from '../../ports/rows/effects.ts'
import { followedBy } from '../engine/db.ts'
import { insertion, matching, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const rows = rowOf(ledgerRow)

const addEntries = 'insert into ledger_entry (posting_key, place, account, amount)'
const mark = (place: number) => `cast($${place} as text)`

export const ledgerTable = tableGroup(({ read, run }) => ({
  post: async ({ entries, ...posting }) => {
    const sum = entries.reduce((total, it) => total + it.amount, 0n)
    if (sum !== 0n) throw new RangeError(`the entries of ${posting.key} add up to ${sum}, not to zero`)
    const [insert, params] = insertion('posting', posting, ['at'])
    const key = mark(Object.keys(posting).indexOf('key') + 1)
    const lines = entries.map(
      (_, at) => `select ${key}, ${at}, ${mark(params.length + 2 * at + 1)}, ${mark(params.length + 2 * at + 2)} where {ADDED}`,
    )
    const withEntries = lines.length > 0 ? `${followedBy} ${addEntries} ${lines.join(' union all ')}` : ''
    const values = entries.flatMap(it => [it.account, it.amount])
    const added = await run(`${insert} on conflict (key) do nothing returning seq ${withEntries}`, [...params, ...values])
    return added.length > 0
  },

  ledger: async filter => {
    const { where, params } = matching(filter)
    const select = `select ${rows.columns} from posting join ledger_entry on posting_key = key ${where} order by seq, place`
    return rows.all(await read(select, params))
  },
}))
