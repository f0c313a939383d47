import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { type HistoryStep, historyStep } from '../../domain/runs/history.ts'
import type { HistoryTables } from '../../ports.ts'
import type { Later, Row, Scope, Sql } from '../engine/db.ts'
import { pack, packedText } from '../engine/packed.ts'
import { insertion, rowOf } from '../engine/rows.ts'

const stored = rowOf({ seq: z.number(), calls: z.number(), bytes: z.number(), body: packedText })
type Stored = ReturnType<typeof stored.all>[number]

/** Rows deleted per transaction. Other writes can proceed in between. */
const rowsAtOnce = 1_000
/** Runs of a user whose history is deleted when another run begins. One would do; more make up for a lost deletion. */
const runsAtOnce = 20

export const historyTable = ({ read, write }: Scope): HistoryTables => ({
  addRunSteps: (runId, steps, lease) =>
    write(async ({ sql, later }) => {
      const isHeld = lease === undefined ? '' : 'and holds = $2 and held_until is not null'
      const params = lease === undefined ? [runId] : [runId, lease]
      const [runs, rows] = await Promise.all([
        sql(`select id from run where id = $1 ${isHeld} {LOCK_FIELDS}`, params),
        readSteps(sql, runId),
      ])
      if (runs.length > 0) addSteps(later, { runId, steps, rows })
    }),

  runSteps: async runId => {
    const rows = stored.all(await read(`select ${stored.columns} from run_step where run_id = $1 order by seq`, [runId]))
    const steps = rows.flatMap(it => it.body.split('\n')).map(line => historyStep.parse(JSON.parse(line)))
    // A step that ran again is the later one.
    const byNumber = new Map(steps.map(it => [it.step, it]))
    return [...byNumber.values()].toSorted((one, other) => one.step - other.step)
  },

  sweepRunSteps: ({ keepMs, most }) =>
    write(async ({ sql }) => {
      const remove = async (which: string, params: number[]) => {
        const swept = await sql(`delete from run_step where seq in (${which} limit ${rowsAtOnce}) returning seq`, params)
        return swept.length === rowsAtOnce
      }
      const hasOlder = await remove('select seq from run_step where at < {NOW} - $1 order by at', [keepMs])
      const isOver =
        'select seq from run_step where seq <= (select seq from run_step order by seq desc limit 1 offset $1) order by seq'
      return (await remove(isOver, [most])) || hasOlder
    }),
})

/** The rows with the steps of a run, newest first. */
export const readSteps = (sql: Sql, runId: string): Promise<Row[]> =>
  sql(`select ${stored.columns} from run_step where run_id = $1 order by seq desc`, [runId])

type Adding = { runId: string; steps: readonly HistoryStep[]; rows: Row[] }

/** Adds steps to those that `readSteps` returned. A run goes on without a history that cannot be read. */
export const addSteps = (later: Later, { runId, steps, rows }: Adding): void => {
  if (steps.length === 0 || !rows.every(isReadable)) return
  const [newest, ...earlier] = stored.all(rows)
  if (!newest) removeOldest(later, runId)
  const row = withSteps(newest, steps, earlier)
  if (newest) {
    const update = 'update run_step set calls = $2, bytes = $3, body = $4, at = {NOW} where seq = $1'
    later(update, [newest.seq, row.calls, row.bytes, pack(row.body)])
  } else later(...insertion('run_step', { runId, step: steps[0]?.step ?? 0, ...row, body: pack(row.body) }, ['at']))
}

const isReadable = (row: Row): boolean => {
  try {
    return stored.parse(row) !== undefined
  } catch {
    return false
  }
}

/** Adds steps to a row, one a line. Of steps beyond the limits of the run only number and node are kept. */
const withSteps = (row: Stored | undefined, steps: readonly HistoryStep[], earlier: Stored[]): Omit<Stored, 'seq'> => {
  let { calls, bytes, body } = row ?? { calls: 0, bytes: 0, body: '' }
  const before = earlier.reduce((sum, it) => ({ calls: sum.calls + it.calls, bytes: sum.bytes + it.bytes }), {
    calls: 0,
    bytes: 0,
  })
  for (const step of steps) {
    const text = JSON.stringify(step)
    const isWithin =
      before.calls + calls + step.calls.length <= limits.historyCalls &&
      before.bytes + bytes + Buffer.byteLength(text) <= limits.historyBytes
    const kept = isWithin ? text : JSON.stringify({ ...step, given: undefined, calls: [], update: {}, is_cut: true })
    calls += isWithin ? step.calls.length : 0
    bytes += Buffer.byteLength(kept)
    body += body === '' ? kept : `\n${kept}`
  }
  return { calls, bytes, body }
}

/** Deletes the history of the user's runs that are no longer among the newest. */
const removeOldest = (later: Later, runId: string): void => {
  const older = `select id from run where "user" = (select "user" from run where id = $1)
    order by seq desc limit ${runsAtOnce} offset ${limits.historyRuns}`
  later(`delete from run_step where run_id in (${older})`, [runId])
}
