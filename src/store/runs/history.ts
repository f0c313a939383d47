import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { ifReadable } from '../../domain/problem.ts'
import { type HistoryStep, historyStep } from '../../domain/runs/history.ts'
import type { HistoryTables } from '../../ports.ts'
import type { Scope, Sql } from '../engine/db.ts'
import type { Holder, KeptSteps } from '../engine/holder.ts'
import { pack, packedText } from '../engine/packed.ts'
import { joined, rowOf, type Statement } from '../engine/rows.ts'

const stored = rowOf({ step: z.number(), calls: z.number(), bytes: z.number(), body: packedText })

/** Rows deleted per transaction. Other writes can proceed in between. */
const rowsAtOnce = 1_000
/** Runs of a user whose history is deleted when another run begins. One would do; more make up for a lost deletion. */
const runsAtOnce = 20

export const historyTable = ({ read, write }: Scope): HistoryTables => ({
  addRunSteps: async (runId, steps, lease) => {
    const isHeld = lease === undefined ? '' : 'and holds = $2 and held_until is not null'
    const held: Statement = [
      `select id from run where id = $1 ${isHeld} {LOCK_FIELDS}`,
      lease === undefined ? [runId] : [runId, lease],
    ]
    const { statements } = addSteps({ runId, steps, kept: await readSteps(read, runId) })
    if (statements.length > 0) await write(({ sql }) => sql(...joined([held, ...statements])))
  },

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

type StepsLeft = Holder['steps']
/** The rows with the steps of a run, newest first; undefined when they cannot be read. */
type Kept = ReturnType<StepsLeft['get']>

const readSteps = async (sql: Sql, runId: string): Promise<Kept> => {
  const rows = await sql(`select ${stored.columns} from run_step where run_id = $1 order by seq desc`, [runId])
  return ifReadable(async () => stored.all(rows))
}

/** Leases in memory: more than are advanced at once, so that none is forgotten meanwhile. */
const keptLeases = 512
const keyOf = (runId: string, lease: number) => `${runId} ${lease}`

/** The steps before those of a lease. Only the holder of a lease adds any, so what this process left is still there. */
export const stepsBefore = async (
  read: Sql,
  left: StepsLeft,
  { runId, lease }: { runId: string; lease: string },
): Promise<Kept> => {
  const before = Number(lease) - 1
  if (before === 0) return []
  return left.has(keyOf(runId, before)) ? left.get(keyOf(runId, before)) : readSteps(read, runId)
}

/** Notes what a lease left, for the next one. */
export const leaveSteps = (left: StepsLeft, { runId, lease, kept }: { runId: string; lease: string; kept: Kept }): void => {
  left.delete(keyOf(runId, Number(lease) - 1))
  const [oldest] = left.keys()
  if (oldest !== undefined && left.size >= keptLeases) left.delete(oldest)
  left.set(keyOf(runId, Number(lease)), kept)
}

type Adding = { runId: string; steps: readonly HistoryStep[]; kept: Kept }

/** What adds steps to those before, after another statement. A run goes on without a history that cannot be read. */
export const addSteps = ({ runId, steps, kept }: Adding): { statements: Statement[]; kept: Kept } => {
  if (steps.length === 0 || !kept) return { statements: [], kept }
  const [newest, ...earlier] = kept
  const row = { step: steps[0]?.step ?? 0, ...withSteps(newest, steps, earlier) }
  const { step, calls, bytes, body } = row
  const values = { runId, step, calls, bytes, body: pack(body) }
  if (!newest)
    return {
      statements: [
        [addRow, Object.values(values)],
        [removeOldest, [runId]],
      ],
      kept: [row],
    }
  return {
    statements: [[replaceRow, Object.values({ ...values, step: newest.step })]],
    kept: [{ ...row, step: newest.step }, ...earlier],
  }
}

const addRow = `insert into run_step (run_id, step, calls, bytes, body, at) select cast($1 as text), cast($2 as {BIGINT}),
  cast($3 as {BIGINT}), cast($4 as {BIGINT}), cast($5 as {BLOB}), {NOW} where {ADDED}`
const replaceRow = `update run_step set calls = $3, bytes = $4, body = $5, at = {NOW} where run_id = $1 and step = $2 and {ADDED}`
// Deletes the history of the user's runs that are no longer among the newest.
const removeOldest = `delete from run_step where run_id in (select id from run where "user" = (select "user" from run where id = $1)
  order by seq desc limit ${runsAtOnce} offset ${limits.historyRuns}) and {ADDED}`

/** Adds steps to a row, one a line. Of steps beyond the limits of the run only number and node are kept. */
const withSteps = (
  row: KeptSteps | undefined,
  steps: readonly HistoryStep[],
  earlier: readonly KeptSteps[],
): Pick<KeptSteps, 'calls' | 'bytes' | 'body'> => {
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
