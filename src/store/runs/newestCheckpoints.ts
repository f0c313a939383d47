import type { CheckpointRow, WriteRow } from './checkpointRows.ts'

/** The newest checkpoint of a thread with its writes in their order; a new thread has none. */
export type NewestCheckpoint = { row: CheckpointRow | undefined; writes: readonly WriteRow[] }
type Made = { checkpointId: string; writes: (WriteRow & { place: number })[] }
/** `isPut`: stored by this process, which so knows all its writes. They may be stored before it. */
type Kept = { lease: string; newest: NewestCheckpoint | undefined; isPut: boolean; made: Made | undefined }

/** Maximum number of threads whose newest checkpoint is kept in memory. More than advance at once. */
const keptThreads = 256
/** A run is leased for the first time under this number, and the next lease has the next one. */
const firstLease = '1'
const nothing: Kept = { lease: '', newest: undefined, isPut: false, made: undefined }

/**
 * Remembers the newest checkpoints of leased threads. Only the holder of a lease may write a thread, so what this process read or
 * wrote is still the newest under the same lease and under the next one.
 */
export const createNewestCheckpoints = () => {
  const threads = new Map<string, Kept>()
  const keep = (threadId: string, kept: Kept) => {
    threads.delete(threadId)
    const [oldest] = threads.keys()
    if (oldest !== undefined && threads.size >= keptThreads) threads.delete(oldest)
    threads.set(threadId, kept)
  }
  return {
    /** Undefined when it must be read. */
    find(threadId: string, lease: string): NewestCheckpoint | undefined {
      const kept = threads.get(threadId)
      if (!kept) return lease === firstLease ? { row: undefined, writes: [] } : undefined
      // A thread that has ended may have been deleted. A paused one has the write of its pause.
      const isPaused = (kept.newest?.writes.length ?? 0) > 0
      const isOwn = kept.lease === lease || (isPaused && Number(kept.lease) + 1 === Number(lease))
      return isOwn ? kept.newest : undefined
    },
    wasRead: (threadId: string, lease: string, newest: NewestCheckpoint) => keep(threadId, { ...nothing, lease, newest }),
    wasPut(threadId: string, lease: string, row: CheckpointRow) {
      const made = threads.get(threadId)?.made
      keep(threadId, { lease, newest: { row, writes: ordered(made, row) }, isPut: true, made })
    },
    /** Notes stored writes of a checkpoint. Those of one that was only read are read again with it. */
    wasWritten(threadId: string, { checkpointId, writes }: Made) {
      const { made: before, newest, ...kept } = threads.get(threadId) ?? nothing
      const made = { checkpointId, writes: merge(before?.checkpointId === checkpointId ? before.writes : [], writes) }
      const isOfNewest = newest?.row?.id === checkpointId
      const known = isOfNewest && kept.isPut ? { row: newest.row, writes: ordered(made, newest.row) } : undefined
      keep(threadId, { ...kept, newest: isOfNewest ? known : newest, made })
    },
    /** Forgets a thread that was written without a lease, or by a write that may have failed. */
    forget: (threadId: string) => keep(threadId, nothing),
  }
}

const ordered = (made: Made | undefined, row: CheckpointRow | undefined): WriteRow[] =>
  made === undefined || made.checkpointId !== row?.id
    ? []
    : made.writes.toSorted((one, other) => compare(one.taskId, other.taskId) || one.place - other.place)

const compare = (one: string, other: string) => Number(one > other) - Number(one < other)

/** A task's first results are kept. Special channels (errors, interrupts) have negative places and are overwritten. */
const merge = (before: Made['writes'], added: Made['writes']): Made['writes'] => {
  const merged = new Map(before.map(it => [`${it.taskId} ${it.place}`, it]))
  for (const it of added) {
    const key = `${it.taskId} ${it.place}`
    if (it.place < 0 || !merged.has(key)) merged.set(key, it)
  }
  return [...merged.values()]
}
