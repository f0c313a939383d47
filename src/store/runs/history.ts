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

export const historyTable = ({ read, write }: Scope, { steps: left }: Holder): HistoryTables => ({
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
        const swept = await sql(`delete from run_step where seq in (${which} limit ${rowsAtOnce}) returning run_id`, params)
        for (const { run_id } of swept) left.delete(String(run_id))
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
type Kept = readonly KeptSteps[] | undefined

const readSteps = async (sql: Sql, runId: string): Promise<Kept> => {
  const rows = await sql(`select ${stored.columns} from run_step where run_id = $1 order by seq desc`, [runId])
  return ifReadable(async () => stored.all(rows))
}

/** Histories in memory, and the length of their JSON texts. One that is not there is read. */
const keptRuns = 512
const keptBytes = 16 * limits.historyBytes

/**
 * The steps before those of a lease. Only the holder of a lease adds any, so what this process left is all that there is. Another
 * process may have deleted it since, so its rows are added again where they are gone.
 */
export const stepsBefore = async (
  read: Sql,
  left: StepsLeft,
  { runId, lease }: { runId: string; lease: string },
): Promise<Kept> => {
  const before = Number(lease) - 1
  if (before === 0) return []
  const known = left.get(runId)
  return known?.lease === before ? known.kept : readSteps(read, runId)
}

const bytesOf = (kept: Kept) => kept?.reduce((sum, it) => sum + it.bytes, 0) ?? 0

/** Notes what a lease left, for the next one. The oldest make room. */
export const leaveSteps = (left: StepsLeft, { runId, lease, kept }: { runId: string; lease: string; kept: Kept }): void => {
  left.delete(runId)
  left.set(runId, { lease: Number(lease), kept })
  let bytes = [...left.values()].reduce((sum, it) => sum + bytesOf(it.kept), 0)
  for (const [oldest, { kept: old }] of left) {
    if (left.size <= keptRuns && bytes <= keptBytes) return
    left.delete(oldest)
    bytes -= bytesOf(old)
  }
}

type Adding = { runId: string; steps: readonly HistoryStep[]; kept: Kept }

/** What adds steps to those before, after another statement. A run goes on without a history that cannot be read. */
export const addSteps = ({ runId, steps, kept }: Adding): { statements: Statement[]; kept: Kept } => {
  if (steps.length === 0 || !kept) return { statements: [], kept }
  const [newest, ...earlier] = kept
  const row = { step: newest?.step ?? steps[0]?.step ?? 0, ...withSteps(newest, steps, earlier) }
  const all = toValues(row)
  const put: Statement = [putRow, [runId, row.step, ...(newest ? toValues(withSteps(undefined, steps, [])) : all), ...all]]
  return { statements: newest ? [put] : [put, [removeOldest, [runId]]], kept: [row, ...earlier] }
}

const toValues = ({ calls, bytes, body }: Omit<KeptSteps, 'step'>) => [calls, bytes, pack(body)]

// A row that was deleted is added again with the new steps alone.
const putRow = `insert into run_step (run_id, step, calls, bytes, body, at) select cast($1 as text), cast($2 as {BIGINT}),
  cast($3 as {BIGINT}), cast($4 as {BIGINT}), cast($5 as {BLOB}), {NOW} where {ADDED}
  on conflict (run_id, step) do update set calls = $6, bytes = $7, body = $8, at = excluded.at`
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
