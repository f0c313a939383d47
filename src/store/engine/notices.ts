import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { everyChannel } from '../../domain/channels.ts'
import type { Wakeups } from '../../ports.ts'
import { once, type Sql } from './db.ts'

const topic = 'marketplace'
/** PostgreSQL refuses payloads of 8,000 bytes and more. */
const payloadBytes = 7_000
const reconnectMs = 500
const payload = z.tuple([z.string()], z.string())

export type Notices = {
  /** Announces channels to the other processes. They are notified when the transaction of `sql` commits, never before. */
  announce(sql: Sql, channels: Iterable<string>): Promise<void>
  close(): Promise<void>
}

/**
 * Passes wake-ups between the processes that share a PostgreSQL server, with NOTIFY and LISTEN on one connection. After that
 * connection breaks, every channel is woken, because notifications may have been lost.
 * @param url `postgres://…`
 */
export const openNotices = ({ url, wakeups }: { url: string; wakeups: Pick<Wakeups, 'notify'> }): Notices => {
  const me = randomUUID()
  const ending = new AbortController()
  const heard = (text = '') => {
    const [from, ...channels] = payload.parse(JSON.parse(text))
    // This process wakes its own workers directly after the commit, so its own notifications are ignored.
    if (from !== me) for (const channel of channels) wakeups.notify(channel)
  }
  const listening = keepListening({ url, signal: ending.signal, heard, missed: () => wakeups.notify(everyChannel) })
  return {
    async announce(sql, channels) {
      for (const part of inParts([...channels])) await sql(`select pg_notify('${topic}', $1)`, [JSON.stringify([me, ...part])])
    },
    close: once(async () => {
      ending.abort()
      await listening
    }),
  }
}

const inParts = (channels: string[]): string[][] => {
  const parts: string[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const channel of channels) {
    const more = Buffer.byteLength(JSON.stringify(channel)) + 1
    if (bytes + more > payloadBytes) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(channel)
    bytes += more
  }
  return parts
}

type Listening = { url: string; signal: AbortSignal; heard(text?: string): void; missed(): void }

/** Listens until the signal aborts, and reconnects when the connection breaks. */
const keepListening = async ({ url, signal, heard, missed }: Listening): Promise<void> => {
  let isFirst = true
  while (!signal.aborted) {
    const client = new pg.Client({ connectionString: url, keepAlive: true })
    const broken = new Promise<void>(resolve => {
      client.once('end', resolve)
      client.on('error', () => resolve())
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    client.on('notification', it => heard(it.payload))
    try {
      await client.connect()
      await client.query(`listen ${topic}`)
      if (!isFirst) missed()
      isFirst = false
      await broken
    } catch {
      // The server is unavailable. Workers also read the database at intervals, so nothing is lost.
    }
    await client.end().catch(() => undefined)
    await delay(reconnectMs, undefined, { signal }).catch(() => undefined)
  }
}
