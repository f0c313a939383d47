import { limitTo, type Sql } from './db.ts'

/** Largest batch of one commit: large enough to share the sync, small enough to keep waits short. */
const worksPerCommit = 256

export type Writer = { sql: Sql; execute(statement: string): void; isTransaction(): boolean }

type Settle = () => void
type Waiting = { run(sql: Sql): Promise<Settle>; reject(error: unknown): void }

/**
 * Transactions of one SQLite connection that share a commit, and so one sync of the disk. Each runs in its own savepoint: one
 * that throws is rolled back alone. A commit that fails rejects all. No promise resolves before the commit.
 */
export const createGroupCommit = (writer: Writer) => {
  const queue: Waiting[] = []
  let draining: Promise<void> | undefined

  const drain = async () => {
    while (queue.length > 0) {
      await nextTurn()
      await commit(writer, queue.splice(0, worksPerCommit))
    }
    draining = undefined
  }

  return {
    tx: <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const run = async (sql: Sql) => {
          const value = await work(sql)
          return () => resolve(value)
        }
        queue.push({ run, reject })
        draining ??= drain()
      }),
    /** Resolves when the queue is empty. */
    idle: async () => draining,
  }
}

// Collects every transaction requested in this turn of the event loop.
const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

const commit = async (writer: Writer, batch: Waiting[]) => {
  const settles: Settle[] = []
  try {
    writer.execute('begin immediate')
    for (const it of batch) settles.push(await runAlone(writer, it))
    writer.execute('commit')
  } catch (error) {
    undo(writer)
    for (const it of batch) it.reject(error)
    return
  }
  for (const settle of settles) settle()
}

const undo = (writer: Writer) => {
  try {
    if (writer.isTransaction()) writer.execute('rollback')
  } catch {
    // The disk is unavailable. No promise has resolved, and the next commit fails at its begin and rolls back again.
  }
}

const runAlone = async (writer: Writer, it: Waiting): Promise<Settle> => {
  writer.execute('savepoint work')
  const { sql, end, settle } = limitTo(writer.sql)
  try {
    const resolve = await it.run(sql)
    end()
    await settle()
    writer.execute('release work')
    return resolve
  } catch (error) {
    end()
    // A full or failing disk ends the whole transaction, so the whole batch is lost.
    if (!writer.isTransaction()) throw error
    writer.execute('rollback to work')
    writer.execute('release work')
    return () => it.reject(error)
  }
}
