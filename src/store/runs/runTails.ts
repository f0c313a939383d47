import { z } from 'zod'
import { runEvent } from '../../domain/runs/runEvent.ts'
import { jsonText } from '../../ports/rows/columns.ts'
import { runState } from '../../ports/rows/run.ts'
import type { Tables } from '../../ports.ts'
import type { Row, Scope, Value } from '../engine/db.ts'
import { rowOf } from '../engine/rows.ts'
import { readPacked } from './packedEvents.ts'

const tails = rowOf({ askedAs: z.coerce.number(), state: runState })
const events = rowOf({ ...runEvent.shape, data: jsonText(runEvent.shape.data) })

/** Maximum number of runs in one statement. */
const maxAtOnce = 256

type Tail = Awaited<ReturnType<Tables['runTail']>>
type Of = { runId: string; afterSeq: number; limit: number }
type Asked = Of & PromiseWithResolvers<Tail>

/** Numbers of events have no gaps, so the limit of a run is a bound of its numbers. A run without new events is one row. */
const toStatement = (places: number) => {
  const asked = Array.from({ length: places }, (_, at) => {
    const mark = (nth: number) => `$${4 * at + nth}`
    return `(cast(${mark(1)} as {BIGINT}), cast(${mark(2)} as text), cast(${mark(3)} as {BIGINT}), cast(${mark(4)} as {BIGINT}))`
  })
  return `with asked(asked_as, id, after_seq, last_seq) as (values ${asked.join(', ')})
    select asked.asked_as, r.state, case when e.seq is null and r.last_seq > asked.after_seq then r.events end as packed,
      e.run_id, e.seq, e.kind, e.summary, e.data, e.at from asked join run r on r.id = asked.id
    left join run_event e on e.run_id = r.id and e.seq > asked.after_seq and e.seq <= asked.last_seq
    order by asked.asked_as, e.seq`
}

/** Powers of two, so that few statements are prepared. The places that are left over name no run. */
const toPlaces = (count: number) => 2 ** Math.ceil(Math.log2(count))
const statements = new Map<number, string>()
const statementOf = (places: number): string => {
  const text = statements.get(places) ?? toStatement(places)
  statements.set(places, text)
  return text
}

/**
 * Reads the newest events of runs. Reads that are asked for at once share one statement, because a commit wakes many streams. It
 * runs before the next commit, whose sync blocks this process. Readers that ask for the same events share them.
 */
export const createRunTails = ({ read }: Pick<Scope, 'read'>): Tables['runTail'] => {
  const waiting = new Map<string, Asked>()
  const readAll = async (asked: Asked[]) => {
    const places = toPlaces(asked.length)
    const params: Value[] = asked.flatMap(({ runId, afterSeq, limit }, at) => [at, runId, afterSeq, afterSeq + limit])
    for (let at = asked.length; at < places; at += 1) params.push(at, '', 0, 0)
    const rows = await read(statementOf(places), params)
    const found = Map.groupBy(rows, row => Number(row.asked_as))
    for (const [at, of] of asked.entries()) of.resolve(toTail(found.get(at) ?? [], of))
  }
  const flush = () => {
    const asked = [...waiting.values()]
    waiting.clear()
    for (let at = 0; at < asked.length; at += maxAtOnce) {
      const its = asked.slice(at, at + maxAtOnce)
      readAll(its).catch((error: unknown) => its.forEach(({ reject }) => void reject(error)))
    }
  }
  return (runId, afterSeq, limit) => {
    const key = `${runId} ${afterSeq} ${limit}`
    const asked: Asked = waiting.get(key) ?? { runId, afterSeq, limit, ...Promise.withResolvers<Tail>() }
    if (waiting.size === 0) process.nextTick(flush)
    waiting.set(key, asked)
    return asked.promise
  }
}

const toTail = (rows: Row[], of: Of): Tail => {
  const tail = tails.one(rows)
  const packed = rows[0]?.packed
  const read = () => (packed ? readPacked(packed, of) : events.all(rows.filter(row => row.seq !== null)))
  return tail && { state: tail.state, events: read() }
}
