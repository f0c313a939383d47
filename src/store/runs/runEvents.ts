import { runEvent } from '../../domain/runEvent.ts'
import type { Tables } from '../../ports.ts'
import type { Scope, Tx } from '../engine/db.ts'
import { insertion, jsonText, rowOf } from '../engine/rows.ts'
import { createRunTails } from './runTails.ts'

const events = rowOf({ ...runEvent.shape, data: jsonText(runEvent.shape.data) })

type NewEvent = Parameters<Tables['addRunEvent']>[1]
type RunEventTables = Pick<Tables, 'addRunEvent' | 'countRunEvents' | 'runEvents' | 'runTail'>

export const runEventTable = ({ read, write }: Scope): RunEventTables => ({
  addRunEvent: (runId, event) => write(tx => appendRunEvent(tx, runId, event)),

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

  runTail: createRunTails({ read }),
})

/**
 * Appends an event to a run's log. The number comes from a counter in the run's row in the same transaction, so numbers are
 * consecutive. An event with a key is added only once.
 */
export const appendRunEvent = async (
  { sql, notify }: Tx,
  runId: string,
  { kind, summary, data, key }: NewEvent,
): Promise<void> => {
  // The number is taken first, because that locks the run: writers of one run wait for each other here.
  const [counter] = await sql('update run set last_seq = last_seq + 1 where id = $1 returning last_seq', [runId])
  if (!counter) throw new RangeError(`no run ${runId}`)
  const seq = Number(counter.last_seq)
  const [insert, params] = insertion('run_event', { runId, seq, kind, summary, data: JSON.stringify(data), key }, ['at'])
  const added = await sql(`${insert} on conflict (run_id, key) do nothing returning seq`, params)
  if (added.length > 0) return notify(`run:${runId}`)
  await sql('update run set last_seq = last_seq - 1 where id = $1', [runId])
}
