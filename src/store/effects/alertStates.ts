import { z } from 'zod'
import type { Condition } from '../../domain/alerts.ts'
import type { Tables } from '../../ports.ts'
import type { Scope } from '../engine/db.ts'
import { jsonText, rowOf } from '../engine/rows.ts'

const condition = z.object({
  ...{ alert: z.string(), subject: z.string(), words: z.string(), remedy: z.string(), afterMs: z.number() },
}) satisfies z.ZodType<Condition>
const states = rowOf({ condition: jsonText(condition), since: z.number(), isReported: z.coerce.boolean() })
const insert = 'insert into alert_state (alert, subject, condition, since, is_reported) values ($1, $2, $3, $4, $5)'

/** The alerts that were posted, for the next process that posts alerts. */
export const alertStateTable = ({ read, write }: Scope): Pick<Tables, 'alertStates' | 'keepAlertStates'> => ({
  alertStates: async () => states.all(await read(`select ${states.columns} from alert_state`)),

  keepAlertStates: kept =>
    write(async ({ sql }) => {
      await sql('delete from alert_state')
      for (const { condition: it, since, isReported } of kept)
        await sql(insert, [it.alert, it.subject, JSON.stringify(it), since, isReported])
    }),
})
