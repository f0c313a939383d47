import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { StorageFull } from '../../domain/problem.ts'
import type { Clock } from '../../ports.ts'
import { type Db, expand, type Fragments, followedBy, once, refuseNested, type Sql, toBound } from './db.ts'
import { ensurePrivateFile, lockFile } from './fileLock.ts'
import { createGroupCommit } from './groupCommit.ts'

const busyTimeoutMs = 5000

// There is one process with one writer, so rows and names need no locks. The machine's clock is the database's clock.
const fragments: Fragments = {
  NOW: '$0',
  ADDED: '1 = 1',
  MARK: '(select coalesce(max(mark), 0) + 1 from outbox)',
  HORIZON: '(select coalesce(max(mark), 0) + 1 from outbox)',
  LOCK: '',
  LOCK_FIELDS: '',
  LOCKED_NAME: '$1',
  // One process has the file, and ends the leases of its predecessor when it starts.
  HOLDER: 'null',
  HOLDER_ENDED: '1 = 0',
  SKIP: '',
  BIGINT: 'integer',
  IDENTITY: 'integer primary key autoincrement',
  REAL: 'real',
  BLOB: 'blob',
  UNHEX: 'unhex',
  JSON: 'text',
  OBJECT: 'json_object',
  ARRAY: 'json_group_array',
  PARSED: '',
  EACH: 'json_each',
  TAGS: `json_each(o.body, '$.tags') t`,
  STRICT: 'strict',
}

/**
 * A database in one file. Every commit is synced (WAL, synchronous FULL), and concurrent commits share the sync. Reads use a
 * second connection, so they never see uncommitted rows.
 */
export const openSqlite = ({ file, clock }: { file: string; clock: Clock }): Db => {
  const path = ensurePrivateFile(file)
  const lock = lockFile(path)
  const { writer, reader } = connect(path, lock.release)
  const group = createGroupCommit({
    sql: createSql(writer, clock),
    execute: createExecute(writer),
    isTransaction: () => writer.isTransaction,
  })
  const read = createSql(reader, clock)
  // Nobody outside this process waits for its commits.
  const tx: Db['tx'] = work => group.tx(sql => work(sql, () => undefined)).catch(refuseFull)
  return {
    dialect: 'sqlite',
    sql: read,
    lists: read,
    ...refuseNested({
      tx,
      longTx: tx,
      run: (text, params) => group.tx(sql => sql(text, params)).catch(refuseFull),
    }),
    confirm: () => tx(async () => undefined),
    close: once(async () => {
      await group.idle()
      // The writer closes last, because that moves the write-ahead log into the file.
      reader.close()
      writer.close()
      lock.release()
    }),
  }
}

/** SQLITE_FULL: the disk, or the space that the file may have, is used up. */
const full = 13
const refuseFull = (error: unknown): never => {
  throw error instanceof Error && 'errcode' in error && error.errcode === full ? new StorageFull('the database', error) : error
}

/**
 * Opens a database file for reading only, also while a service has it.
 * @throws Error when there is no such file
 */
export const readSqlite = ({ file, clock }: { file: string; clock: Clock }): Pick<Db, 'sql' | 'close'> => {
  const reader = new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly: true })
  return { sql: createSql(reader, clock), close: once(async () => reader.close()) }
}

const connect = (path: string, release: () => void) => {
  const writer = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  try {
    writer.exec('pragma journal_mode = wal; pragma synchronous = full')
    return { writer, reader: new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly: true }) }
  } catch (error) {
    writer.close()
    release()
    throw new Error(`The store ${path} cannot be read as a SQLite database.`, { cause: error })
  }
}

type Prepared = { statement: StatementSync; order: number[] }

const createSql = (connection: DatabaseSync, clock: Clock): Sql => {
  const prepared = new Map<string, Prepared[]>()
  return async (text, params = []) => {
    const statements = prepared.get(text) ?? keep(prepared, text, prepareAll(connection, text))
    const values = [clock.now(), ...params.map(toBound)]
    const run = ({ statement, order }: Prepared) => statement.all(...order.map(place => values[place] ?? null))
    const [first, ...more] = statements
    const rows = first ? run(first) : []
    if (rows.length > 0) more.forEach(run)
    return rows
  }
}

const createExecute = (connection: DatabaseSync) => {
  const prepared = new Map<string, StatementSync>()
  return (text: string) => {
    const statement = prepared.get(text) ?? keep(prepared, text, connection.prepare(text))
    statement.run()
  }
}

const keep = <T>(cache: Map<string, T>, text: string, value: T): T => {
  cache.set(text, value)
  return value
}

const prepareAll = (connection: DatabaseSync, text: string) => text.split(followedBy).map(it => prepare(connection, it.trim()))

// Turns every placeholder into an anonymous one. `order` maps each to its value; 0 is the time of the statement.
const prepare = (connection: DatabaseSync, text: string): Prepared => {
  const order: number[] = []
  const plain = expand(text, fragments).replace(/\$(\d+)/g, (_, place: string) => {
    order.push(Number(place))
    return '?'
  })
  return { statement: connection.prepare(plain), order }
}
