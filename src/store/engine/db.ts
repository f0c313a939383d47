import { AsyncLocalStorage } from 'node:async_hooks'

/** What a statement may be given. Amounts are decimal text, flags 0 or 1, moments epoch ms. */
export type Value = string | number | bigint | boolean | Uint8Array | null | undefined
export type Row = Record<string, unknown>
/** One statement with placeholders $1…$n and fragments in braces. */
export type Sql = (text: string, params?: readonly Value[]) => Promise<Row[]>

export type Db = {
  dialect: 'sqlite' | 'postgres'
  /** Reads outside a transaction: committed rows only. */
  sql: Sql
  /** Runs `work` in one transaction. It may await nothing but its `sql`; on PostgreSQL it may run again after a deadlock. */
  tx<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Waits for the transactions that were begun. */
  close(): Promise<void>
}

/** A transaction as the tables see it. Channels are notified after the commit, never for work that was undone. */
export type Tx = { sql: Sql; notify(channel: string): void }
/** Where a table works: on committed rows with a transaction a write, or all inside one transaction. */
export type Scope = { read: Sql; write<T>(work: (tx: Tx) => Promise<T>): Promise<T> }

/** The words in which the dialects differ. */
export type Fragments = Record<
  'NOW' | 'LOCK' | 'LOCKED_NAME' | 'SKIP' | 'BIGINT' | 'IDENTITY' | 'BLOB' | 'JSON' | 'PARSED' | 'STRICT',
  string
>

/** Fills the fragments of a statement. */
export const expand = (text: string, fragments: Fragments): string =>
  text.replace(/\{([A-Z_]+)\}/g, (whole, name: string) => {
    if (!isFragment(name, fragments)) throw new RangeError(`unknown fragment ${whole}`)
    return fragments[name]
  })

const isFragment = (name: string, fragments: Fragments): name is keyof Fragments => Object.hasOwn(fragments, name)

/**
 * A value as both drivers take it. PostgreSQL has no NUL in text and SQLite's readers stop at one, so that both stores
 * keep the replacement character instead.
 */
export const toBound = (value: Value): string | number | Uint8Array | null => {
  if (value === undefined) return null
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' && value.includes('\0')) return value.replaceAll('\0', '\uFFFD')
  return value
}

/** Refuses a transaction that is asked for inside another one of the same database: it would wait for itself for ever. */
export const refuseNested = (tx: Db['tx']): Db['tx'] => {
  const inside = new AsyncLocalStorage<true>()
  return async work => {
    if (inside.getStore()) throw new Error('a transaction inside a transaction: use the tables it was given')
    return tx(sql => inside.run(true, () => work(sql)))
  }
}

/** A statement runner that ends with its transaction, so that a forgotten await cannot write into the next one. */
export const limitTo = (sql: Sql): { sql: Sql; end(): void } => {
  let open = true
  return {
    sql: async (text, params) => {
      if (!open) throw new Error('a statement after the end of its transaction')
      return sql(text, params)
    },
    end: () => {
      open = false
    },
  }
}

/** The first call runs, later ones wait for the same end. */
export const once = (run: () => Promise<void>): (() => Promise<void>) => {
  let ran: Promise<void> | undefined
  return () => {
    ran ??= run()
    return ran
  }
}
