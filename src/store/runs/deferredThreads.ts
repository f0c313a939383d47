import type { ThreadState } from '../../ports.ts'
import type { CheckpointRow, WriteRow } from './checkpointRows.ts'

/** The newest checkpoint of a thread with its writes in their order; a new thread has none. */
type Newest = { row: CheckpointRow | undefined; writes: readonly WriteRow[] }
/** `made`: what the holder of the lease has made and not stored. Writes may be made before their checkpoint. */
type Kept = { newest: Newest | undefined; made: { row?: CheckpointRow; of: string; writes: WriteRow[] } | undefined }

/** Maximum number of leases in memory: more than are advanced at once, so that none is forgotten meanwhile. */
const keptLeases = 512
/** A run is leased for the first time under this number, and the next lease has the next one. */
const firstLease = '1'
const nothing: Kept = { newest: undefined, made: undefined }

/**
 * The threads of leased runs while they are advanced. What is made of a thread is stored with the state of its run. Only the holder
 * of a lease may write a thread, so what this process stored is still the newest under the next lease. A worker that lost its
 * lease may still run beside the next one, so each lease has its own.
 */
export const createDeferredThreads = () => {
  const leases = new Map<string, Kept>()
  const keyOf = (threadId: string, lease: string | number) => `${threadId} ${lease}`
  const keep = (key: string, kept: Kept) => {
    leases.delete(key)
    const [oldest] = leases.keys()
    if (oldest !== undefined && leases.size >= keptLeases) leases.delete(oldest)
    leases.set(key, kept)
  }
  /** A thread that has ended may have been deleted. A paused one has the write of its pause. */
  const before = (threadId: string, lease: string) => {
    const kept = leases.get(keyOf(threadId, Number(lease) - 1))
    return kept?.newest?.writes.length && !kept.made ? kept.newest : undefined
  }
  return {
    /** Undefined when it must be read. */
    find(threadId: string, lease: string): Newest | undefined {
      const kept = leases.get(keyOf(threadId, lease))
      if (kept) return kept.newest
      return lease === firstLease ? { row: undefined, writes: [] } : before(threadId, lease)
    },
    /** Notes what is the newest, until this lease makes something. */
    begin(threadId: string, lease: string, newest: Newest) {
      const { newest: known, made } = leases.get(keyOf(threadId, lease)) ?? nothing
      if (!known && !made) keep(keyOf(threadId, lease), { newest, made: undefined })
    },
    put(lease: string, row: CheckpointRow) {
      const key = keyOf(row.threadId, lease)
      const { made } = leases.get(key) ?? nothing
      const writes = made?.of === row.id ? made.writes : []
      keep(key, { newest: { row, writes: ordered(writes) }, made: { row, of: row.id, writes } })
    },
    write(threadId: string, lease: string, { of, writes: added }: { of: string; writes: WriteRow[] }) {
      const key = keyOf(threadId, lease)
      const { newest, made } = leases.get(key) ?? nothing
      const writes = merge(made?.of === of ? made.writes : [], added)
      const isOfNewest = newest?.row?.id === of
      keep(key, {
        newest: isOfNewest ? { row: newest.row, writes: ordered(merge(newest.writes, added)) } : newest,
        made: { ...(made?.of === of && made), of, writes },
      })
    },
    /** What is to be stored of a thread; undefined without news. Until it was stored, the thread must be read. */
    take(threadId: string, lease: string): ThreadState | undefined {
      const key = keyOf(threadId, lease)
      const kept = leases.get(key)
      if (!kept?.made) return undefined
      const { row, of, writes } = kept.made
      keep(key, nothing)
      const wasStored = () => {
        if (leases.get(key) === nothing) keep(key, { ...kept, made: undefined })
      }
      return { checkpoint: row, writes: writes.map(it => ({ threadId, namespace: '', checkpointId: of, ...it })), wasStored }
    },
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
