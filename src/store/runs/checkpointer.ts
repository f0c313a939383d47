import type { RunnableConfig } from '@langchain/core/runnables'
import {
  BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  copyCheckpoint,
  type PendingWrite,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint'
import { z } from 'zod'
import { type Db, type Sql, toLater } from '../engine/db.ts'
import { type CheckpointQuery, type CheckpointRow, checkpointRows, removeThread, type WriteRow } from './checkpointRows.ts'
import { createNewestCheckpoints } from './newestCheckpoints.ts'

const place = z.object({
  thread_id: z.string(),
  checkpoint_ns: z.string().default(''),
  checkpoint_id: z.string().optional(),
  lease: z.string().optional(),
})
const placeOf = (config: RunnableConfig) => place.parse(config.configurable)

const toConfig = (threadId: string, namespace: string, id: string): RunnableConfig => ({
  configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: id },
})

/** Page size while searching for checkpoints that match a filter. */
const listRows = 100

type Options = {
  /**
   * Whether the result of a node is stored before the checkpoint that contains it. Without it, a node whose process dies between
   * the two runs again. Pauses and errors are always stored.
   */
  keepsResults?: boolean
}

/**
 * A LangGraph checkpointer on the tables of the store. A checkpoint is durable when `put` resolves. It supports checkpoint
 * format 4 only, because no older checkpoints exist.
 */
export const createCheckpointer = (db: Db, { keepsResults = true }: Options = {}): BaseCheckpointSaver =>
  new StoreCheckpointer(db, keepsResults)

/** A checkpointer for graphs whose nodes are safe to run twice: a third of the writes, and the same pauses. */
export const createRunCheckpointer = (db: Db): BaseCheckpointSaver => createCheckpointer(db, { keepsResults: false })

// A class, because LangGraph requires a subclass of BaseCheckpointSaver.
class StoreCheckpointer extends BaseCheckpointSaver {
  readonly #db: Db
  readonly #keepsResults: boolean
  readonly #newest = createNewestCheckpoints()

  constructor(db: Db, keepsResults: boolean) {
    super()
    this.#db = db
    this.#keepsResults = keepsResults
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id, checkpoint_ns, checkpoint_id, lease } = placeOf(config)
    const query = { threadId: thread_id, namespace: checkpoint_ns, ...(checkpoint_id && { id: checkpoint_id }) }
    const rows = checkpointRows(this.#db.sql)
    if (lease === undefined || checkpoint_ns !== '' || checkpoint_id !== undefined) {
      const [row] = await rows.find(query, 1)
      return row && this.#toTuple(row)
    }
    const known = this.#newest.find(thread_id, lease)
    if (known) return known.row && this.#toTuple(known.row, known.writes)
    const [[row], writes] = await Promise.all([rows.find(query, 1), rows.newestWrites(query)])
    this.#newest.wasRead(thread_id, lease, { row, writes })
    return row && this.#toTuple(row, writes)
  }

