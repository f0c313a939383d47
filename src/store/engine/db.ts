import { AsyncLocalStorage } from 'node:async_hooks'
import type { RunEvent } from '../../domain/runs/runEvent.ts'

/** Types of statement parameters. Amounts are decimal text, flags 0 or 1, times epoch ms. */
export type Value = string | number | bigint | boolean | Uint8Array | null | undefined
export type Row = Record<string, unknown>
/** Runs one statement with placeholders $1…$n and fragments in braces. */
export type Sql = (text: string, params?: readonly Value[]) => Promise<Row[]>

export type Db = {
  dialect: 'sqlite' | 'postgres'
  /** Reads outside a transaction: committed rows only. */
  sql: Sql
  /** Reads lists that may lag behind a little: from a replica where there is one. */
  lists: Sql
  /**
   * Runs `work` in one transaction. It may await only its own `sql`. On PostgreSQL it may run again after a deadlock. `withCommit`
   * adds a statement without parameters that is sent in the message of the commit.
   */
  tx<T>(work: (sql: Sql, withCommit: (text: string) => void) => Promise<T>): Promise<T>
  /** Like `tx`, without a limit of time: a migration of a large table takes longer than any other work may. */
  longTx: Db['tx']
  /**
   * Runs one statement that writes, as a transaction of its own. On PostgreSQL this is one round trip in place of three.
   * `announced` is told to the other processes if it returns a row.
   */
  run(text: string, params?: readonly Value[], announced?: Announced): Promise<Row[]>
  /** Commits something that is not kept. */
  confirm(): Promise<unknown>
  /** Connections of the pool for statements; absent for a file. `waiting` statements have none yet. */
  connections?(): { used: number; idle: number; waiting: number }
  /** Closes the database after the running transactions have ended. */
  close(): Promise<void>
}

/** A payload for the other processes that listen to a topic. */
export type Announced = { topic: string; payload: string }

/**
 * A transaction as the tables see it. Channels are notified after the commit and never after a rollback. An event is handed to
 * the streams of this process with its channel, unless the transaction also notifies that channel without an event.
 */
export type Tx = { sql: Sql; later: Later; notify(channel: string, event?: Promise<Handed | undefined>): void }
/** An event that was added; without it when it is too long for memory. Undefined when none was added. */
export type Handed = { event: RunEvent | undefined }
/**
 * Runs a statement whose rows nobody needs, in its place among the others. On a server it costs no wait of its own. Its failure
 * is that of the transaction.
 */
export type Later = (text: string, params?: readonly Value[]) => void
/** A row type with a parser of single rows. */
type Readable<T> = { parse(row: Row): T }

/**
 * Work lists without the rows that this release cannot read, which a newer release may have written. Such a row is noted for the
 * operator, and the work on the others goes on.
 */
export type Aside = {
  /** Parses rows of a table. Each needs one of the columns seq, id, key or name, which identifies it. */
  sound<T>(table: string, of: Readable<T>, rows: Row[]): T[]
  /** The length of a page that has room for the rows known as unreadable. */
  limit(table: string, limit: number): number
}

/**
 * The scope of a table: either committed reads and one transaction per write, or everything in one transaction. `run` is a write
 * of one statement that wakes nobody. `lists` may be read from a replica. `aside` reads the work lists of the workers. `alone` is absent in a transaction.
 */
export type Scope = {
  read: Sql
  lists: Sql
  run: Sql
  aside: Aside
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  alone?: Alone
}

/**
 * Outside of a transaction: a write of one statement that notifies channels where it returns a row, which is the result. `toHanded`
 * makes the event of the row. `here` names further channels of this process.
 */
export type Alone = (text: string, params: readonly Value[], to: Told) => Promise<Row | undefined>
export type Told = { channels: readonly string[]; toHanded?(row: Row): Handed; here?(row: Row): string[] }

