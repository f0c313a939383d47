import { z } from 'zod'
import type { ListedFilter, ListedOrder, MarketTables } from '../../ports.ts'
import type { Scope, Value } from '../engine/db.ts'
import { jsonText, maybe, rowOf } from '../engine/rows.ts'
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
  jobs: `(select count(*) from job j where j.agent_id = a.id and j.state = 'settled' and j."user" <> a.owner) desc,`,
}

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

/** Lists the offerings that anyone may hire, with filters and sort orders for browsing. */
export const serviceTable = ({ read }: Scope): Pick<MarketTables, 'listed' | 'countListedBy' | 'listedTags'> => ({
  listed: async ({ order, limit, offset, ...filter }) => {
    if (isVoid(filter)) return []
    const params: Value[] = [limit, offset]
    const where = `${fromCurrent} and ${conditionOf(filter, params)}`
    const text = `select ${columns} ${where} order by ${orders[order]} a.seq desc, o.place, o.id limit $1 offset $2`
    return services.all(await read(text, params))
  },

  countListedBy: async filter => {
    if (isVoid(filter)) return 0
    const params: Value[] = []
    const [row] = await read(`select count(*) as listed ${fromCurrent} and ${conditionOf(filter, params)}`, params)
    return Number(row?.listed)
  },

  listedTags: async (filter, limit) => {
    if (isVoid(filter)) return []
    const params: Value[] = [limit]
    const from = fromCurrent.replace(' where ', ', {TAGS} where ')
    const text = `select t.value as tag, count(*) as count ${from} and ${conditionOf(filter, params)}
      group by t.value order by count(*) desc, t.value limit $1`
    return tagCounts.all(await read(text, params))
  },
})
