import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** Interval of the heartbeats of a session that has locks, in ms. */
export const beatMs = 500
/** The holder of a lock stops its work when a heartbeat was not answered in this time, in ms. */
const beatTimeoutMs = 1_500
/**
 * PostgreSQL ends the session of a process that sent no heartbeat for so long, in ms, and so frees its locks: a stopped process
 * keeps its connection. Longer than beatMs and beatTimeoutMs together, so that a holder that runs has stopped by then.
 */
const sessionTimeoutMs = 3_500

/** Creates the connection of a session for advisory locks, which `begin` opens. `name` names this process. */
export const createSession = ({ url, name }: { url: string; name: string }): pg.Client =>
  new pg.Client({
    ...{ connectionString: url, application_name: name, keepAlive: true },
    ...{ query_timeout: beatTimeoutMs, connectionTimeoutMillis: beatTimeoutMs },
  })

/** Opens a session that the server ends when its process sends no heartbeat. */
export const begin = async (session: pg.Client): Promise<void> => {
  await session.connect()
  await session.query(`set idle_session_timeout = ${sessionTimeoutMs}`)
}

/** Opens a session whose broken connection is noticed with the next heartbeat. */
export const openSession = async (of: Parameters<typeof createSession>[0]): Promise<pg.Client> => {
  const session = createSession(of)
  session.on('error', () => undefined)
  try {
    await begin(session)
    return session
  } catch (error) {
    await endSession(session)
    throw error
  }
}

/** Ends a session, and waits for its server only if it answers. */
export const endSession = async (session: pg.Client): Promise<void> => {
  await Promise.race([session.end().catch(() => undefined), delay(beatTimeoutMs, undefined, { ref: false })])
  // The farewell of a server that was cut off never comes, and an open socket keeps the process.
  session.connection.stream.destroy()
}

export const sendHeartbeat = (session: pg.Client): Promise<unknown> => session.query('select 1')

/**
 * Takes an advisory lock for the session if no other session holds it; returns whether it did.
 * @param lockClass distinguishes locks with equal keys, such as leadership and ownership of a chain. @param key such as a chain
 * id
 */
export const tryLock = async (session: pg.Client, lockClass: number, key: number): Promise<boolean> => {
  const { rows } = await session.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', [lockClass, key])
  return rows[0]?.held === true
}

/** Takes every advisory lock of a class that no other session holds, in one statement, which is a heartbeat too. @returns their keys */
export const tryLocks = async (session: pg.Client, lockClass: number, keys: readonly number[]): Promise<number[]> => {
  const text = 'select key, pg_try_advisory_lock($1, key) as held from unnest($2::int[]) as key'
  const { rows } = await session.query<{ key: number; held: boolean }>(text, [lockClass, keys])
  return rows.flatMap(it => (it.held ? [it.key] : []))
}

/** Statement that reads the key and the process of each lock of one class in this database. */
export const lockHolders = `select l.objid as key, a.application_name as process from pg_locks l join pg_stat_activity a
  on a.pid = l.pid
  where l.locktype = 'advisory' and l.granted and l.classid = $1
    and l.database = (select oid from pg_database where datname = current_database()) order by l.objid`
