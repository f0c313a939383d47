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
  jobs: 'coalesce(paid.jobs, 0) desc,',
}
// Grouped once, because a count for each offering would repeat those of its agent.
const paidJobs = `left join (select j.agent_id, count(*) as jobs from job j join agent p on p.id = j.agent_id
  where j.state = 'settled' and j."user" <> p.owner group by j.agent_id) paid on paid.agent_id = a.id`
const newest = 'o.agent_seq desc, o.place, o.id'

/** Builds the condition of a filter. Its placeholders continue after `params`, to which its values are added. */
const conditionOf = ({ chainId, tag, maxPrice, agentIds }: ListedFilter, params: Value[]): string => {
  const mark = (value: Value) => `$${params.push(value)}`
  return [
    isListedSql,
    ...(chainId === undefined ? [] : [`a.chain_id = ${mark(chainId)}`]),
    ...(tag === undefined ? [] : [`exists (select 1 from {TAGS} where t.value = ${mark(tag)})`]),
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

const readListed = async ({ read }: Scope, { order, limit, offset, ...filter }: Parameters<MarketTables['listed']>[0]) => {
  if (isVoid(filter)) return []
  const params: Value[] = [limit, offset]
  const from = order === 'jobs' ? fromCurrent.replace(' where ', ` ${paidJobs} where `) : fromCurrent
  const where = `${from} and ${conditionOf(filter, params)}`
  return services.all(await read(`select ${columns} ${where} order by ${orders[order]} ${newest} limit $1 offset $2`, params))
}

const countListedBy = async ({ read }: Scope, filter: ListedFilter): Promise<number> => {
  if (isVoid(filter)) return 0
  const params: Value[] = []
  const [row] = await read(`select count(*) as listed ${fromCurrent} and ${conditionOf(filter, params)}`, params)
  return Number(row?.listed)
}

const readTags = async ({ read }: Scope, filter: ListedFilter, limit: number) => {
  if (isVoid(filter)) return []
  const params: Value[] = [limit]
  const from = fromCurrent.replace(' where ', ', {TAGS} where ')
  const text = `select t.value as tag, count(*) as count ${from} and ${conditionOf(filter, params)}
    group by t.value order by count(*) desc, t.value limit $1`
  return tagCounts.all(await read(text, params))
}
