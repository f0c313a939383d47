import type { Table } from '@lancedb/lancedb'
import { minuteMs } from '../domain/durations.ts'
import type { Clock } from '../ports.ts'
import type { Removal } from './lexicon.ts'
import type { Change } from './mirror.ts'

/** Maximum rows of one commit. Larger commits delay the writes behind them. */
const batchRows = 1000
/** Each commit adds a fragment that every search opens. With fifty fragments a query takes about twice as long. */
const commitsBeforeTidying = 50
const idleMs = 2000
/** Old versions are kept longer than any query that may still read them. */
const keepVersionsMs = 10 * minuteMs

type Pending = { change: Change; settled: PromiseWithResolvers<void> }

/**
 * A list of hashes for an SQL condition.
 * @throws RangeError for anything else, so that no text of a stranger reaches a condition
 */
export const toSet = (hashes: string[]): string => {
  if (!hashes.every(hash => /^[0-9a-f]{64}$/.test(hash))) throw new RangeError('only hashes are allowed in a condition')
  return `(${hashes.map(hash => `'${hash}'`).join(', ')})`
}

const toCondition = (change: Removal): string => {
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

/** Merges rows into a pending commit; the newer version of an offering wins. Returns false when they do not fit in one commit. */
const joins = (waiting: Change, coming: Change): boolean => {
  if (!('rows' in waiting && 'rows' in coming) || waiting.rows.size + coming.rows.size > batchRows) return false
  for (const [key, row] of coming.rows) {
    const other = waiting.rows.get(key)
    if (!other || other.version <= row.version) waiting.rows.set(key, row)
  }
  return true
}

/** Compacts a table after a number of commits. */
const createTidying = ({ table, clock }: { table: Table; clock: Clock }) => {
  // Not zero, because a previous process may have left fragments.
  let commits = 1

  const tidy = async () => {
    if (commits === 0) return
    commits = 0
    await table.optimize({ cleanupOlderThan: new Date(clock.now() - keepVersionsMs) })
  }
  return {
    async committed() {
      commits += 1
      if (commits >= commitsBeforeTidying) await tidy()
    },
    // A failed compaction loses nothing: the next one does its work.
    idle: () => tidy().catch(() => undefined),
  }
}

type WritesDeps = {
  table: Table
  clock: Clock
  /** The part of a change that the table does not contain yet; undefined when it contains all of it. */
  missing(change: Change): Change | undefined
  onChange(change: Change): void
}

/**
 * The only writer of a table. Changes are committed one at a time in order; pending changes are merged into one commit. What
 * the table contains already is not written. The table is compacted after many commits, and when it is idle.
 */
export const createWrites = ({ table, clock, missing, onChange }: WritesDeps) => {
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
  const commitNext = async () => {
    const next = queue.shift()
    if (!next) return
    try {
      // Compared here and not before, because only now the table contains the earlier changes of the queue.
      const change = missing(next.change)
      if (change) {
        await commit(table, change)
        onChange(change)
      }
      next.settled.resolve()
      if (change) await tidying.committed()
    } catch (error) {
      next.settled.reject(error)
    }
    idleSoon()
  }
  idleSoon()

  return {
    /** Resolves when searches see the change. Rejects when the commit failed; the change may then be written again. */
    write(change: Change): Promise<void> {
      const waiting = queue.at(-1)
      if (waiting && joins(waiting.change, change)) return waiting.settled.promise
      const settled = Promise.withResolvers<void>()
      queue.push({ change, settled })
      after(commitNext)
      return settled.promise
    },
    async close() {
      await last
      clearTimeout(timer)
    },
  }
}
