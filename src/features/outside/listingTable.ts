import { hourMs } from '../../domain/durations.ts'
import { sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { flag } from '../../ports/rows/columns.ts'
import type { Scope, Sql } from '../../store/engine/db.ts'
import { insertion, placesOf, rowOf } from '../../store/engine/rows.ts'
import { type CatalogueTables, catalogueRow, countRow, type Listed, type ListingTables, listingRow } from './ports.ts'

const listings = rowOf(listingRow)
const changed = rowOf({ ...listingRow, isShown: flag })

/** A listing that was not checked for this long is not shown, in ms: its seller may be gone. */
const staleMs = hourMs
/** How many of the newest checks of a listing are counted. */
const countedProbes = 40
/** Parameters of one statement. */
const keysAtOnce = 500

const isSound = `refusal = '' and verdict = '' and alive_at is not null`
const isShown = `${isSound} and alive_at > {NOW} - ${staleMs}`

const texts = ['url', 'target', 'method', 'host', 'name', 'description', 'example', 'requirement', 'chain_id', 'asset', 'pay_to']
  .concat('amount', 'scheme', 'refusal', 'page', 'pass', 'fingerprint')
  .map(it => `${it} = excluded.${it}`)
const same = 'outside_listing.fingerprint = excluded.fingerprint'
const keep = `on conflict (key) do update set ${texts.join(', ')},
  verdict = case when ${same} then outside_listing.verdict else '' end,
  alive_at = case when ${same} then outside_listing.alive_at end,
  due_at = case when ${same} then outside_listing.due_at else excluded.due_at end,
  changed_at = case when ${same} then outside_listing.changed_at else excluded.changed_at end`

const due = `select ${listings.columns} from (select l.*, row_number() over (partition by host order by due_at, key) as nth
  from outside_listing l where refusal = '' and due_at <= {NOW}) d where nth <= $1 order by due_at, key limit $2`
const probed = `update outside_listing set verdict = $2, asked = coalesce($3, asked), recent = substr($4 || recent, 1, ${countedProbes}),
  probed_at = {NOW}, alive_at = case when $2 = '' then {NOW} else alive_at end, due_at = {NOW} + $5,
  changed_at = case when verdict <> $2 or alive_at is null then {NOW} else changed_at end where key = $1`

export const listingTable = ({ read, run, write }: Scope): ListingTables => ({
  keepPage: ({ catalogue, pass, page, listed }) =>
    write(async ({ sql, notify }) => {
      const [row] = await sql('select count(*) as total from outside_listing where catalogue = $1', [catalogue])
      const room = limits.catalogueListings - Number(row?.total)
      let added = 0
      for (const it of listed) if (await keepOne(sql, { catalogue, pass, page, it, isFull: added >= room })) added += 1
      notify('probes')
    }),

  keepOldPage: async ({ catalogue, pass, page }) => {
    await run('update outside_listing set pass = $3 where catalogue = $1 and page = $2', [catalogue, page, pass])
  },

  dueProbes: async ({ ofHost, limit }) => listings.all(await read(due, [ofHost, limit])),

  keepProbe: async (key, { verdict, asked, pauseMs }) => {
    await run(probed, [key, verdict, asked, verdict === '' ? '1' : '0', pauseMs])
  },

  checkAgain: async (keys, pauseMs) => {
    for (let at = 0; at < keys.length; at += keysAtOnce) {
      const some = keys.slice(at, at + keysAtOnce)
      await run(`update outside_listing set due_at = {NOW} + $1 where key in (${placesOf(some, 2)})`, [pauseMs, ...some])
    }
  },

  changedListings: async (since, limit) => {
    const rows = await read(
      `select ${listings.columns}, case when ${isSound} then 1 else 0 end as is_shown from outside_listing
       where changed_at >= $1 order by changed_at, key limit $2`,
      [since, limit],
    )
    return changed.all(rows)
  },

  shownListings: async keys => {
    if (keys.length === 0) return []
    const marks = keys.map((_, at) => `$${at + 1}`).join(', ')
    return listings.all(
      await read(`select ${listings.columns} from outside_listing where key in (${marks}) and ${isShown}`, keys),
    )
  },

  listingsOf: async (target, chainId, url) => {
    const sql = `select ${listings.columns} from outside_listing where target = $1 and chain_id = $2 and refusal = ''
      order by case when ${isSound} then 0 else 1 end, case when url = $3 then 0 else 1 end, key limit 20`
    return listings.all(await read(sql, [target, chainId, url]))
  },

  countRefused: async limit => {
    const rows = await read(
      `select refusal, count(*) as listings from outside_listing where refusal <> '' group by refusal
       order by listings desc, refusal limit $1`,
      [limit],
    )
    return rows.map(it => ({ refusal: String(it.refusal), listings: Number(it.listings) }))
  },
})

type Keeping = { catalogue: string; pass: number; page: number; it: Listed; isFull: boolean }

/** Whether the listing is new. A full catalogue gets no new ones. */
const keepOne = async (sql: Sql, { catalogue, pass, page, it, isFull }: Keeping): Promise<boolean> => {
  const { example, requirement, amount: price, ...of } = it
  const key = sha256(JSON.stringify([catalogue, it.method, it.url]))
  const [known] = await sql('select 1 as one from outside_listing where key = $1', [key])
  if (!known && isFull) return false
  const values = {
    ...{ key, catalogue, pass, page, ...of, amount: price.toString(), requirement: JSON.stringify(requirement) },
    example: example === undefined ? undefined : JSON.stringify(example),
  }
  const { pass: _pass, page: _page, scheme, ...content } = values
  // A listing of an earlier release, which knew no other scheme, is the same one.
  const fingerprint = sha256(JSON.stringify(scheme === 'exact' ? content : { ...content, scheme }))
  const [insert, params] = insertion('outside_listing', { ...values, fingerprint }, ['dueAt', 'changedAt'])
  await sql(`${insert} ${keep}`, params)
  return !known
}

const catalogues = rowOf(catalogueRow)
const counts = rowOf(countRow)

const counting = `select c.url, c.read_at, c.reason, count(l.key) as listed,
  coalesce(sum(case when l.refusal <> '' then 1 else 0 end), 0) as refused,
  coalesce(sum(case when l.refusal = '' and l.verdict = '' and l.alive_at is not null then 1 else 0 end), 0) as shown
  from outside_catalogue c left join outside_listing l on l.catalogue = c.url group by c.url, c.read_at, c.reason order by c.url`

export const catalogueTable = ({ read, run, write }: Scope): CatalogueTables => ({
  openCatalogues: urls =>
    write(async ({ sql }) => {
      const known = catalogues.all(await sql(`select ${catalogues.columns} from outside_catalogue`))
      for (const { url } of known) {
        if (urls.includes(url)) continue
        await sql('delete from outside_listing where catalogue = $1', [url])
        await sql('delete from outside_catalogue where url = $1', [url])
      }
      for (const url of urls)
        await sql('insert into outside_catalogue (url, due_at) values ($1, {NOW}) on conflict (url) do nothing', [url])
    }),

  dueCatalogue: async () =>
    catalogues.one(
      await read(`select ${catalogues.columns} from outside_catalogue where due_at <= {NOW} order by due_at, url limit 1`),
    ),

  turnPage: ({ catalogue, pages, isEnd, pauseMs }) =>
    write(async ({ sql }) => {
      if (isEnd)
        await sql(
          `delete from outside_listing where catalogue = $1
           and pass < (select pass from outside_catalogue where url = $1)`,
          [catalogue],
        )
      const next = isEnd ? 'page = 0, pass = pass + 1, read_at = {NOW}' : 'page = page + 1'
      await sql(`update outside_catalogue set ${next}, pages = $2, tries = 0, reason = '', due_at = {NOW} + $3 where url = $1`, [
        catalogue,
        JSON.stringify(pages),
        pauseMs,
      ])
    }),

  failCatalogue: async (url, { reason, pauseMs }) => {
    await run('update outside_catalogue set reason = $2, tries = tries + 1, due_at = {NOW} + $3 where url = $1', [
      url,
      reason,
      pauseMs,
    ])
  },

  countListings: async () => counts.all(await read(counting)),
})
