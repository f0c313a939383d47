import type { Scope } from '../../store/engine/db.ts'
import { countOf, hasRow, insertion, rowOf } from '../../store/engine/rows.ts'
import type { DeviceTables } from './deviceTable.ts'
import { type NoticeTables, searchRow } from './ports.ts'

const searches = rowOf(searchRow)

const ofWallet = `select ${searches.columns} from saved_search where wallet = $1 order by created_at desc, id`
// A statement in which the rows are chosen and marked: another process takes others.
const take = `update saved_search set checked_at = {NOW} where id in
  (select id from saved_search where found_at is null and checked_at <= {NOW} - $2 order by checked_at limit $1 {SKIP})
  returning ${searches.columns}`

export const searchTable = ({ read, run, write }: Scope): Omit<NoticeTables, keyof DeviceTables> => ({
  keepSearch: (search, most) =>
    write(async ({ sql }) => {
      await sql('select {LOCKED_NAME} as held', [`searches:${search.wallet}`])
      const own = searches.all(await sql(ofWallet, [search.wallet]))
      const same = own.find(it => it.text === search.text && it.chainId === search.chainId && it.foundAt === undefined)
      if (same) return same
      const total = await countOf(sql('select count(*) as total from saved_search'))
      if (own.length >= most.ofWallet || total >= most.ofAll) return undefined
      const [insert, params] = insertion('saved_search', search, ['createdAt', 'checkedAt'])
      return searches.one(await sql(`${insert} returning ${searches.columns}`, params))
    }),

  searchesOf: async wallet => searches.all(await read(ofWallet, [wallet])),

  dropSearch: (id, wallet) => hasRow(run('delete from saved_search where id = $1 and wallet = $2 returning id', [id, wallet])),

  takeSearches: async (limit, restMs) => searches.all(await run(take, [limit, restMs])),

  forgetNotices: async wallet => {
    await write(async ({ sql }) => {
      await sql('delete from saved_search where wallet = $1', [wallet])
      await sql('delete from notice_device where wallet = $1', [wallet])
    })
  },

  markFound: async id => {
    await write(async ({ sql, notify }) => {
      await sql('update saved_search set found_at = {NOW} where id = $1 and found_at is null', [id])
      notify('notices')
    })
  },
})
