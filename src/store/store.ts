import { randomUUID } from 'node:crypto'
import type { Clock, Store, Tables, Wakeups } from '../ports.ts'
import { freeOutbox } from './effects/outbox.ts'
import { freeSenders } from './effects/senders.ts'
import { createAside } from './engine/aside.ts'
import { type Alone, type Aside, type Db, type Handed, once, type Scope, type Tx, toLater } from './engine/db.ts'
import type { Holder } from './engine/holder.ts'
import { type MigrationStep, migrate } from './engine/migrations.ts'
import { type Notifications, openNotifications } from './engine/notifications.ts'
import { openPostgres, type Pooling } from './engine/postgres.ts'
import { takeSchemaSeat } from './engine/schemaSeat.ts'
import { openSqlite, readSqlite } from './engine/sqlite.ts'
import { setAllUncertain } from './jobs/pushes.ts'
import { freePurchases } from './money/purchaseRows.ts'
import { freeRuns } from './runs/runs.ts'
import { migrations } from './schema/schema.ts'
import { createTables, type TableGroup } from './tables.ts'

/** Where rows are stored: a file used by this process alone, or a PostgreSQL server (`postgres://…`) shared by several. */
export type StorePlace = { file: string } | ({ url: string } & Pooling)
/**
 * `name` of this process, unique among those on one database. `onMigration` is told of each applied migration. `onMoved` is
 * called when a newer release has changed the schema: this process must end then. `tables` are those of the features.
 */
export type StoreOptions = StorePlace & {
  clock: Clock
  wakeups?: Pick<Wakeups, 'notify'>
  name?: string
  tables?: readonly TableGroup[]
  onMigration?: (step: MigrationStep) => void
  onMoved?: (reason: Error) => void
}

/**
 * Opens the store, migrates its schema, and ends the leases of a process that has ended.
 * @throws Error when another process holds the file, or when the schema does not belong to this release
 */
export const openStore = async (options: StoreOptions): Promise<Store & { db: Db }> => {
  const { name = toProcessName(), onMigration: onStep } = options
  const db = 'file' in options ? openSqlite(options) : openPostgres({ ...options, name })
  let leaveSchema: (() => Promise<void>) | undefined
  try {
    // A file has one process, so no other one can be surprised by a new schema.
    if ('url' in options)
      leaveSchema = await takeSchemaSeat({ url: options.url, name, db, migrations, onStep, onMoved: options.onMoved })
    else await migrate(db, migrations, onStep)
    const notices =
      'url' in options && options.wakeups ? openNotifications({ url: options.url, name, wakeups: options.wakeups }) : undefined
    const writing = { db, wakeups: options.wakeups, notices }
    const [write, alone] = [writeTo(writing), writeAlone(writing)]
    // A file has only one process, which has just started, so every lease in it has lost its holder. On a server others may be
    // running.
    if (db.dialect === 'sqlite') await write(freeLeases)
    const holder: Holder = { name, held: new Map(), steps: new Map() }
    const aside = createAside(db.run)
    const { tablesOf, lazyTables } = createTables(options.tables ?? [])
    return {
      ...tablesOf({ read: db.sql, lists: db.lists, run: db.run, write, aside, alone }, holder),
      atomically: work => write(tx => work(lazyTables(within(tx, aside), holder))),
      confirmsWrites: db.confirm,
      close: once(async () => {
        // Frees the senders, so that other processes need not wait for the leases to expire.
        if (db.dialect === 'postgres') await write(tx => freeSenders(tx, holder.name)).catch(() => undefined)
        await notices?.close()
        await leaveSchema?.()
        await db.close()
      }),
      db,
    }
  } catch (error) {
    await leaveSchema?.()
    await db.close()
    throw error
  }
}

/**
 * Name of a process on a shared database: its process id lets an operator find it, and its schema version says that it keeps a
 * seat in the schema. PostgreSQL cuts names after 63 bytes.
 */
export const toProcessName = (): string =>
  `market ${process.pid} schema ${migrations.at(-1)?.version} ${randomUUID()}`.slice(0, 63)

/** A store for reading only. Its schema may be that of another release. */
export type StoreReader = { tables: Tables; sql: Db['sql']; close(): Promise<void> }

/** Opens a store for reading only, also while services use it. @throws Error when there is no such file */
export const readStore = (options: StorePlace & { clock: Clock }): StoreReader => {
  const name = `market reader ${randomUUID()}`
  const { sql, close } = 'file' in options ? readSqlite(options) : openPostgres({ ...options, name })
  const write = async () => {
    throw new TypeError('this store is open for reading only')
  }
  const { tablesOf } = createTables([])
  return {
    tables: tablesOf(
      { read: sql, lists: sql, run: write, write, aside: createAside(write) },
      { name, held: new Map(), steps: new Map() },
    ),
    sql,
    close,
  }
}

const freeLeases = async (tx: Tx) => {
  await freeRuns(tx)
  await freeOutbox(tx)
  await freeSenders(tx)
  await setAllUncertain(tx)
  await freePurchases(tx)
}

type Writing = { db: Db; wakeups: Pick<Wakeups, 'notify'> | undefined; notices: Notifications | undefined }

/** Runs transactions, and notifies each channel once after the commit, in this process and the others. */
const writeTo =
  ({ db, wakeups, notices }: Writing): Scope['write'] =>
  async work => {
    // The events of each channel; undefined when more than events changed.
    const channels = new Map<string, Promise<Handed | undefined>[] | undefined>()
    const notify: Tx['notify'] = (channel, event) => {
      const events = channels.has(channel) ? channels.get(channel) : []
      channels.set(channel, event && events && [...events, event])
    }
    const result = await db.tx(async (sql, withCommit) => {
      // The work may run a second time after a deadlock.
      channels.clear()
      const later = toLater(sql)
      const done = await work({ sql, later, notify })
      notices?.announcing(channels.keys()).forEach(withCommit)
      return done
    })
    for (const [channel, sent] of channels) {
      // All were answered before the commit.
      const added = sent && (await Promise.all(sent)).filter(it => it !== undefined)
      const events = added?.flatMap(it => it.event ?? [])
      if (added?.length !== 0) wakeups?.notify(channel, events?.length === added?.length ? events : undefined)
    }
    return result
  }

/** Writes one statement, and notifies its channels in this process and the others if it returned a row. */
const writeAlone =
  ({ db, wakeups, notices }: Writing): Alone =>
  async (text, params, { channels, toHanded, here }) => {
    const [row] = await db.run(text, params, notices?.announced(channels))
    if (!row) return undefined
    const event = toHanded?.(row).event
    for (const channel of channels) wakeups?.notify(channel, event && [event])
    for (const channel of here?.(row) ?? []) wakeups?.notify(channel)
    return row
  }

const within = (tx: Tx, aside: Aside): Scope => ({ read: tx.sql, lists: tx.sql, run: tx.sql, aside, write: work => work(tx) })