/**
 * SQL fragments that differ between SQLite and PostgreSQL. A row of the outbox gets MARK. Every row with a mark below HORIZON
 * is committed, so a reader that continues at the horizon misses no row. HOLDER names this process, and HOLDER_ENDED is true
 * of a row whose column `leased_by` names a process that has ended. LOCK_FIELDS lets others refer to the locked rows meanwhile.
 * EACH reads the texts of a JSON array as rows with a `value`.
 */
export type Fragments = Record<
  | 'NOW'
  | 'ADDED'
  | 'MARK'
  | 'HORIZON'
  | 'LOCK'
  | 'LOCK_FIELDS'
  | 'LOCKED_NAME'
  | 'HOLDER'
  | 'HOLDER_ENDED'
  | 'SKIP'
  | 'BIGINT'
  | 'IDENTITY'
  | 'REAL'
  | 'BLOB'
  | 'UNHEX'
  | 'JSON'
  | 'OBJECT'
  | 'ARRAY'
  | 'PARSED'
  | 'EACH'
  | 'TAGS'
  | 'STRICT',
  string
>

/**
 * Separates a statement from those that run if it returned a row, which contain ADDED as a condition. Their rows are those of the
 * first. On a server they are one statement: they see the rows from before it, and run in an order of the server's own.
 */
export const followedBy = '{THEN}'

/** Replaces the fragments in a statement. */
export const expand = (text: string, fragments: Fragments): string =>
  text.replace(/\{([A-Z_]+)\}/g, (whole, name: string) => {
    if (!isFragment(name, fragments)) throw new RangeError(`unknown fragment ${whole}`)
    return fragments[name]
  })

const isFragment = (name: string, fragments: Fragments): name is keyof Fragments => Object.hasOwn(fragments, name)

/**
 * Converts a value for both drivers. PostgreSQL allows no NUL in text and SQLite's readers stop at one, so a NUL becomes the
 * Unicode replacement character.
 */
export const toBound = (value: Value): string | number | Uint8Array | null => {
  if (value === undefined) return null
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' && value.includes('\0')) return value.replaceAll('\0', '\uFFFD')
  return value
}

/** Throws when a transaction is started inside another one of the same database, because it would wait for itself forever. */
export const refuseNested = ({ tx, longTx, run }: Writes): Writes => {
  const inside = new AsyncLocalStorage<true>()
  const refuse = () => {
    if (inside.getStore()) throw new Error('a transaction inside a transaction: use the tables it was given')
  }
  const alone =
    (open: Db['tx']): Db['tx'] =>
    async work => {
      refuse()
      return open((sql, withCommit) => inside.run(true, () => work(sql, withCommit)))
    }
  return {
    tx: alone(tx),
    longTx: alone(longTx),
    async run(...of) {
      refuse()
      return run(...of)
    },
  }
}
type Writes = Pick<Db, 'tx' | 'longTx' | 'run'>

/**
 * The statements of one transaction, which all run in the order of their calls. `end` refuses further ones, so that a forgotten
 * await cannot write into the next transaction. `settle` waits for all, and throws the failure of the first that failed: no
 * statement fails unnoticed, also when nobody awaits it.
 */
export const limitTo = (sql: Sql): { sql: Sql; end(): void; settle(): Promise<void> } => {
  let open = true
  let failed: { error: unknown } | undefined
  let last: Promise<unknown> = Promise.resolve()
  return {
    sql: async (text, params) => {
      if (!open) throw new Error('a statement after the end of its transaction')
      const rows = sql(text, params)
      last = rows.catch((error: unknown) => {
        failed ??= { error }
      })
      return rows
    },
    end: () => {
      open = false
    },
    async settle() {
      await last
      if (failed) throw failed.error
    },
  }
}

/** Runs statements of a transaction whose rows nobody needs. The transaction reports their failure. */
export const toLater =
  (sql: Sql): Later =>
  (text, params) =>
    void sql(text, params).catch(() => undefined)

/** Runs the function at the first call. Later calls get the same promise. */
export const once = (run: () => Promise<void>): (() => Promise<void>) => {
  let ran: Promise<void> | undefined
  return () => {
    ran ??= run()
    return ran
  }
}
