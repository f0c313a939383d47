import { z } from 'zod'
import type { RunEvent } from '../../domain/runs/runEvent.ts'
import { jsonText, maybe } from '../../ports/rows/columns.ts'
import type { Tables } from '../../ports.ts'
import type { Row, Scope, Sql, Tx } from '../engine/db.ts'
import { pack } from '../engine/packed.ts'
import { insertion, rowOf } from '../engine/rows.ts'
import { eventShape, packedEvents, readPacked } from './packedEvents.ts'
import { createRunTails } from './runTails.ts'

const events = rowOf({ ...eventShape, data: jsonText(eventShape.data) })
const keyed = rowOf({ ...eventShape, data: jsonText(eventShape.data), key: maybe(z.string()) })

type NewEvent = Parameters<Tables['addRunEvent']>[1]
type RunEventTables = Pick<Tables, 'addRunEvent' | 'countRunEvents' | 'runEvents' | 'runTail'>

// One statement, so that events which are packed meanwhile are read once.
const afterEvent = `select run.events as packed, ${events.columns
  .split(', ')
  .map(it => `e.${it}`)
  .join(', ')} from run left join run_event e on e.run_id = run.id and e.seq > $2 where run.id = $1 order by e.seq limit $3`
const ofKind = `select run.events as packed, (select count(*) from run_event e where e.run_id = run.id and e.kind = $2) as total
  from run where run.id = $1`

/** The events of runs. Those of a run that has reported the end of its job are packed into one column of the run. */
export const runEventTable = ({ read, write }: Scope): RunEventTables => ({
  addRunEvent: (runId, event) => write(tx => appendRunEvent(tx, runId, event)),

  countRunEvents: async (runId, kind) => {
    const [run] = await read(ofKind, [runId, kind])
    return run?.packed ? packedEvents.parse(run.packed).filter(it => it.kind === kind).length : Number(run?.total ?? 0)
  },

  runEvents: async (runId, afterSeq, limit) => {
    const rows = await read(afterEvent, [runId, afterSeq, limit])
    const packed = rows[0]?.packed
    if (packed) return readPacked(packed, { runId, afterSeq, limit })
    return events.all(rows.filter(it => it.seq !== null)).map(it => ({ runId, ...it }))
  },

  runTail: createRunTails({ read }),
})

/**
 * Appends an event to a run's log. The number comes from a counter in the run's row in the same transaction, so numbers are
 * consecutive. An event with a key is added only once.
 * @returns the data of the earlier event with the same key; undefined when the event was added
 */
export const appendRunEvent = async (
  { sql, notify }: Tx,
  runId: string,
  event: NewEvent,
): Promise<RunEvent['data'] | undefined> => {
  // The number is taken first, because that locks the run: writers of one run wait for each other here.
  const [counter] = await sql('update run set last_seq = last_seq + 1 where id = $1 returning last_seq, events', [runId])
  if (!counter) throw new RangeError(`no run ${runId}`)
  const packed = counter.events ? packedEvents.parse(counter.events) : []
  const known = event.key === undefined ? undefined : packed.find(it => it.key === event.key)
  const added = known ? undefined : await addRow({ sql, runId, packed }, { seq: Number(counter.last_seq), ...event })
  if (added) return void notify(`run:${runId}`, toHandedOver(runId, added))
  await sql('update run set last_seq = last_seq - 1 where id = $1', [runId])
  const earlier = `select ${events.columns} from run_event where run_id = $1 and key = $2`
  return (known ?? events.one(await sql(earlier, [runId, event.key])))?.data
}

type Appending = { sql: Sql; runId: string; packed: z.infer<typeof packedEvents> }

/** Adds the row of an event, after those of the packed events. Returns it; undefined when there is an event with its key. */
const addRow = async ({ sql, runId, packed }: Appending, event: NewEvent & { seq: number }): Promise<Row | undefined> => {
  for (const it of packed) await sql(...insertion('run_event', { ...toRow(runId, it), at: it.at }))
  if (packed.length > 0) await sql('update run set events = null where id = $1', [runId])
  const [insert, params] = insertion('run_event', toRow(runId, event), ['at'])
  const [added] = await sql(`${insert} on conflict (run_id, key) do nothing returning ${events.columns}`, params)
  return added
}

/** Maximum length in characters of an event that waits in memory for streams. They read a longer one from the store. */
const maxHandedOver = 4_096

/** The event as it is read from its row, so that streams send the same bytes from memory and from the store. */
const toHandedOver = (runId: string, row: Row): RunEvent | undefined => {
  if (String(row.summary).length + String(row.data).length > maxHandedOver) return undefined
  const event = events.one([row])
  return event && { runId, ...event }
}

const toRow = (runId: string, { seq, kind, summary, data, key }: NewEvent & { seq: number }) => ({
  ...{ runId, seq, kind, summary, data: JSON.stringify(data), key },
})

/** Packs all events of a run. The next event that is not among them turns them into rows again. */
export const packRunEvents = async (sql: Sql, runId: string): Promise<void> => {
  const rows = keyed.all(await sql(`select ${keyed.columns} from run_event where run_id = $1 order by seq`, [runId]))
  if (rows.length === 0) return
  await sql('update run set events = $2 where id = $1', [runId, pack(JSON.stringify(rows))])
  await sql('delete from run_event where run_id = $1', [runId])
}
