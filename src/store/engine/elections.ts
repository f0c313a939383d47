import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { z } from 'zod'
import type { Elections } from '../../ports.ts'
import { once, type Sql } from './db.ts'
import { rowOf } from './rows.ts'
import { beatMs, begin, createSession, endSession, lockHolders, tryLocks } from './session.ts'

/** First key of the advisory locks of leaders; an arbitrary constant. The second key is what is led, a chain id. */
const lockClass = 818_300_005
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
  const leading = new Set<number>()
  const ending = new AbortController()
  const running = runForLeader({ url, name, sql, leaderships, signal: ending.signal, onError })
  return {
    lead: (key, term) => void leaderships.push(noteTerms(leading, { key, term })),
    leads: key => leading.has(key),
    leaders: async () => leaders.all(await sql(lockHolders, [lockClass])),
    close: once(async () => {
      ending.abort()
      await running
    }),
  }
}

/** Notes a key from the beginning of its term until another process may be elected. */
const noteTerms = (leading: Set<number>, { key, term }: Leadership): Leadership => ({
  key,
  term: async signal => {
    const over = () => void leading.delete(key)
    signal.addEventListener('abort', over, { once: true })
    if (!signal.aborted) leading.add(key)
    await term(signal).finally(over)
  },
})

const leaders = rowOf({ key: z.coerce.number(), process: z.string() })

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
    leads: key => keys.includes(key) && !ending.signal.aborted,
    leaders: async () => keys.map(key => ({ key, process: `market ${process.pid}` })),
    close: once(async () => {
      ending.abort()
      await Promise.all(terms)
    }),
  }
}

type Candidacy = Options & { leaderships: Leadership[]; signal: AbortSignal }

/** Tries to become the leader, on one connection after another, until the signal aborts. */
const runForLeader = async (candidacy: Candidacy): Promise<void> => {
  const { url, name, signal } = candidacy
  while (!signal.aborted) {
    const client = createSession({ url, name })
    const lost = new AbortController()
    const lose = () => lost.abort()
    client.on('error', lose).once('end', lose)
    const terms = new Map<Leadership, Promise<void>>()
    try {
      await begin(client)
      await beat({ ...candidacy, client, terms, session: AbortSignal.any([signal, lost.signal]), lose })
    } catch {
      // The server does not answer, or too late. Another process may lead from now on.
    }
    lose()
    // The locks are freed when the last step has ended, or earlier by the server.
    await Promise.all(terms.values())
    await endSession(client)
    await delay(reconnectMs, undefined, { signal }).catch(() => undefined)
  }
}

type Session = Candidacy & { client: pg.Client; terms: Map<Leadership, Promise<void>>; session: AbortSignal; lose(): void }

/** Sends heartbeats, and begins a term for each lock that it gets. */
const beat = async ({ client, leaderships, terms, session, lose, onError }: Session): Promise<void> => {
  while (!session.aborted) {
    const open = leaderships.filter(it => !terms.has(it))
    const held = await tryLocks(
      client,
      lockClass,
      open.map(it => it.key),
    )
    // The session may have been lost while the answer was on its way.
    if (session.aborted) return
    for (const leadership of open.filter(it => held.includes(it.key))) {
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
