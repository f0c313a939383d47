import type { Table } from '@lancedb/lancedb'
import type { Clock } from '../ports.ts'
import type { Row } from './row.ts'

/** Rows of one commit: larger ones hold up whoever comes next. */
const batchRows = 1000
/** Every commit leaves a fragment that each search has to open; after fifty a search costs about twice as much. */
const commitsBeforeTidying = 50
/**
 * Rows outside the full-text index are weighed by the word counts inside it. With too many of them a word counts as more
 * frequent than there are rows, and whoever has it is not found at all.
 */
const shareBeforeTidying = 0.2
const idleMs = 2000
/** Longer than the longest query that may still read an old version. */
const keepVersionsMs = 10 * 60_000

/** New rows, the keys of what has to go, or the agent of whose rows only some may stay. */
type Change = { rows: Map<string, Row> } | { gone: string[] } | { agentKey: string; except: string[] }
type Pending = { change: Change; settled: PromiseWithResolvers<void> }

export const toSet = (hashes: string[]): string => {
  if (!hashes.every(hash => /^[0-9a-f]{64}$/.test(hash))) throw new RangeError('only hashes may stand in a condition')
  return `(${hashes.map(hash => `'${hash}'`).join(', ')})`
}

const toCondition = (change: { gone: string[] } | { agentKey: string; except: string[] }): string => {
  if ('gone' in change) return `key IN ${toSet(change.gone)}`
  const ofAgent = `agentKey IN ${toSet([change.agentKey])}`
  return change.except.length > 0 ? `${ofAgent} AND key NOT IN ${toSet(change.except)}` : ofAgent
}

const commit = async (table: Table, change: Change): Promise<void> => {
  if ('rows' in change) {
    await table
      .mergeInsert('key')
      .whenMatchedUpdateAll({ where: 'source.version >= target.version' })
      .whenNotMatchedInsertAll()
      .execute([...change.rows.values()])
    return
  }
  await table.delete(toCondition(change))
}

/** Adds to rows that still wait; of two versions of one offering the newer stays. False when they are too many. */
const joins = (waiting: Change, coming: Change): boolean => {
  if (!('rows' in waiting && 'rows' in coming) || waiting.rows.size + coming.rows.size > batchRows) return false
  for (const [key, row] of coming.rows) {
    const other = waiting.rows.get(key)
    if (!other || other.version <= row.version) waiting.rows.set(key, row)
  }
  return true
}

const sizeOf = (change: Change) => ('rows' in change ? change.rows.size : 0)

/** Keeps a table quick to read: counts what was written to it and says when it is time to merge and index that. */
const createTidying = ({ table, clock }: { table: Table; clock: Clock }) => {
  // One, because a process that ended may have left something.
  let commits = 1
  let rows = 0

  const isOutOfBalance = async (coming = 0) => rows + coming > shareBeforeTidying * (await table.countRows())
  const tidy = async () => {
    if (commits === 0) return
    commits = 0
    rows = 0
    await table.optimize({ cleanupOlderThan: new Date(clock.now() - keepVersionsMs) })
  }
  return {
    /** Whether searches would weigh words wrongly between this change and the tidying that follows it. */
    wouldUpset: (change: Change) => isOutOfBalance(sizeOf(change)),
    async committed(change: Change) {
      commits += 1
      rows += sizeOf(change)
      if (commits >= commitsBeforeTidying || (await isOutOfBalance())) await tidy()
    },
    // Tidying that fails loses nothing: the next one does its work.
    idle: () => tidy().catch(() => undefined),
  }
}

/**
 * The only writer of a table: changes are committed one after another in the order they came, those that wait together in
 * one commit. The table is tidied between them, after many or large ones and when nothing was written for a while.
 */
export const createWrites = ({ table, clock, onRows }: { table: Table; clock: Clock; onRows(rows: Row[]): void }) => {
  const tidying = createTidying({ table, clock })
  const queue: Pending[] = []
  let last: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const after = (work: () => Promise<void>) => {
    last = last.then(work)
  }
  const idleSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(after, idleMs, tidying.idle).unref()
  }
  let upset: Promise<void> | undefined
  const commitNext = async () => {
    const next = queue.shift()
    if (!next) return
    try {
      const isUpset = await tidying.wouldUpset(next.change)
      if (isUpset) upset = next.settled.promise.catch(() => undefined)
      await commit(table, next.change)
      if ('rows' in next.change) onRows([...next.change.rows.values()])
      // It can be found; only where words would be weighed wrongly its writer waits for the tidying.
      if (!isUpset) next.settled.resolve()
      await tidying.committed(next.change)
      next.settled.resolve()
    } catch (error) {
      next.settled.reject(error)
    }
    upset = undefined
    idleSoon()
  }
  idleSoon()

  return {
    /** Resolves when the change can be found; after a rejection it may be written again. */
    write(change: Change): Promise<void> {
      const waiting = queue.at(-1)
      if (waiting && joins(waiting.change, change)) return waiting.settled.promise
      const settled = Promise.withResolvers<void>()
      queue.push({ change, settled })
      after(commitNext)
      return settled.promise
    },
    /** Resolves when words are weighed rightly: at once, unless a large change is just being indexed. */
    async calm() {
      await upset
    },
    async close() {
      await last
      clearTimeout(timer)
    },
  }
}
