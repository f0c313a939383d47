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

/** Maximum number of threads whose newest checkpoint is kept in memory. More than advance at once. */
const keptTuples = 64

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

/** A new thread has no checkpoint. */
type Newest = { lease: string; tuple: CheckpointTuple | undefined }

// A class, because LangGraph requires a subclass of BaseCheckpointSaver.
class StoreCheckpointer extends BaseCheckpointSaver {
  readonly #db: Db
  readonly #keepsResults: boolean
  /**
   * The newest checkpoint of leased threads, which is read twice in a row: to decide the next step and to do it. In between, only
   * the holder of the lease may write the thread.
   */
  readonly #newest = new Map<string, Newest>()

  constructor(db: Db, keepsResults: boolean) {
    super()
    this.#db = db
    this.#keepsResults = keepsResults
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id, checkpoint_ns, checkpoint_id, lease } = placeOf(config)
    const known = this.#newest.get(thread_id)
    this.#newest.delete(thread_id)
    const isNewest = checkpoint_ns === '' && checkpoint_id === undefined
    if (known && isNewest && known.lease === lease) return known.tuple
    const query = { threadId: thread_id, namespace: checkpoint_ns, ...(checkpoint_id && { id: checkpoint_id }) }
    const rows = checkpointRows(this.#db.sql)
    const isHeld = isNewest && lease !== undefined
    const [[row], writes] = await Promise.all([rows.find(query, 1), isHeld ? rows.newestWrites(query) : undefined])
    const tuple = row && (await this.#toTuple(row, writes))
    if (isHeld) this.#keep(thread_id, { lease, tuple: tuple && copyTuple(tuple) })
    return tuple
  }

  #keep(threadId: string, newest: Newest): void {
    const [oldest] = this.#newest.keys()
    if (oldest !== undefined && this.#newest.size >= keptTuples) this.#newest.delete(oldest)
    this.#newest.set(threadId, newest)
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
    this.#newest.delete(thread_id)
    const row = { ...at, type, body, metadataType, metadata: metadataBody }
    if (!(await checkpointRows(this.#db.run).put(row, lease))) throw lost(thread_id)
    return toConfig(thread_id, checkpoint_ns, checkpoint.id)
  }

  override async putWrites(config: RunnableConfig, pending: PendingWrite[], taskId: string): Promise<void> {
    const { thread_id, checkpoint_ns, checkpoint_id = '', lease } = placeOf(config)
    const at = { threadId: thread_id, namespace: checkpoint_ns, checkpointId: checkpoint_id, taskId }
    const kept = this.#keepsResults ? pending : pending.filter(([channel]) => WRITES_IDX_MAP[channel] !== undefined)
    if (kept.length === 0) return
    this.#newest.delete(thread_id)
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
    await (rows.length === 1 ? put(this.#db.run) : this.#db.tx(put))
  }

  override async deleteThread(threadId: string): Promise<void> {
    this.#newest.delete(threadId)
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

  async #toTuple(row: CheckpointRow, writes?: WriteRow[]): Promise<CheckpointTuple> {
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

// LangGraph changes the checkpoint that it was given, but not the values in it.
const copyTuple = ({ checkpoint, pendingWrites, ...tuple }: CheckpointTuple): CheckpointTuple => ({
  ...tuple,
  checkpoint: copyCheckpoint(checkpoint),
  ...(pendingWrites && { pendingWrites: [...pendingWrites] }),
})

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
