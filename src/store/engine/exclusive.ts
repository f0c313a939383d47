import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { once } from './db.ts'
import { beatMs, endSession, lockHolders, openSession, sendHeartbeat, tryLock } from './session.ts'

/** First key of the advisory locks of what one process has alone; an arbitrary constant. */
const lockClass = 818_300_006
/** How long a start waits for a process that has just ended, in ms. */
const startWaitMs = 5_000

type Wanted = { url: string; name: string; key: number; onLost(): void }
type Held = { session: pg.Client; signal: AbortSignal }

/**
 * Takes something for this process alone among those on one PostgreSQL server, until the returned function is called. After a
 * lost connection it is taken again. If another process was faster, `onLost` is called, and this process must stop using it.
 * @param key what is taken, such as a chain id
 * @throws Error that names the process that has it
 */
export const takeAlone = async (wanted: Wanted): Promise<() => Promise<void>> => {
  const endsAt = performance.now() + startWaitMs
  const session = await openSession(wanted)
  while (!(await tryLock(session, lockClass, wanted.key))) {
    const holder = await holderOf(session, wanted.key)
    if (performance.now() < endsAt) await delay(beatMs)
    else {
      await session.end()
      throw new Error(holder ? `It belongs to the running process "${holder}".` : 'It belongs to another running process.')
    }
  }
  const ending = new AbortController()
  const kept = keep(wanted, { session, signal: ending.signal })
  return once(async () => {
    ending.abort()
    await kept
  })
}

/** Sends heartbeats until the signal aborts or another process has the lock, and then ends the session. */
const keep = async (wanted: Wanted, { session, signal }: Held): Promise<void> => {
  let current: pg.Client | undefined = session
  while (!signal.aborted) {
    await delay(beatMs, undefined, { signal }).catch(() => undefined)
    if (current && (await isAnswered(current))) continue
    current?.end().catch(() => undefined)
    current = await openSession(wanted).catch(() => undefined)
    const taken = current && (await takeAgain(current, wanted).catch(() => undefined))
    if (taken === 'others') {
      wanted.onLost()
      break
    }
    // The next attempt uses another session.
    if (taken === undefined) {
      current?.end().catch(() => undefined)
      current = undefined
    }
  }
  if (current) await endSession(current)
}

/**
 * Takes the lock with another session. Undefined while it is unknown who has it, and while a session of this process still has it:
 * a hung server keeps the old one for a while.
 */
const takeAgain = async (session: pg.Client, { name, key }: Wanted): Promise<'taken' | 'others' | undefined> => {
  if (await tryLock(session, lockClass, key)) return 'taken'
  const holder = await holderOf(session, key)
  return holder === undefined || holder === name ? undefined : 'others'
}

const isAnswered = (session: pg.Client): Promise<boolean> =>
  sendHeartbeat(session).then(
    () => true,
    () => false,
  )

const holderOf = async (session: pg.Client, key: number): Promise<string | undefined> => {
  const { rows } = await session.query<{ key: string; process: string }>(lockHolders, [lockClass])
  return rows.find(it => Number(it.key) === key)?.process
}
