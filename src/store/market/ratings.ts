import { z } from 'zod'
import { dayMs } from '../../domain/durations.ts'
import type { Value } from '../engine/db.ts'
import { rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { readJudgements } from './reputations.ts'

const dues = rowOf({ id: z.string(), due: z.coerce.number() })

// Judgements fade, so every rating is computed again once a day.
const due = `select id, rating_due as due from (select seq, id, rating_due from agent where rating_due > 0 and id is not null
    order by seq limit $1) d
  union all select id, rating_due from (select id, rating_due from agent where rated_at < {NOW} - ${dayMs} and rating_due = 0
    order by rated_at limit $1) o limit $1`
const keep = `update agent set top_score = $3, rated_at = {NOW}, rating_due = 0 where id = $1 and rating_due = $2`

const isUnverified = 'exists (select 1 from key_registration k where k.agent_key = a.key and k.confirmed_at is null)'

/** The ratings that the ranking by score is read from. */
export const ratingTable = tableGroup(({ read, run, aside }) => ({
  dueRatings: async limit => {
    const agents = aside.sound('agent', dues, await read(due, [aside.limit('agent', limit)]))
    // Not from the judgements that are kept: those may be older than the request.
    const rows = await readJudgements(read, { agentIds: agents.map(it => it.id) })
    const byAgent = Map.groupBy(rows, it => it.agentId)
    return agents.map(it => ({ agentId: it.id, due: it.due, rows: byAgent.get(it.id) ?? [] }))
  },

  keepRatings: async ratings => {
    // Each decides for itself, so they need no common transaction.
    for (const { agentId, due: counted, topScore } of ratings) await run(keep, [agentId, counted, topScore])
  },

  topRated: async ({ chainId, isVerified, limit }) => {
    const params: Value[] = [limit, ...(chainId === undefined ? [] : [chainId])]
    const where = `${isVerified ? 'not' : ''} ${isUnverified} ${chainId === undefined ? '' : 'and a.chain_id = $2'}`
    const best = `select a.id from agent a where a.rated_at is not null and a.retired = 0 and ${where}
      order by a.top_score desc, a.id limit $1`
    const unrated = `select a.id from agent a where a.rating_due > 0 and a.id is not null and a.retired = 0 and ${where}
      order by a.seq limit $1`
    const found = await Promise.all([read(best, params), read(unrated, params)])
    return [...new Set(found.flat().map(row => String(row.id)))]
  },
}))
