import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { type HistoryStep, historyStep } from '../../domain/history.ts'
import { limits } from '../../domain/limits.ts'
import type { HistoryTables } from '../../ports.ts'
import type { Scope, Sql } from '../engine/db.ts'
import { insertion, rowOf } from '../engine/rows.ts'

const compressed = z
  .instanceof(Uint8Array)
  .transform((bytes): unknown => JSON.parse(gunzipSync(bytes).toString()))
  .pipe(historyStep)
const stored = rowOf({ body: compressed })
const sums = rowOf({ calls: z.coerce.number(), bytes: z.coerce.number() })

/** Steps deleted per transaction. Other writes can proceed in between. */
const stepsAtOnce = 1_000
/** Runs of a user whose history is deleted when another run begins. One would do; more make up for a lost deletion. */
const runsAtOnce = 20

export const historyTable = ({ read, write }: Scope): HistoryTables => ({
  addRunSteps: (runId, steps, lease) =>
    write(async ({ sql }) => {
      const isHeld = lease === undefined ? '' : 'and holds = $2 and held_until is not null'
      const params = lease === undefined ? [runId] : [runId, lease]
      if ((await sql(`select id from run where id = $1 ${isHeld} {LOCK}`, params)).length === 0) return
      const used = sums.one(
        await sql('select coalesce(sum(calls), 0) as calls, coalesce(sum(bytes), 0) as bytes from run_step where run_id = $1', [
          runId,
        ]),
      ) ?? { calls: 0, bytes: 0 }
      if (used.bytes === 0) await removeOldest(sql, runId)
      for (const step of steps) {
        const row = toRow(step, used)
        used.calls += row.calls
        used.bytes += row.bytes
        const [insert, values] = insertion('run_step', { runId, ...row }, ['at'])
        await sql(
          `${insert} on conflict (run_id, step) do update set calls = excluded.calls, bytes = excluded.bytes, body = excluded.body, at = excluded.at`,
          values,
        )
      }
    }),

  runSteps: async runId =>
    stored.all(await read(`select ${stored.columns} from run_step where run_id = $1 order by step`, [runId])).map(it => it.body),

  sweepRunSteps: ({ keepMs, most }) =>
    write(async ({ sql }) => {
      const remove = async (which: string, params: number[]) => {
        const swept = await sql(`delete from run_step where seq in (${which} limit ${stepsAtOnce}) returning seq`, params)
        return swept.length === stepsAtOnce
      }
      const hasOlder = await remove('select seq from run_step where at < {NOW} - $1 order by at', [keepMs])
      const isOver = 'select seq from run_step where seq <= (select max(seq) from run_step) - $1 order by seq'
      return (await remove(isOver, [most])) || hasOlder
    }),
})

type Used = { calls: number; bytes: number }

/** Converts a step to a row. A run beyond its limits keeps only which nodes ran. */
const toRow = (whole: HistoryStep, used: Used) => {
  const text = JSON.stringify(whole)
  const isWithin =
    used.calls + whole.calls.length <= limits.historyCalls && used.bytes + Buffer.byteLength(text) <= limits.historyBytes
  const step: HistoryStep = isWithin ? whole : { ...whole, given: undefined, calls: [], update: {}, is_cut: true }
  const kept = isWithin ? text : JSON.stringify(step)
  return { step: whole.step, calls: step.calls.length, bytes: Buffer.byteLength(kept), body: gzipSync(kept) }
}

/** Deletes the history of the user's runs that are no longer among the newest. */
const removeOldest = async (sql: Sql, runId: string): Promise<void> => {
  const older = `select id from run where "user" = (select "user" from run where id = $1)
    order by seq desc limit ${runsAtOnce} offset ${limits.historyRuns}`
  await sql(`delete from run_step where run_id in (${older})`, [runId])
}
