import { z } from 'zod'
import type { ListedFilter, ListedOrder, MarketTables } from '../../ports.ts'
import type { Scope, Value } from '../engine/db.ts'
import { jsonText, maybe, rowOf } from '../engine/rows.ts'
import { keepLarge } from './keepLarge.ts'
import { fromCurrent, isListedSql } from './offerings.ts'

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
const price = `cast(${member('price')} as numeric)`
/** Columns of offerings in the list of services, without their schemas. */
const columns = `o.id, ${member('name')} as name, ${member('description')} as description, ${member('price')} as price,
  ${member('slaMinutes')} as sla_minutes, ${member('examples')} as examples, ${member('tags')} as tags, ${member('sample')} as sample,
  ${member('main')} as main, a.id as agent_id, a.handle as agent_handle, a.name as agent_name, a.chain_id`

const orders: Record<ListedOrder, string> = {
  newest: '',
  sample: `case when ${member('sample')} is null then 1 else 0 end,`,
  price: `${price},`,
  speed: `cast(${member('slaMinutes')} as numeric),`,
  jobs: 'a.paid_jobs desc,',
}
const newest = 'o.agent_seq desc, o.place, o.id'
// Read off the index of the table that comes first. SQLite keeps the order of a cross join.
const newestAgent = 'a.seq desc, o.place, o.id'
const newestTagged = 't.agent_seq desc, t.place, t.offering_id'
const byAgent = 'from agent a cross join offering o where o.agent_key = a.key and o.removed = 0 and a.id is not null'
const withTag = `from offering_tag t join offering o on o.agent_key = t.agent_key and o.id = t.offering_id
  join agent a on a.key = o.agent_key where o.removed = 0 and a.id is not null`

/** The condition that an offering is on a chain. The plus sign keeps the order of the index from which the page is read. */
const onChain = (chainId: string) => `+o.agent_seq in (select x.seq from agent x where x.chain_id = ${chainId})`

/** Builds the condition of a filter. Its placeholders continue after `params`, to which its values are added. */
const conditionOf = ({ chainId, tag, maxPrice, agentIds }: ListedFilter, params: Value[]): string => {
  const mark = (value: Value) => `$${params.push(value)}`
  return [
    isListedSql,
    ...(chainId === undefined ? [] : [onChain(mark(chainId))]),
    ...(tag === undefined ? [] : [`t.tag = ${mark(tag)}`]),
    ...(maxPrice === undefined ? [] : [`${price} <= cast(${mark(maxPrice)} as numeric)`]),
    ...(agentIds === undefined ? [] : [`a.id in (${agentIds.map(mark).join(', ')})`]),
  ].join(' and ')
}

const isVoid = ({ agentIds }: ListedFilter) => agentIds?.length === 0

/** Lists the offerings that anyone may hire, with filters and sort orders for browsing. Totals of a large market are kept. */
export const serviceTable = (scope: Scope): Pick<MarketTables, 'listed' | 'countListedBy' | 'listedTags'> => {
  const tagsOf = keepLarge(
    ({ filter, limit }: { filter: ListedFilter; limit: number }) => readTags(scope, filter, limit),
    tags => tags.reduce((sum, it) => sum + it.count, 0),
  )
  return {
    listed: of => readListed(scope, of),
    countListedBy: keepLarge(
      filter => countListedBy(scope, filter),
      total => total,
    ),
    listedTags: (filter, limit) => tagsOf({ filter, limit }),
  }
}

type Page = Parameters<MarketTables['listed']>[0]

const readListed = async ({ read }: Scope, page: Page) => (isVoid(page) ? [] : services.all(await read(...toPageQuery(page))))

/** The statement that reads a page of the list of services, and its values. */
export const toPageQuery = ({ order, limit, offset, ...filter }: Page): [text: string, params: Value[]] => {
  const params: Value[] = [limit, offset]
  const { from, last } = wayOf(order, filter.tag)
  const where = `${from} and ${conditionOf(filter, params)}`
  return [`select ${columns} ${where} order by ${orders[order]} ${last} limit $1 offset $2`, params]
}

const wayOf = (order: ListedOrder, tag: string | undefined) => {
  if (tag !== undefined) return { from: withTag, last: order === 'newest' ? newestTagged : newest }
  return order === 'jobs' ? { from: byAgent, last: newestAgent } : { from: fromCurrent, last: newest }
}

const countListedBy = async ({ read }: Scope, filter: ListedFilter): Promise<number> => {
  if (isVoid(filter)) return 0
  const [row] = await read(...toCountQuery(filter))
  return Number(row?.listed)
}

/** The statement that counts listed offerings, and its values. Without agents, it reads an index and no offering. */
export const toCountQuery = (filter: ListedFilter): [text: string, params: Value[]] => {
  const { chainId, tag, maxPrice, agentIds } = filter
  const params: Value[] = []
  const mark = (value: Value) => `$${params.push(value)}`
  if (agentIds === undefined && tag === undefined) {
    const affordable = maxPrice === undefined ? '' : `and ${price} <= cast(${mark(maxPrice)} as numeric)`
    const where = `o.removed = 0 and ${isListedSql} ${affordable} and o.agent_seq ${notElsewhere(chainId, mark)}`
    return [`select count(*) as listed from offering o where ${where}`, params]
  }
  if (agentIds === undefined) {
    const where = `t.tag = ${mark(tag)} ${affordableTag(maxPrice, mark)} and t.agent_seq ${notElsewhere(chainId, mark)}`
    return [`select count(*) as listed from offering_tag t where ${where}`, params]
  }
  return [`select count(*) as listed ${tag === undefined ? fromCurrent : withTag} and ${conditionOf(filter, params)}`, params]
}

const affordableTag = (maxPrice: string | undefined, mark: (value: Value) => string): string =>
  maxPrice === undefined ? '' : `and cast(t.price as numeric) <= cast(${mark(maxPrice)} as numeric)`

/** The condition that an agent, by its place among all agents, is registered on the chain, or on any. */
const notElsewhere = (chainId: number | undefined, mark: (value: Value) => string): string =>
  `not in (select a.seq from agent a where a.id is null ${chainId === undefined ? '' : `or a.chain_id <> ${mark(chainId)}`})`

const readTags = async ({ read }: Scope, filter: ListedFilter, limit: number) => {
  if (isVoid(filter)) return []
  return tagCounts.all(await read(...toTagQuery(filter, limit)))
}

/** The statement that counts the listed offerings of each tag, and its values. Without a list of agents it reads only an index. */
export const toTagQuery = (filter: ListedFilter, limit: number): [text: string, params: Value[]] => {
  const params: Value[] = [limit]
  const mark = (value: Value) => `$${params.push(value)}`
  const { chainId, maxPrice } = filter
  const from =
    filter.agentIds === undefined && filter.tag === undefined
      ? `from offering_tag t where t.agent_seq ${notElsewhere(chainId, mark)} ${affordableTag(maxPrice, mark)}`
      : `${withTag} and ${conditionOf(filter, params)}`
  return [`select t.tag, count(*) as count ${from} group by t.tag order by count(*) desc, t.tag limit $1`, params]
}
