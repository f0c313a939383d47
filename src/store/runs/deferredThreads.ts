import type { ThreadState } from '../../ports.ts'
import type { CheckpointRow, WriteRow } from './checkpointRows.ts'

/** The newest checkpoint of a thread with its writes in their order; a new thread has none. */
type Newest = { row: CheckpointRow | undefined; writes: readonly WriteRow[] }
/** `made`: what the holder of the lease has made and not stored. Writes may be made before their checkpoint. */
type Kept = {
  lease: string
  newest: Newest | undefined
  made: { row?: CheckpointRow; of: string; writes: WriteRow[] } | undefined
}

/** Maximum number of threads in memory. More than advance at once, so that none is forgotten meanwhile. */
const keptThreads = 256
/** A run is leased for the first time under this number, and the next lease has the next one. */
const firstLease = '1'
const nothing: Kept = { lease: '', newest: undefined, made: undefined }

/**
 * The threads of leased runs while they are advanced. What is made of a thread is stored with the state of its run. Only the holder
 * of a lease may write a thread, so what this process stored is still the newest under the next lease.
 */
export const createDeferredThreads = () => {
  const threads = new Map<string, Kept>()
  const keep = (threadId: string, kept: Kept) => {
    threads.delete(threadId)
    const [oldest] = threads.keys()
    if (oldest !== undefined && threads.size >= keptThreads) threads.delete(oldest)
    threads.set(threadId, kept)
  }
  /** A thread that has ended may have been deleted. A paused one has the write of its pause. */
  const isOwn = ({ lease, newest, made }: Kept, now: string) =>
    lease === now || (made === undefined && newest?.writes.length && Number(lease) + 1 === Number(now))
  return {
    /** Undefined when it must be read. */
    find(threadId: string, lease: string): Newest | undefined {
      const kept = threads.get(threadId)
      if (!kept) return lease === firstLease ? { row: undefined, writes: [] } : undefined
      return isOwn(kept, lease) ? kept.newest : undefined
    },
    wasRead: (threadId: string, lease: string, newest: Newest) => keep(threadId, { lease, newest, made: undefined }),
    put(lease: string, row: CheckpointRow) {
      const { made } = threads.get(row.threadId) ?? nothing
      const writes = made?.of === row.id ? made.writes : []
      keep(row.threadId, { lease, newest: { row, writes: ordered(writes) }, made: { row, of: row.id, writes } })
    },
    write(threadId: string, lease: string, { of, writes: added }: { of: string; writes: WriteRow[] }) {
      const { newest, made } = threads.get(threadId) ?? nothing
      const writes = merge(made?.of === of ? made.writes : [], added)
      const isOfNewest = newest?.row?.id === of
      keep(threadId, {
        lease,
        newest: isOfNewest ? { row: newest.row, writes: ordered(merge(newest.writes, added)) } : newest,
        made: { ...(made?.of === of && made), of, writes },
      })
    },
    /** What is to be stored of a thread; undefined without news. Until it was stored, the thread must be read. */
    take(threadId: string): ThreadState | undefined {
      const kept = threads.get(threadId)
      if (!kept?.made) return undefined
      const { row, of, writes } = kept.made
      keep(threadId, nothing)
      const wasStored = () => {
        if (threads.get(threadId) === nothing) keep(threadId, { ...kept, made: undefined })
      }
      return { checkpoint: row, writes: writes.map(it => ({ threadId, namespace: '', checkpointId: of, ...it })), wasStored }
    },
    /** Forgets a thread that was written without a lease. */
    forget: (threadId: string) => keep(threadId, nothing),
  }
}

const ordered = (writes: readonly WriteRow[]): WriteRow[] =>
  writes.toSorted((one, other) => compare(one.taskId, other.taskId) || one.place - other.place)

const compare = (one: string, other: string) => Number(one > other) - Number(one < other)

/** A task's first results are kept. Special channels (errors, interrupts) have negative places and are overwritten. */
const merge = (before: readonly WriteRow[], added: readonly WriteRow[]): WriteRow[] => {
  const merged = new Map(before.map(it => [`${it.taskId} ${it.place}`, it]))
  for (const it of added) {
    const key = `${it.taskId} ${it.place}`
    if (it.place < 0 || !merged.has(key)) merged.set(key, it)
  }
  return [...merged.values()]
}
