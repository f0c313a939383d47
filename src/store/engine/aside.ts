import { minuteMs } from '../../domain/durations.ts'
import type { Aside, Row, Sql } from './db.ts'

/** Most rows of one table that are remembered and skipped. */
const maxKnown = 500
/** A row is recorded again after this time in ms, so that the operator's alert lasts as long as the row is met. */
const noteAgainMs = minuteMs

const save = `insert into unreadable_row (source, row_key, reason, at) values ($1, $2, $3, {NOW})
  on conflict (source, row_key) do update set reason = excluded.reason, at = excluded.at`
const reasonChars = 300

/** @param run writes one statement; its errors are ignored, because the row is met again */
export const createAside = (run: Sql): Aside => {
  const known = new Map<string, Map<string, number>>()
  const note = (table: string, row: Row, error: unknown) => {
    const key = String(row.seq ?? row.id ?? row.key ?? row.name)
    const rows = known.get(table) ?? new Map<string, number>()
    known.set(table, rows)
    const now = performance.now()
    if (now - (rows.get(key) ?? Number.NEGATIVE_INFINITY) < noteAgainMs) return
    if (rows.size >= maxKnown && !rows.has(key)) return
    rows.set(key, now)
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, reasonChars)
    // Written outside of a transaction that may be under way, and not awaited: it must not delay the work.
    setImmediate(() => void run(save, [table, key, reason]).catch(() => undefined))
  }
  return {
    limit: (table, limit) => limit + (known.get(table)?.size ?? 0),
    sound: (table, { parse }, rows) =>
      rows.flatMap(row => {
        try {
          return [parse(row)]
        } catch (error) {
          note(table, row, error)
          return []
        }
      }),
  }
}