  override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    let left = options.limit ?? Number.POSITIVE_INFINITY
    for await (const row of this.#rows(toQuery(config, options.before))) {
      if (left <= 0) return
      const tuple = await this.#toTuple(row)
      if (!isMatch(tuple.metadata, options.filter)) continue
      left -= 1
      yield tuple
    }
  }

  override async put(config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata): Promise<RunnableConfig> {
    const { thread_id, checkpoint_ns, checkpoint_id, lease } = placeOf(config)
    const [type, body] = await this.serde.dumpsTyped(copyCheckpoint(checkpoint))
    const [metadataType, metadataBody] = await this.serde.dumpsTyped(metadata)
    const at = { threadId: thread_id, namespace: checkpoint_ns, id: checkpoint.id, parentId: checkpoint_id }
    const row = { ...at, type, body, metadataType, metadata: metadataBody }
    const isHeld = await this.#noting(thread_id, checkpointRows(this.#db.run).put(row, lease))
    if (!isHeld) throw lost(thread_id)
    if (lease === undefined || checkpoint_ns !== '') this.#newest.forget(thread_id)
    else this.#newest.wasPut(thread_id, lease, row)
    return toConfig(thread_id, checkpoint_ns, checkpoint.id)
  }

  override async putWrites(config: RunnableConfig, pending: PendingWrite[], taskId: string): Promise<void> {
    const { thread_id, checkpoint_ns, checkpoint_id = '', lease } = placeOf(config)
    const at = { threadId: thread_id, namespace: checkpoint_ns, checkpointId: checkpoint_id, taskId }
    const kept = this.#keepsResults ? pending : pending.filter(([channel]) => WRITES_IDX_MAP[channel] !== undefined)
    if (kept.length === 0) return
    const rows = await Promise.all(
      kept.map(async ([channel, value], index) => {
        const [type, body] = await this.serde.dumpsTyped(value)
        return { key: { ...at, place: WRITES_IDX_MAP[channel] ?? index }, channel, type, body }
      }),
    )
    const put = async (sql: Sql) => {
      const isHeld = await Promise.all(rows.map(row => checkpointRows(sql).putWrite(row, lease)))
      if (isHeld.includes(false)) throw lost(thread_id)
    }
    // One statement is a transaction of its own.
    await this.#noting(thread_id, rows.length === 1 ? put(this.#db.run) : this.#db.tx(put))
    const writes = rows.map(({ key, channel, type, body }) => ({ taskId, place: key.place, channel, type, body }))
    this.#newest.wasWritten(thread_id, { checkpointId: checkpoint_id, writes })
  }

  async #noting<T>(threadId: string, write: Promise<T>): Promise<T> {
    return write.catch((error: unknown) => {
      this.#newest.forget(threadId)
      throw error
    })
  }

  override async deleteThread(threadId: string): Promise<void> {
    this.#newest.forget(threadId)
    await this.#db.tx(async sql => removeThread(toLater(sql), threadId))
  }

  async *#rows(query: CheckpointQuery): AsyncGenerator<CheckpointRow> {
    let before = query.before
    for (;;) {
      const page = await checkpointRows(this.#db.sql).find({ ...query, ...(before && { before }) }, listRows)
      yield* page
      before = page.at(-1)?.id
      if (page.length < listRows) return
    }
  }

  async #toTuple(row: CheckpointRow, writes?: readonly WriteRow[]): Promise<CheckpointTuple> {
    const { threadId, namespace, id, parentId } = row
    const pending = writes ?? (await checkpointRows(this.#db.sql).pendingWrites(row))
    return {
      config: toConfig(threadId, namespace, id),
      checkpoint: await this.serde.loadsTyped(row.type, row.body),
      metadata: await this.serde.loadsTyped(row.metadataType, row.metadata),
      ...(parentId && { parentConfig: toConfig(threadId, namespace, parentId) }),
      pendingWrites: await Promise.all(
        pending.map(
          async (it): Promise<CheckpointPendingWrite> => [it.taskId, it.channel, await this.serde.loadsTyped(it.type, it.body)],
        ),
      ),
    }
  }
}

const lost = (threadId: string) => new Error(`the hold of run ${threadId} was lost`)

const listPlace = place.extend({ checkpoint_ns: z.string().optional() }).partial()

const toQuery = (config: RunnableConfig, before: RunnableConfig | undefined): CheckpointQuery => {
  const { thread_id, checkpoint_ns, checkpoint_id } = listPlace.parse(config.configurable ?? {})
  const earlier = before && listPlace.parse(before.configurable ?? {}).checkpoint_id
  return {
    ...(thread_id && { threadId: thread_id }),
    ...(checkpoint_ns !== undefined && { namespace: checkpoint_ns }),
    ...(checkpoint_id && { id: checkpoint_id }),
    ...(earlier && { before: earlier }),
  }
}

const isMatch = (metadata: CheckpointMetadata | undefined, filter: CheckpointListOptions['filter']): boolean => {
  const wanted = Object.entries(filter ?? {})
  const has = new Map(Object.entries(metadata ?? {}))
  return wanted.every(([key, value]) => has.get(key) === value)
}
