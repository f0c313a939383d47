import { z } from 'zod'
import { maybe } from '../../ports/rows/columns.ts'
import type { CheckpointRow, CheckpointWrite, ThreadState, WriteOfTask } from '../../ports.ts'
import type { Later, Sql, Value } from '../engine/db.ts'
import { hasRow, insertion, insertionIf, rowOf, type Statement } from '../engine/rows.ts'

// Drivers return their own types (pg: Buffer), but a graph expects the Uint8Array that it stored.
const bytes = z.instanceof(Uint8Array).transform(it => new Uint8Array(it.buffer, it.byteOffset, it.byteLength))

const stored = rowOf({
  threadId: z.string(),
  namespace: z.string(),
  id: z.string(),
  parentId: maybe(z.string()),
  type: z.string(),
  body: bytes,
  metadataType: z.string(),
  metadata: bytes,
})
const writes = rowOf({ taskId: z.string(), place: z.number(), channel: z.string(), type: z.string(), body: bytes })

export type { CheckpointRow }
export type WriteRow = WriteOfTask
/** Conditions on checkpoints; absent fields match everything. `before` and `id` are checkpoint ids, which sort by time. */
export type CheckpointQuery = { threadId?: string; namespace?: string; id?: string; before?: string }

/** Rows of checkpoints and their pending writes, newest first. */
export const checkpointRows = (sql: Sql) => ({
  find: async ({ threadId, namespace, id, before }: CheckpointQuery, limit: number): Promise<CheckpointRow[]> => {
    const params: Value[] = []
    const conditions = [
      ['thread_id =', threadId],
      ['namespace =', namespace],
      ['id =', id],
      ['id <', before],
    ].flatMap(([condition, value]) => (value === undefined ? [] : [`${condition} $${params.push(value)}`]))
    const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
    return stored.all(
      await sql(`select ${stored.columns} from checkpoint ${where} order by id desc limit $${params.push(limit)}`, params),
    )
  },

  /** Writes of the newest checkpoint. The holder of the lease may ask for both at once, because nobody else writes the thread. */
  newestWrites: async ({ threadId, namespace }: Pick<CheckpointRow, 'threadId' | 'namespace'>): Promise<WriteRow[]> => {
    const of = `where thread_id = $1 and namespace = $2 and checkpoint_id = (select max(c.id) from checkpoint c
      where c.thread_id = $1 and c.namespace = $2) order by task_id, place`
    return writes.all(await sql(`select ${writes.columns} from checkpoint_write ${of}`, [threadId, namespace]))
  },

  pendingWrites: async ({ threadId, namespace, id }: CheckpointRow): Promise<WriteRow[]> => {
    const of = 'where thread_id = $1 and namespace = $2 and checkpoint_id = $3 order by task_id, place'
    return writes.all(await sql(`select ${writes.columns} from checkpoint_write ${of}`, [threadId, namespace, id]))
  },

  /** False when the lease of the run was lost. */
  put: (row: CheckpointRow, lease: string | undefined): Promise<boolean> => hasRow(sql(...toPut(row, heldBy(lease)))),

  /** False when the lease of the run was lost. */
  putWrite: (write: CheckpointWrite, lease: string | undefined): Promise<boolean> =>
    hasRow(sql(...toPutWrite(write, heldBy(lease)))),
})

/** A condition under which a row of a run is written. */
type If = { text(at: number): string; params: (threadId: string) => Value[] }
/** A worker whose lease was taken over while it was paused must not write into the run's thread any more: this write decides. */
const heldBy = (lease: string | undefined): If | undefined =>
  lease === undefined
    ? undefined
    : {
        text: at => `from run where run.id = $${at} and holds = $${at + 1} and held_until is not null {LOCK_FIELDS}`,
        params: threadId => [threadId, lease],
      }
const ifAdded: If = { text: () => 'where {ADDED}', params: () => [] }

const toPut = (row: CheckpointRow, condition?: If): Statement => {
  const replace = `on conflict (thread_id, namespace, id) do update set parent_id = excluded.parent_id, type = excluded.type,
    body = excluded.body, metadata_type = excluded.metadata_type, metadata = excluded.metadata`
  return toAdd({ table: 'checkpoint', row, replace, condition })
}

const toPutWrite = (write: CheckpointWrite, condition?: If): Statement => {
  // A task's first results are kept. Special channels (errors, interrupts) have negative places and are overwritten.
  const kept = write.place < 0 ? 'excluded' : 'checkpoint_write'
  const replace = `on conflict (thread_id, namespace, checkpoint_id, task_id, place) do update set channel = ${kept}.channel,
    type = ${kept}.type, body = ${kept}.body`
  return toAdd({ table: 'checkpoint_write', row: write, replace, condition })
}

type Adding = { table: string; row: { threadId: string } & Record<string, Value>; replace: string; condition: If | undefined }

const toAdd = ({ table, row, replace, condition }: Adding): Statement => {
  const [insert, params] = condition ? insertionIf(table, row, { condition: condition.text }) : insertion(table, row)
  return [`${insert} ${replace} returning thread_id`, [...params, ...(condition?.params(row.threadId) ?? [])]]
}

/** What stores the news of a thread and deletes what a new checkpoint supersedes, after the statement that ends the lease. */
export const toStoreThread = ({ checkpoint, writes }: Pick<ThreadState, 'checkpoint' | 'writes'>): Statement[] => {
  const added = writes.map(it => toPutWrite(it, ifAdded))
  if (!checkpoint) return added
  const { threadId, id } = checkpoint
  const older = (table: string, column: string): Statement => [
    `delete from ${table} where thread_id = $1 and ${column} < $2 and {ADDED}`,
    [threadId, id],
  ]
  return [toPut(checkpoint, ifAdded), ...added, older('checkpoint_write', 'checkpoint_id'), older('checkpoint', 'id')]
}

/** What deletes all checkpoints of a thread and their writes, after another statement. */
export const toRemoveThread = (threadId: string): Statement[] =>
  ['checkpoint_write', 'checkpoint'].map(table => [`delete from ${table} where thread_id = $1 and {ADDED}`, [threadId]])

/** Deletes all checkpoints of a thread and their writes. */
export const removeThread = (later: Later, threadId: string): void => {
  later('delete from checkpoint_write where thread_id = $1', [threadId])
  later('delete from checkpoint where thread_id = $1', [threadId])
}
