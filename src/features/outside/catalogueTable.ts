import type { Scope } from '../../store/engine/db.ts'
import { rowOf } from '../../store/engine/rows.ts'
import { type CatalogueTables, catalogueRow, countRow } from './ports.ts'

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
