import { z } from 'zod'
import { address } from '../../domain/hex.ts'
import { isJobState, type JobState } from '../../domain/jobs/job.ts'
import { limits } from '../../domain/limits.ts'
import { amount } from '../../ports/rows/columns.ts'
import type { MarketTables } from '../../ports.ts'
import type { Sql, Value } from '../engine/db.ts'
import { insertion, placesOf, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { keepLarge } from './keepLarge.ts'
import { isListedSql, removeOfferings } from './offerings.ts'
import { serviceTable } from './services.ts'

const counts = rowOf({
  agentId: z.string(),
  chainId: z.number(),
  state: z.custom<JobState>(it => typeof it === 'string' && isJobState(it)),
  budget: amount,
  fee: amount,
  count: z.coerce.number(),
})
const named = rowOf({ id: z.string(), handle: z.string(), name: z.string() })
const butlers = rowOf({ wallet: address, chainId: z.number(), handle: z.string(), createdAt: z.number() })
const talks = rowOf({
  conversationId: z.string(),
  title: z.string(),
  lastMessage: z.string(),
  messageCount: z.coerce.number(),
  updatedAt: z.number(),
  jobState: z
    .custom<JobState>(it => typeof it === 'string' && isJobState(it))
    .nullable()
    .transform(it => it ?? undefined),
})

const talked = `select t.conversation_id, substr(m.content, 1, ${limits.lastMessageChars}) as last_message,
  t.message_count, m.at as updated_at, j.state as job_state,
  substr(coalesce(t.named, f.content, m.content), 1, ${limits.titleChars}) as title
  from (select conversation_id, max(seq) as newest, min(case when role = 'user' then seq end) as asked, count(*) as message_count,
    max(title) as named
    from message where "user" = $1 group by conversation_id) t
  join message m on m.seq = t.newest left join message f on f.seq = t.asked
  left join job j on j.run_id = m.run_id order by t.newest desc limit $2`

const countGroups = `select (select count(*) from agent_group where owner = $1) as "ofOwner",
  (select count(*) from agent_group where source = $2) as "ofAddress",
  (select count(*) from agent_group where owner is null) as "ofStrangers"`
const groupCounts = z.object({ ofOwner: z.coerce.number(), ofAddress: z.coerce.number(), ofStrangers: z.coerce.number() })

export const marketTable = tableGroup(scope => ({
  ...serviceTable(scope),
  ...readings(scope),
  ...records(scope),
}))

const toNumber = (value: unknown) => Number(value ?? 0)

const readings = tableGroup(({ read, lists }) => ({
  agentNames: async ids => {
    if (ids.length === 0) return new Map()
    const rows = named.all(await read(`select ${named.columns} from agent where id in (${placesOf(ids)})`, ids))
    return new Map(rows.map(({ id, ...it }) => [id, it]))
  },

  countMarket: keepLarge(
    of => countMarket(lists, of),
    it => it.read,
  ),

  jobCounts: keepLarge(
    of => countJobs(lists, of),
    counted => counted.reduce((sum, it) => sum + it.count, 0),
  ),

  conversations: async (user, limit) => talks.all(await read(talked, [user, limit])),

  countRuns: async user => toNumber((await read('select count(*) as total from run where "user" = $1', [user]))[0]?.total),
}))

const countMarket = async (read: Sql, { chainId, before }: Parameters<MarketTables['countMarket']>[0]) => {
  const params: Value[] = [before, ...(chainId === undefined ? [] : [chainId])]
  const on = (column: string) => (chainId === undefined ? '' : `and ${column} = $2`)
  const [row] = await read(
    `select (select count(*) from agent a where a.id is not null and a.retired = 0
       and a.created_at < $1 ${on('a.chain_id')}) as agents,
       (select count(*) from offering o where o.removed = 0 and ${isListedSql} and o.chain_id is not null ${on('o.chain_id')}
        and o.agent_seq not in (select a.seq from agent a where a.created_at >= $1)) as offerings,
       (select count(*) from posted_job where created_at < $1 ${on('chain_id')}) as postings,
       (select count(*) from agent) + (select count(*) from posted_job) as read`,
    params,
  )
  const offerings = toNumber(row?.offerings)
  return { agents: toNumber(row?.agents), offerings, postings: toNumber(row?.postings), read: toNumber(row?.read) + offerings }
}

const countJobs = async (read: Sql, of: Parameters<MarketTables['jobCounts']>[0]) => {
  const { agentIds, user, before, since, ofMarket } = of
  if (agentIds?.length === 0) return []
  const params: Value[] = [...(agentIds ?? [])]
  const conditions = agentIds ? [`agent_id in (${placesOf(agentIds)})`] : []
  if (user !== undefined) conditions.push(`"user" = $${params.push(user)}`)
  if (since !== undefined) conditions.push(`updated_at >= $${params.push(since)}`)
  if (before !== undefined) conditions.push(`updated_at < $${params.push(before)}`)
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  const columns = `${ofMarket ? '' : 'agent_id, '}chain_id, state, budget, fee`
  return counts.all(
    await read(
      `select ${ofMarket ? "'' as agent_id, " : ''}${columns}, count(*) as count from job ${where} group by ${columns}`,
      params,
    ),
  )
}

const records = tableGroup(({ read, write }) => ({
  callPrice: async agentKey =>
    String((await read('select call_price from agent where key = $1', [agentKey]))[0]?.call_price ?? '0'),

  isRetired: async agentKey => toNumber((await read('select retired from agent where key = $1', [agentKey]))[0]?.retired) === 1,

  callPrices: async keys => {
    if (keys.length === 0) return new Map()
    const rows = await read(`select key, call_price from agent where key in (${placesOf(keys)})`, keys)
    return new Map(rows.map(row => [String(row.key), String(row.call_price)]))
  },

  setCallPrice: (agentKey, price) =>
    write(
      async ({ sql }) =>
        void (await sql('update agent set call_price = $2, updated_at = {NOW} where key = $1', [agentKey, price])),
    ),

  retireAgent: agentKey =>
    write(async tx => {
      await removeOfferings(tx, agentKey)
      await tx.sql('update agent set retired = 1, version = version + 1, updated_at = {NOW} where key = $1', [agentKey])
    }),

  addGroup: ({ members, metadata, ...group }) =>
    write(async ({ sql }) => {
      const values = { ...group, members: JSON.stringify(members), metadata: JSON.stringify(metadata) }
      await sql(...insertion('agent_group', values, ['createdAt']))
    }),

  lockGroupCounts: ({ owner, source }) =>
    write(async ({ sql }) => {
      await sql('select {LOCKED_NAME} as held', ['groups'])
      const [row] = await sql(countGroups, [owner, source])
      return groupCounts.parse(row)
    }),

  activateButler: (wallet, chainId, handle) =>
    write(async ({ sql }) => {
      const [insert, params] = insertion('butler', { wallet, chainId, handle }, ['createdAt'])
      await sql(`${insert} on conflict (wallet, chain_id) do nothing`, params)
      const text = `select ${butlers.columns} from butler where wallet = $1 and chain_id = $2`
      return butlers.sole(await sql(text, [wallet, chainId]))
    }),

  butler: async (wallet, chainId) => {
    const onChain = chainId === undefined ? '' : 'and chain_id = $2'
    const params = chainId === undefined ? [wallet] : [wallet, chainId]
    const text = `select ${butlers.columns} from butler where wallet = $1 ${onChain} order by created_at limit 1`
    return butlers.one(await read(text, params))
  },
}))
