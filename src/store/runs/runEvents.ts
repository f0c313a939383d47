import { runEvent } from '../../domain/runEvent.ts'
import type { Tables } from '../../ports.ts'
import type { Scope, Tx } from '../engine/db.ts'
import { insertion, jsonText, rowOf } from '../engine/rows.ts'

const events = rowOf({ ...runEvent.shape, data: jsonText(runEvent.shape.data) })

type NewEvent = Parameters<Tables['addRunEvent']>[1]
type RunEventTables = Pick<Tables, 'addRunEvent' | 'countRunEvents' | 'runEvents'>

export const runEventTable = ({ read, write }: Scope): RunEventTables => ({
  addRunEvent: (runId, event) => write(tx => tellRun(tx, runId, event)),

  countRunEvents: async (runId, kind) => {
    const [row] = await read('select count(*) as total from run_event where run_id = $1 and kind = $2', [runId, kind])
    return Number(row?.total)
  },

  runEvents: async (runId, afterSeq, limit) =>
    events.all(
      await read(`select ${events.columns} from run_event where run_id = $1 and seq > $2 order by seq limit $3`, [
        runId,
        afterSeq,
        limit,
      ]),
    ),
})

/**
 * Appends an event to a run's log. The number comes from a counter in the run's row in the same transaction, so numbers are
 * consecutive. An event with a key is added only once.
 */
export const tellRun = async ({ sql, notify }: Tx, runId: string, { kind, summary, data, key }: NewEvent): Promise<void> => {
  // The lock is a statement of its own, because on PostgreSQL a statement that waits for it would not see newly committed
  // events.
  const [run] = await sql('select id from run where id = $1 {LOCK}', [runId])
  if (!run) throw new RangeError(`no run ${runId}`)
  if (key !== undefined && (await isTold({ sql, notify }, runId, key))) return
  const [counter] = await sql('update run set last_seq = last_seq + 1 where id = $1 returning last_seq', [runId])
  const seq = Number(counter?.last_seq)
  await sql(...insertion('run_event', { runId, seq, kind, summary, data: JSON.stringify(data), key }, ['at']))
  notify(`run:${runId}`)
}

const isTold = async ({ sql }: Tx, runId: string, key: string) =>
  (await sql('select seq from run_event where run_id = $1 and key = $2', [runId, key])).length > 0
