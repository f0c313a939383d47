import { z } from 'zod'
import type { Scope } from '../../store/engine/db.ts'
import { countOf, hasRow, insertion, rowOf } from '../../store/engine/rows.ts'
import { type Due, deviceRow, type NoticeTables, searchRow } from './ports.ts'

const devices = rowOf(deviceRow)
const about = z.enum(['paid', 'unpaid', 'search'])
const due = rowOf({ ...deviceRow, about, ref: z.string(), conversationId: z.string(), name: z.string(), at: z.number() })

const ofDevice = devices.columnsOf('d')
/** Ends older than this are no news. */
const newsMs = 24 * 60 * 60 * 1_000
const mayTry = `d.due_at <= {NOW}`
// A plan is told once, as its own run, and not by its steps.
const ends = `select ${ofDevice}, r.id as ref, r.conversation_id, r.updated_at as at,
    coalesce((select j.offering from job j where j.run_id = r.id), '{}') as offering,
    case when exists (select 1 from job j where j.run_id = r.id and j.state <> 'settled') then 'unpaid' else 'paid' end as about
  from notice_device d join run r on r."user" = d.wallet and r.updated_at > d.told_at and r.state in ('completed', 'failed')
  where ${mayTry} and r.updated_at > {NOW} - ${newsMs} and r.parent is null
    and (exists (select 1 from job j where j.run_id = r.id)
      or exists (select 1 from plan p where p.run_id = r.id and p.agreed_at is not null))
  order by r.updated_at limit $1`
const finds = `select ${ofDevice}, s.id as ref, '' as conversation_id, s.found_at as at, '' as name, 'search' as about
  from notice_device d join saved_search s on s.wallet = d.wallet and s.found_at > d.told_at where ${mayTry}
  order by s.found_at limit $1`

const names = z.object({ name: z.string().default('') })
const nameOf = (offering: unknown): string => {
  const read = names.safeParse(typeof offering === 'string' ? JSON.parse(offering) : offering)
  return read.success ? read.data.name : ''
}

type DeviceTables = Pick<NoticeTables, 'keepDevice' | 'devicesOf' | 'dropDevice' | 'dueNotices' | 'markTold' | 'postpone'>

/** Browsers that are told of ends, and what was not told to them yet. */
export const deviceTable = ({ read, run, write }: Scope): DeviceTables => ({
  keepDevice: (device, most) =>
    write(async ({ sql }) => {
      await sql('select {LOCKED_NAME} as held', [`notices:${device.wallet}`])
      if ((await countOf(sql('select count(*) as total from notice_device where id <> $1', [device.id]))) >= most.ofAll)
        return false
      const [insert, params] = insertion('notice_device', device, ['toldAt', 'createdAt'])
      // A browser that another user of it subscribed is told of this user's ends alone.
      await sql(
        `${insert} on conflict (id) do update set wallet = excluded.wallet, p256dh = excluded.p256dh, auth = excluded.auth,
          told_at = excluded.told_at, due_at = 0, tries = 0, created_at = excluded.created_at`,
        params,
      )
      await sql(
        `delete from notice_device where wallet = $1 and id not in
          (select id from notice_device where wallet = $1 order by created_at desc, id limit $2)`,
        [device.wallet, most.ofWallet],
      )
      return true
    }),

  devicesOf: async wallet =>
    devices.all(await read(`select ${devices.columns} from notice_device where wallet = $1 order by created_at desc`, [wallet])),

  dropDevice: (id, wallet) => hasRow(run('delete from notice_device where id = $1 and wallet = $2 returning id', [id, wallet])),

  dueNotices: async limit => {
    const rows = [
      ...(await read(ends, [limit])).map(({ offering, ...it }) => ({ ...it, name: nameOf(offering) })),
      ...(await read(finds, [limit])),
    ]
    const all = due.all(rows).sort((a, b) => a.at - b.at)
    return all.filter((it, at) => all.findIndex(one => one.id === it.id) === at).map(toDue)
  },

  markTold: async (id, at) => {
    await run('update notice_device set told_at = $2, due_at = 0, tries = 0 where id = $1 and told_at < $2', [id, at])
  },

  postpone: async (id, pauseMs) => {
    await run('update notice_device set due_at = {NOW} + $2, tries = tries + 1 where id = $1', [id, pauseMs])
  },
})

const toDue = ({ about: what, ref, conversationId, name, at, ...device }: ReturnType<typeof due.parse>): Due => ({
  device,
  about: what,
  id: ref,
  conversationId,
  name,
  at,
})

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
