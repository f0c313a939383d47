import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { z } from 'zod'
import { additionsFrom, type Migration } from '../schema/migration.ts'
import { type Db, once } from './db.ts'
import { type MigrationStep, migrate, pendingMigrations, toNewer } from './migrations.ts'
import { beatMs, endSession, lockHolders, openSession, sendHeartbeat } from './session.ts'

/** Class of the advisory lock of the schema, an arbitrary constant. Running processes share it; a migration takes it alone. */
const lockClass = 818_300_007
/** How long a start waits for processes that cannot live with its migrations, in ms. */
const startWaitMs = 20_000

/** A database on a server whose schema this process uses. */
type Wanted = {
  url: string
  name: string
  db: Db
  migrations: Migration[]
  /** How long to wait for other processes, in ms. */
  waitMs?: number | undefined
  onStep?: ((step: MigrationStep) => void) | undefined
  /** Called once when a newer release has changed the schema under this process, which must end then. */
  onMoved?: ((reason: Error) => void) | undefined
}

/**
 * Migrates the schema of a shared database and keeps a seat in it until the returned function is called. Additions are applied
 * beside running processes. Any other migration waits for processes of this and of earlier releases to end.
 * @throws Error that names the processes that did not end in time, or when a newer release wrote the database
 */
export const takeSchemaSeat = async (wanted: Wanted): Promise<() => Promise<void>> => {
  const session = await openSession(wanted)
  const beating = keepBeating(session)
  try {
    await migrateBeside(session, wanted)
  } catch (error) {
    await endSession(session)
    throw error
  } finally {
    clearInterval(beating)
  }
  const ending = new AbortController()
  const kept = keepSeat(wanted, session, ending.signal)
  return once(async () => {
    ending.abort()
    await kept
  })
}

/** PostgreSQL ends a session without heartbeats, and a migration may take long. */
const keepBeating = (session: pg.Client) => setInterval(() => void sendHeartbeat(session).catch(() => undefined), beatMs)

const migrateBeside = async (session: pg.Client, wanted: Wanted): Promise<void> => {
  const { db, migrations, onStep, waitMs = startWaitMs } = wanted
  const endsAt = performance.now() + waitMs
  for (;;) {
    if (await ask(session, 'pg_try_advisory_lock_shared')) {
      const pending = await pendingMigrations(db, migrations)
      const isNew = pending.length === migrations.length
      if (isNew || pending.every(it => it.isAddition)) return migrate(db, migrations, onStep)
      await ask(session, 'pg_advisory_unlock_shared')
      if (await migrateAlone(session, wanted)) return
    }
    if (performance.now() > endsAt) throw new Error(await toRefusal(session))
    await delay(beatMs)
  }
}

/** Migrates while no other process has a seat; false when one has. */
const migrateAlone = async (session: pg.Client, { db, migrations, onStep }: Wanted): Promise<boolean> => {
  if (!(await ask(session, 'pg_try_advisory_lock'))) return false
  try {
    if ((await readUnseated(session)).length > 0) return false
    await migrate(db, migrations, onStep)
    await ask(session, 'pg_try_advisory_lock_shared')
    return true
  } finally {
    await ask(session, 'pg_advisory_unlock')
  }
}

type LockCall = `pg_${'try_advisory_lock' | 'advisory_unlock'}${'' | '_shared'}`
const ask = async (session: pg.Client, call: LockCall): Promise<boolean> => {
  const { rows } = await session.query<{ done: boolean }>(`select ${call}($1, 0) as done`, [lockClass])
  return rows[0]?.done === true
}

// The name of a process has its schema version since releases take a seat. Earlier ones had none, or no name at all.
const unseated = `select pid, application_name as name from pg_stat_activity where datname = current_database()
  and backend_type = 'client backend' and pid <> pg_backend_pid()
  and (application_name = '' or application_name ~ '^market [0-9]+ [0-9a-f-]{36}$')`
const activity = z.array(z.object({ pid: z.number(), name: z.string() }))

/** Connections of releases that take no seat. */
const readUnseated = async (session: pg.Client): Promise<string[]> => {
  const names = activity
    .parse((await session.query(unseated)).rows)
    .map(({ pid, name }) => (name ? `"${name}"` : `a client without a name (pg_stat_activity pid ${pid})`))
  return [...new Set(names)]
}

const toRefusal = async (session: pg.Client): Promise<string> => {
  const { rows } = await session.query<{ process: string }>(lockHolders, [lockClass])
  const seated = [...new Set(rows.map(it => `"${it.process}"`))]
  const running = [...seated, ...(await readUnseated(session))]
  return `This release must change the schema of the database,
    which running processes cannot live with: ${running.join(', ') || 'unknown'}. Stop them, and start this release again.`
}

/** Keeps the seat over lost connections until the signal aborts, or until a newer release changed the schema. */
const keepSeat = async (wanted: Wanted, first: pg.Client, signal: AbortSignal): Promise<void> => {
  let session: pg.Client | undefined = first
  while (!signal.aborted) {
    await delay(beatMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) break
    try {
      session ??= await takeAgain(wanted)
      const version = session && (await readNewer(session, wanted.migrations))
      if (version !== undefined) {
        wanted.onMoved?.(new Error(toNewer(version, wanted.migrations)))
        break
      }
    } catch {
      if (session) await endSession(session)
      session = undefined
    }
  }
  if (session) await endSession(session)
}

/** A new session with a seat; undefined while another process migrates, or where it is lost at once. */
const takeAgain = async (wanted: Wanted): Promise<pg.Client | undefined> => {
  const session = await openSession(wanted)
  const isSeated = await ask(session, 'pg_try_advisory_lock_shared').catch(() => false)
  if (isSeated) return session
  await endSession(session)
  return undefined
}

/** This read is the heartbeat as well, so a moved schema is noticed within half a second, also after lost notifications. */
const readNewer = async (session: pg.Client, migrations: Migration[]): Promise<number | undefined> => {
  const latest = Math.max(...migrations.map(it => it.version))
  // A database that is tested with fewer migrations has no such column.
  const newer = 'select version::int from schema_migration where version > $1 and is_addition = 0 order by version limit 1'
  if (latest < additionsFrom) return void (await sendHeartbeat(session))
  const { rows } = await session.query<{ version: number }>(newer, [latest])
  return rows[0]?.version
}
