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
import type { CheckpointWrite, ThreadKeeper, ThreadState } from '../../ports.ts'
import { type Db, type Sql, toLater } from '../engine/db.ts'
import { type CheckpointQuery, type CheckpointRow, checkpointRows, removeThread, type WriteRow } from './checkpointRows.ts'
import { createDeferredThreads } from './deferredThreads.ts'

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
  /** Whether what a lease makes of a thread waits in memory until it is taken. */
  isDeferred?: boolean
}

/**
 * A LangGraph checkpointer on the tables of the store. A checkpoint is durable when `put` resolves. It supports checkpoint
 * format 4 only, because no older checkpoints exist.
 */
export const createCheckpointer = (db: Db): BaseCheckpointSaver => new StoreCheckpointer(db, {})

/**
 * A checkpointer for runs, whose nodes are safe to run twice: a third of the writes, and the same pauses. What a lease makes of a
 * thread is stored with the state of its run.
 */
export const createRunCheckpointer = (db: Db): BaseCheckpointSaver & ThreadKeeper =>
  new StoreCheckpointer(db, { keepsResults: false, isDeferred: true })

// A class, because LangGraph requires a subclass of BaseCheckpointSaver.
class StoreCheckpointer extends BaseCheckpointSaver implements ThreadKeeper {
  readonly #db: Db
  readonly #keepsResults: boolean
  /** Present where leased threads are stored with their runs. */
  readonly #deferred: ReturnType<typeof createDeferredThreads> | undefined

  constructor(db: Db, { keepsResults = true, isDeferred = false }: Options) {
    super()
    this.#deferred = isDeferred ? createDeferredThreads() : undefined
    this.#db = db
    this.#keepsResults = keepsResults
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id, checkpoint_ns, checkpoint_id, lease } = placeOf(config)
    const query = { threadId: thread_id, namespace: checkpoint_ns, ...(checkpoint_id && { id: checkpoint_id }) }
    const rows = checkpointRows(this.#db.sql)
    const deferred = checkpoint_ns === '' ? this.#deferred : undefined
    if (!deferred || lease === undefined || checkpoint_id !== undefined) {
      const [row] = await rows.find(query, 1)
      return row && this.#toTuple(row)
    }
    const { row, writes } = deferred.find(thread_id, lease) ?? (await readNewest(rows, query))
    deferred.begin(thread_id, lease, { row, writes })
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
    if (this.#deferred && lease !== undefined && checkpoint_ns === '') this.#deferred.put(lease, row)
    else if (!(await checkpointRows(this.#db.run).put(row, lease))) throw lost(thread_id)
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
        return { ...at, place: WRITES_IDX_MAP[channel] ?? index, channel, type, body }
      }),
    )
    if (this.#deferred && lease !== undefined && checkpoint_ns === '')
      this.#deferred.write(thread_id, lease, { of: checkpoint_id, writes: rows })
    else await this.#store(rows, lease)
  }

  async #store(writes: readonly CheckpointWrite[], lease: string | undefined, checkpoint?: CheckpointRow): Promise<void> {
    const put = async (sql: Sql) => {
      const rows = checkpointRows(sql)
      const isHeld = await Promise.all([
        ...(checkpoint ? [rows.put(checkpoint, lease)] : []),
        ...writes.map(it => rows.putWrite(it, lease)),
      ])
      if (isHeld.includes(false)) throw lost(checkpoint?.threadId ?? writes[0]?.threadId ?? '')
    }
    // One statement is a transaction of its own.
    await (writes.length === 1 && !checkpoint ? put(this.#db.run) : this.#db.tx(put))
  }

  takeThread(threadId: string, lease: string): ThreadState | undefined {
    return this.#deferred?.take(threadId, lease)
  }

  async saveThread(threadId: string, lease: string): Promise<void> {
    const news = this.#deferred?.take(threadId, lease)
    if (news) await this.#store(news.writes, lease, news.checkpoint)
  }

  override async deleteThread(threadId: string): Promise<void> {
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

const readNewest = async (rows: ReturnType<typeof checkpointRows>, of: { threadId: string; namespace: string }) => {
  const [[row], writes] = await Promise.all([rows.find(of, 1), rows.newestWrites(of)])
  return { row, writes }
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
