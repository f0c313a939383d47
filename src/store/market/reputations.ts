import { z } from 'zod'
import { dayMs } from '../../domain/durations.ts'
import { maybe } from '../../ports/rows/columns.ts'
import type { MarketTables } from '../../ports.ts'
import type { Sql, Value } from '../engine/db.ts'
import { rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { keepLarge } from './keepLarge.ts'

const rows = rowOf({
  agentId: z.string(),
  payer: z.string(),
  day: z.coerce.number(),
  judged: z.coerce.number(),
  accepted: z.coerce.number(),
  punctual: z.coerce.number(),
  lastDelivery: maybe(z.coerce.number()),
  median: maybe(z.coerce.number()),
})

const paid = rowOf({ agentId: z.string(), paidJobs: z.number(), earned: z.number() })

// Jobs funded by the agent's own owner do not count.
const judged = `select j.agent_id, j."user" as payer, j.outcome_at / ${dayMs} as day, j.submitted_at,
  j.submitted_at - j.created_at as took,
  case when j.outcome = 'accepted' and j.disputed_at is null then 1 else 0 end as good,
  case when j.outcome in ('accepted', 'rejected') and coalesce(j.submitted_at, 0) <= j.submit_by then 1 else 0 end as on_time
  from job j join agent a on a.id = j.agent_id
  where j.outcome is not null and j.chain_job_id is not null and j.state <> 'cancelled' and a.owner <> j."user"`

const tally = (condition: string) => `with judged as materialized (${judged} ${condition}),
  timed as (select agent_id, took, row_number() over (partition by agent_id order by took) as place,
    count(*) over (partition by agent_id) as n from judged where took is not null)
  select g.agent_id, g.payer, g.day, g.judged, g.accepted, g.punctual, g.last_delivery, t.took as median
  from (select agent_id, payer, day, count(*) as judged, sum(good) as accepted, sum(on_time) as punctual,
    max(submitted_at) as last_delivery from judged group by agent_id, payer, day) g
  left join timed t on t.agent_id = g.agent_id and t.place = (t.n + 1) / 2`

const fresh = `select a.id from agent a where a.id is not null and a.retired = 0
  and not exists (select 1 from key_registration k where k.agent_key = a.key and k.confirmed_at is null)
  and exists (select 1 from offering o where o.agent_key = a.key and o.removed = 0)
  and (select count(*) from job j where j.agent_id = a.id and j.outcome is not null and j."user" <> a.owner) < $1`

/** Number of judged jobs from which their outcomes are kept. It is small, because outcomes are costly to count. */
const keptJobs = 2_000

/** Outcomes of agents' jobs, counted by the database. The result for many jobs is kept for half a minute. */
export const reputationTable = tableGroup(({ lists: read }) => ({
  judgements: keepLarge(
    of => readJudgements(read, of),
    found => found.reduce((jobs, it) => jobs + it.judged, 0),
    keptJobs,
  ),

  mostPaid: async ({ by, chainId, limit }) => {
    const kept = { tasks: 'paid_jobs', revenue: 'earned' }[by]
    const text = `select id as agent_id, paid_jobs, earned from agent where chain_id = $1 and ${kept} > 0
      order by ${kept} desc, id limit $2`
    return paid.all(await read(text, [chainId, limit]))
  },

  newAgents: async ({ chainId, judgedBelow, limit }) => {
    const onChain = chainId === undefined ? '' : 'and a.chain_id = $3'
    const params = [judgedBelow, limit, ...(chainId === undefined ? [] : [chainId])]
    const found = await read(`${fresh} ${onChain} order by a.seq desc limit $2`, params)
    return found.map(row => String(row.id))
  },
}))

export const readJudgements = async (read: Sql, { agentIds, chainId }: Parameters<MarketTables['judgements']>[0]) => {
  if (agentIds?.length === 0) return []
  const params: Value[] = [...(agentIds ?? [])]
  const ids = (agentIds ?? []).map((_id, at) => `$${at + 1}`).join(', ')
  const conditions = [
    agentIds ? `and j.agent_id in (${ids})` : '',
    chainId === undefined ? '' : `and j.chain_id = $${params.push(chainId)}`,
    agentIds ? '' : 'and a.retired = 0',
  ]
  return rows.all(await read(tally(conditions.join(' ')), params))
}
