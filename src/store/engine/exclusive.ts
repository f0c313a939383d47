import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { once } from './db.ts'

/** First key of the advisory locks of what one process has alone; an arbitrary constant. */
const lockClass = 818_300_006
/** The server ends the session of a process that was silent for so long, in ms, so that a stopped process does not keep it. */
const sessionTimeoutMs = 3_500
const beatMs = 500
const answerMs = 1_500
/** How long a start waits for a process that has just ended, in ms. */
const patienceMs = 5_000

type Wanted = { url: string; name: string; key: number }

/**
 * Takes something for this process alone among those on one PostgreSQL server, until the returned function is called.
 * @param key what is taken, such as a chain id
 * @throws Error that names the process that has it
 */
export const takeAlone = async (wanted: Wanted): Promise<() => Promise<void>> => {
  const endsAt = performance.now() + patienceMs
  let client = await connect(wanted.url, wanted.name)
  while (!(await isTaken(client, wanted.key))) {
    const holder = await holderOf(client, wanted.key)
    if (performance.now() < endsAt) await delay(beatMs)
    else {
      await client.end()
      throw new Error(holder ? `It belongs to the running process "${holder}".` : 'It belongs to another running process.')
    }
  }
  const ending = new AbortController()
  const keep = async () => {
    while (!ending.signal.aborted) {
      await delay(beatMs, undefined, { signal: ending.signal }).catch(() => undefined)
      try {
        await client.query('select 1')
      } catch {
        // The session is lost. What it held is taken again, unless another process was faster.
        client.end().catch(() => undefined)
        const next = await connect(wanted.url, wanted.name).catch(() => undefined)
        if (next) client = next
        if (next) await isTaken(next, wanted.key).catch(() => false)
      }
    }
  }
  const kept = keep()
  return once(async () => {
    ending.abort()
    await kept
    await client.end().catch(() => undefined)
  })
}

const connect = async (url: string, name: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, application_name: name, query_timeout: answerMs, keepAlive: true })
  // A broken connection is noticed with the next heartbeat.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`set idle_session_timeout = ${sessionTimeoutMs}`)
  return client
}

const isTaken = async (client: pg.Client, key: number): Promise<boolean> => {
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', [lockClass, key])
  return rows[0]?.held === true
}

const holderOf = async (client: pg.Client, key: number): Promise<string | undefined> => {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid = $2
       and l.database = (select oid from pg_database where datname = current_database())`,
    [lockClass, key],
  )
  return rows[0]?.name
}
