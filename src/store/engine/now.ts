import { z } from 'zod'
import type { Sql } from './db.ts'
import { rowOf } from './rows.ts'

const moment = rowOf({ now: z.number() })

/** The time by a new statement, because a statement that waited for a lock keeps the time from before the wait. */
export const nowOf = async (sql: Sql): Promise<number> =>
  moment.one(await sql('select {NOW} as now'))?.now ?? Number.POSITIVE_INFINITY
