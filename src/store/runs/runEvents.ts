import { z } from 'zod'
import type { NewRunEvent, RunEvent } from '../../domain/runs/runEvent.ts'
import { jsonText, maybe } from '../../ports/rows/columns.ts'
import { followedBy, type Row, type Tx } from '../engine/db.ts'
import { pack } from '../engine/packed.ts'
import { insertion, rowOf, type Statement } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { eventShape, packedEvents, readPacked } from './packedEvents.ts'
import { createRunTails } from './runTails.ts'

const events = rowOf({ ...eventShape, data: jsonText(eventShape.data) })
const keyed = rowOf({ ...eventShape, data: jsonText(eventShape.data), key: maybe(z.string()) })

// One statement, so that events which are packed meanwhile are read once.
const afterEvent = `select run.events as packed, ${events.columnsOf('e')} from run left join run_event e on e.run_id = run.id and e.seq > $2 where run.id = $1 order by e.seq limit $3`
const ofKind = `select run.events as packed, (select count(*) from run_event e where e.run_id = run.id and e.kind = $2) as total
  from run where run.id = $1`

/** The events of runs. Those of a run that has reported the end of its job are packed into one column of the run. */
export const runEventTable = tableGroup(({ read, write, alone }) => ({
  addRunEvent: async (runId, event, isOpen) => {
    if (!alone && isOpen) return write(async tx => void sendRunEvent(tx, runId, event))
    if (alone) {
      const to = { channels: [`run:${runId}`], toHanded: (row: Row) => ({ event: toHandedOver(runId, row) }) }
      if (await alone(insertNext, toNext(runId, event), to)) return undefined
    } else if (await write(tx => sendRunEvent(tx, runId, event))) return undefined
    return write(tx => appendUnlessKnown(tx, runId, event))
  },

  addRunEvents: async (runId, events) => {
    const { sent } = await write(async tx => ({ sent: events.map(it => sendRunEvent(tx, runId, it)) }))
    const isAdded = await Promise.all(sent)
    let earlier: RunEvent['data'] | undefined
    for (const [at, event] of events.entries())
      earlier = isAdded[at] ? undefined : await write(tx => appendUnlessKnown(tx, runId, event))
    return earlier
  },

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
}))

/**
 * Appends an event to a run's log. The number comes from a counter in the run's row in the same transaction, so numbers are
 * consecutive. An event with a key is added only once.
 * @returns the data of the earlier event with the same key; undefined when the event was added
 */
export const appendRunEvent = async (tx: Tx, runId: string, event: NewRunEvent): Promise<RunEvent['data'] | undefined> => {
  return (await sendRunEvent(tx, runId, event)) ? undefined : appendUnlessKnown(tx, runId, event)
}

/**
 * Adds an event without a wait for the answer, where the events are known not to be packed.
 * @param event `wakes`: it also wakes the run
 * @returns whether it was added
 */
export const sendRunEvent = (tx: Tx, runId: string, event: NewRunEvent & { wakes?: boolean }): Promise<boolean> => {
  const adding = tx.sql(event.wakes ? insertAndWake : insertNext, toNext(runId, event))
  const handed = adding.then(([added]) => added && { event: toHandedOver(runId, added) })
  tx.notify(
    `run:${runId}`,
    handed.catch(() => undefined),
  )
  if (event.wakes) tx.notify('runs')
  const isAdded = adding.then(rows => rows.length > 0)
  // A transaction that fails reports it, and then nobody asks here.
  isAdded.catch(() => undefined)
  return isAdded
}

const toNext = (runId: string, { kind, summary, data, key }: NewRunEvent) => [runId, kind, summary, JSON.stringify(data), key]

// The row of the run is locked, so writers of one run wait for each other here, and each sees the number of the one before. No
// row is added when there is an event with its key, or while the events are packed.
const addNext = `insert into run_event (run_id, seq, kind, summary, data, key, at)
  select $1, run.last_seq + 1, cast($2 as text), cast($3 as text), cast($4 as text), cast($5 as text), {NOW} from run
  where run.id = $1 and run.events is null {LOCK_FIELDS} on conflict (run_id, key) do nothing returning ${events.columns}
  ${followedBy} update run set last_seq = last_seq + 1`
const insertNext = `${addNext} where id = $1 and {ADDED}`
const insertAndWake = `${addNext}, wake_at = coalesce(wake_at, {NOW}) where id = $1 and {ADDED}`

const ofKey = `select ${events.columns} from run_event where run_id = $1 and key = $2`

/** Returns the data of the event with the same key, or turns packed events into rows and appends after them. */
const appendUnlessKnown = async (tx: Tx, runId: string, event: NewRunEvent): Promise<RunEvent['data'] | undefined> => {
  const earlier = events.one(await tx.sql(ofKey, [runId, event.key]))
  if (earlier) return earlier.data
  const [run] = await tx.sql('select events from run where id = $1 {LOCK_FIELDS}', [runId])
  if (!run) throw new RangeError(`no run ${runId}`)
  const packed = run.events ? packedEvents.parse(run.events) : []
  const known = event.key === undefined ? undefined : packed.find(it => it.key === event.key)
  if (known) return known.data
  for (const it of packed) tx.later(...insertion('run_event', { ...toRow(runId, it), at: it.at }))
  tx.later('update run set events = null where id = $1', [runId])
  return appendRunEvent(tx, runId, event)
}

/** Maximum length in characters of an event that waits in memory for streams. They read a longer one from the store. */
const maxHandedOver = 4_096

/** The event as it is read from its row, so that streams send the same bytes from memory and from the store. */
const toHandedOver = (runId: string, row: Row): RunEvent | undefined => {
  if (String(row.summary).length + String(row.data).length > maxHandedOver) return undefined
  const event = events.one([row])
  return event && { runId, ...event }
}

const toRow = (runId: string, { seq, kind, summary, data, key }: NewRunEvent & { seq: number }) => ({
  ...{ runId, seq, kind, summary, data: JSON.stringify(data), key },
})

/** The rows of a run's events that are not packed. */
export const readRunEvents = ({ sql }: Tx, runId: string): Promise<Row[]> =>
  sql(`select ${keyed.columns} from run_event where run_id = $1 order by seq`, [runId])

/** Packs all events of a run, which `readRunEvents` returned. The next event that is not among them turns them into rows again. */
export const packRunEvents = (runId: string, read: Row[]): Statement[] => [
  [
    `update run set events = coalesce($2, events) where id = $1 returning id`,
    [runId, read.length === 0 ? undefined : pack(JSON.stringify(keyed.all(read)))],
  ],
  ['delete from run_event where run_id = $1 and {ADDED}', [runId]],
]
