import { z } from 'zod'
import { jsonText, maybe } from '../../ports/rows/columns.ts'
import type { ListedFilter, ListedOrder, MarketTables } from '../../ports.ts'
import type { Scope, Value } from '../engine/db.ts'
import { rowOf } from '../engine/rows.ts'
import { keepLarge } from './keepLarge.ts'

const services = rowOf({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  price: z.string(),
  slaMinutes: z.coerce.number(),
  examples: maybe(jsonText(z.array(z.string()))),
  tags: maybe(jsonText(z.array(z.string()))),
  sample: maybe(z.string()),
  main: maybe(z.string()),
  agentId: z.string(),
  agentHandle: z.string(),
  agentName: z.string(),
  chainId: z.number(),
})
const tagCounts = rowOf({ tag: z.string(), count: z.coerce.number() })

const member = (name: string) => `o.body{PARSED}->>'${name}'`
/** Columns of offerings in the list of services, without their schemas. */
const columns = `o.id, ${member('name')} as name, ${member('description')} as description, ${member('price')} as price,
  ${member('slaMinutes')} as sla_minutes, ${member('examples')} as examples, ${member('tags')} as tags,
  ${member('sample')} as sample, ${member('main')} as main,
  a.id as agent_id, a.handle as agent_handle, a.name as agent_name, a.chain_id`

/** The tables that offerings are selected from: all, or those with a tag. Their indexes have every column of the conditions. */
const sources = {
  all: { table: 'offering', id: 'o.id', isListed: ['o.removed = 0', 'o.listed = 1'] },
  tagged: { table: 'offering_tag', id: 'o.offering_id', isListed: [] },
}
const sourceOf = ({ tag }: ListedFilter) => (tag === undefined ? sources.all : sources.tagged)

const newest = 'o.agent_seq desc, o.place'
const orders: Record<ListedOrder, string> = {
  newest,
  sample: `o.has_sample desc, ${newest}`,
  price: `o.price, ${newest}`,
  speed: `o.sla_minutes, ${newest}`,
  jobs: 'a.paid_jobs desc, a.seq desc, o.place',
}

/** Builds the condition of a filter. Its placeholders continue after `params`, to which its values are added. */
const conditionOf = ({ chainId, tag, maxPrice, agentIds }: ListedFilter, params: Value[]): string => {
  const mark = (value: Value) => `$${params.push(value)}`
  return [
    'o.chain_id is not null',
    ...(chainId === undefined ? [] : [`o.chain_id = ${mark(chainId)}`]),
    ...(tag === undefined ? [] : [`o.tag = ${mark(tag)}`]),
    ...(maxPrice === undefined ? [] : [`o.price <= ${mark(Number(maxPrice))}`]),
    ...(agentIds === undefined
      ? []
      : [`o.agent_seq in (select x.seq from agent x where x.id in (${agentIds.map(mark).join(', ')}))`]),
  ].join(' and ')
}

const isVoid = ({ agentIds }: ListedFilter) => agentIds?.length === 0

/** Lists the offerings that anyone may hire, with filters and sort orders for browsing. Totals of a large market are kept. */
export const serviceTable = (scope: Scope): Pick<MarketTables, 'listed' | 'countListedBy' | 'listedTags'> => {
  const tagsOf = keepLarge(
    ({ filter, limit }: { filter: Untagged; limit: number }) => readTags(scope, filter, limit),
    tags => tags.reduce((sum, it) => sum + it.count, 0),
  )
  return {
    listed: async page => (isVoid(page) ? [] : services.all(await scope.lists(...toPageQuery(page)))),
    countListedBy: keepLarge(
      filter => countListedBy(scope, filter),
      total => total,
    ),
    listedTags: (filter, limit) => tagsOf({ filter, limit }),
  }
}

type Page = Parameters<MarketTables['listed']>[0]

/**
 * The statement that reads a page of the list of services, and its values. It picks the offerings of the page from an index
 * before it reads any. SQLite keeps the order of cross joins.
 */
export const toPageQuery = (page: Page): [text: string, params: Value[]] => {
  const [pick, params] = toPickQuery(page)
  const from = `(${pick}) p cross join agent a cross join offering o`
  const order = `order by ${orders[page.order]}, o.id`
  return [`select ${columns} from ${from} where a.seq = p.agent_seq and o.agent_key = a.key and o.id = p.id ${order}`, params]
}

/** The statement that picks the offerings of a page, and its values. */
export const toPickQuery = ({ order, limit, offset, ...filter }: Page): [text: string, params: Value[]] => {
  const params: Value[] = [limit, offset]
  const { table, id, isListed } = sourceOf(filter)
  const where = [...isListed, conditionOf(filter, params)].join(' and ')
  const last = `order by ${orders[order]}, ${id} limit $1 offset $2`
  const pick = `select o.agent_seq, ${id} as id from`
  if (order !== 'jobs') return [`${pick} ${table} o where ${where} ${last}`, params]
  // Read off the index of agents. Offerings of one tag are few, so they are read first and sorted.
  const from = filter.tag === undefined ? `agent a cross join ${table} o` : `${table} o cross join agent a`
  return [`${pick} ${from} where a.seq = o.agent_seq and ${where} ${last}`, params]
}

const countListedBy = async ({ lists }: Scope, filter: ListedFilter): Promise<number> => {
  if (isVoid(filter)) return 0
  const [row] = await lists(...toCountQuery(filter))
  return Number(row?.listed)
}

/** The statement that counts listed offerings, and its values. */
export const toCountQuery = (filter: ListedFilter): [text: string, params: Value[]] => {
  const params: Value[] = []
  const { table, isListed } = sourceOf(filter)
  const where = [...isListed, conditionOf(filter, params)].join(' and ')
  return [`select count(*) as listed from ${table} o where ${where}`, params]
}

type Untagged = Omit<ListedFilter, 'tag'>
const readTags = async ({ lists }: Scope, filter: Untagged, limit: number) => {
  if (isVoid(filter)) return []
  return tagCounts.all(await lists(...toTagQuery(filter, limit)))
}

/** The statement that counts the listed offerings of each tag, and its values. */
export const toTagQuery = (filter: Untagged, limit: number): [text: string, params: Value[]] => {
  const params: Value[] = [limit]
  const where = conditionOf(filter, params)
  return [
    `select o.tag, count(*) as count from offering_tag o where ${where} group by o.tag order by count(*) desc, o.tag limit $1`,
    params,
  ]
}
