import { z } from 'zod'
import { hourMs } from '../../domain/durations.ts'
import type { Condition, Contest } from '../../domain/operator/alerts.ts'
import { jsonText } from '../../ports/rows/columns.ts'
import type { Row } from '../engine/db.ts'
import { rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const condition = z.object({
  ...{ alert: z.string(), subject: z.string(), words: z.string(), remedy: z.string(), afterMs: z.number() },
}) satisfies z.ZodType<Condition>
const states = rowOf({ condition: jsonText(condition), since: z.number(), isReported: z.coerce.boolean() })
const insert = 'insert into alert_state (alert, subject, condition, since, is_reported) values ($1, $2, $3, $4, $5)'

const contests = rowOf({ agent: z.string(), agoMs: z.coerce.number() }) satisfies { all(rows: Row[]): Contest[] }
const readContests = `select coalesce((select a.handle from agent a where a.id = c.agent_id), c.agent_id) as agent,
  {NOW} - c.at as ago_ms
  from agent_contest c where c.at > {NOW} - $1 order by c.at desc limit $2`

const unreadable = rowOf({ source: z.string(), count: z.coerce.number(), key: z.string(), reason: z.string() })
const readUnreadable = `select source, count, row_key as key, reason from (select source, row_key, reason,
    count(*) over (partition by source) as count, row_number() over (partition by source order by row_key) as place
    from unreadable_row where at > {NOW} - $1) met where place = 1 order by source`

/** The alerts that were posted, for the next process that posts alerts, and the agents with two pollers. */
export const alertStateTable = tableGroup(({ read, write }) => ({
  noteContest: agentId =>
    write(async ({ sql }) => {
      await sql('delete from agent_contest where at < {NOW} - $1', [hourMs])
      await sql(
        'insert into agent_contest (agent_id, at) values ($1, {NOW}) on conflict (agent_id) do update set at = excluded.at',
        [agentId],
      )
    }),

  contests: async ({ withinMs, limit }) => contests.all(await read(readContests, [withinMs, limit])),

  unreadableRows: async withinMs => unreadable.all(await read(readUnreadable, [withinMs])),

  alertStates: async () => states.all(await read(`select ${states.columns} from alert_state`)),

  keepAlertStates: kept =>
    write(async ({ sql }) => {
      await sql('delete from alert_state')
      for (const { condition: it, since, isReported } of kept)
        await sql(insert, [it.alert, it.subject, JSON.stringify(it), since, isReported])
    }),
}))
