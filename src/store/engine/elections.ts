import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import type { Elections } from '../../ports.ts'
import { once, type Sql } from './db.ts'
import { rowOf } from './rows.ts'

/** First key of the advisory locks of leaders; an arbitrary constant. The second key is what is led, a chain id. */
const lockClass = 818_300_005
/** Interval of the heartbeats of a leader, and of the attempts of the others, in ms. */
const beatMs = 500
/** A leader stops its work when a heartbeat was not answered in this time, in ms. */
const beatTimeoutMs = 1_500
/**
 * PostgreSQL ends the session of a process that sent no heartbeat for so long, in ms, and so frees its locks: a stopped process
 * keeps its connection. Longer than beatMs and beatTimeoutMs together, so that a leader that runs has stopped by then.
 */
const sessionTimeoutMs = 3_500
const reconnectMs = 500

type Leadership = { key: number; term(signal: AbortSignal): Promise<void> }
type Options = { url: string; name: string; sql: Sql; onError(error: unknown): void }

/**
 * Elects one leader among the processes on one PostgreSQL server, by advisory locks on a connection of its own. The server
 * frees the locks when the connection breaks. A process notices a lost connection only with its next heartbeat. Therefore the
 * writes of leaders are conditional as well, and two leaders at once do no harm.
 * @param url `postgres://…`
 * @param name of this process
 * @param sql for reading who leads
 */
export const openElections = ({ url, name, sql, onError }: Options): Elections => {
  const leaderships: Leadership[] = []
  const ending = new AbortController()
  const running = runForLeader({ url, name, sql, offices: leaderships, signal: ending.signal, onError })
  return {
    lead: (key, term) => void leaderships.push({ key, term }),
    leaders: async () => leaders.all(await sql(holders, [lockClass])),
    close: once(async () => {
      ending.abort()
      await running
    }),
  }
}

const leaders = rowOf({ key: z.coerce.number(), process: z.string() })
const holders = `select l.objid as key, a.application_name as process from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.granted and l.classid = $1
    and l.database = (select oid from pg_database where datname = current_database()) order by l.objid`

/** Elections of a database file: one process has it, so that process leads at once. */
export const openSoleElections = ({ onError }: Pick<Options, 'onError'>): Elections => {
  const ending = new AbortController()
  const terms: Promise<void>[] = []
  const keys: number[] = []
  const leadOn = async (term: Leadership['term']) => {
    while (!ending.signal.aborted) {
      await term(ending.signal).catch(onError)
      await delay(reconnectMs, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }
  return {
    lead: (key, term) => {
      keys.push(key)
      terms.push(leadOn(term))
    },
    leaders: async () => keys.map(key => ({ key, process: `market ${process.pid}` })),
    close: once(async () => {
      ending.abort()
      await Promise.all(terms)
    }),
  }
}

type Candidacy = Options & { offices: Leadership[]; signal: AbortSignal }

/** Tries to become the leader, on one connection after another, until the signal aborts. */
const runForLeader = async (standing: Candidacy): Promise<void> => {
  const { url, name, signal } = standing
  while (!signal.aborted) {
    const options = { application_name: name, query_timeout: beatTimeoutMs, connectionTimeoutMillis: beatTimeoutMs }
    const client = new pg.Client({ connectionString: url, keepAlive: true, ...options })
    const lost = new AbortController()
    const lose = () => lost.abort()
    client.on('error', lose).once('end', lose)
    const terms = new Map<Leadership, Promise<void>>()
    try {
      await client.connect()
      await client.query(`set idle_session_timeout = ${sessionTimeoutMs}`)
      await beat({ ...standing, client, terms, session: AbortSignal.any([signal, lost.signal]), lose })
    } catch {
      // The server does not answer, or too late. Another process may lead from now on.
    }
    lose()
    // The locks are freed when the last step has ended, or earlier by the server.
    await Promise.all(terms.values())
    // The next attempt does not wait for a connection that hangs.
    await Promise.race([client.end().catch(() => undefined), delay(beatTimeoutMs)])
    await delay(reconnectMs, undefined, { signal }).catch(() => undefined)
  }
}

type Session = Candidacy & { client: pg.Client; terms: Map<Leadership, Promise<void>>; session: AbortSignal; lose(): void }

/** Sends heartbeats, and begins a term for each lock that it gets. */
const beat = async ({ client, offices, terms, session, lose, onError }: Session): Promise<void> => {
  while (!session.aborted) {
    await client.query('select 1')
    for (const leadership of offices) {
      if (session.aborted || terms.has(leadership) || !(await tryLock(client, leadership.key))) continue
      // The session may have been lost while the answer was on its way.
      if (session.aborted) return
      // A term that fails gives up every lock of this process, so that another one may try.
      const failed = (error: unknown) => {
        onError(error)
        lose()
      }
      terms.set(leadership, leadership.term(session).catch(failed))
    }
    await delay(beatMs, undefined, { signal: session }).catch(() => undefined)
  }
}

const tryLock = async (client: pg.Client, key: number): Promise<boolean> => {
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', [lockClass, key])
  return rows[0]?.held === true
}
