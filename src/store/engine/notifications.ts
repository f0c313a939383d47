import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { parseJson } from '../../domain/json.ts'
import { everyChannel } from '../../domain/net/channels.ts'
import type { Wakeups } from '../../ports.ts'
import { type Announced, once } from './db.ts'
import { endSession, sendHeartbeat } from './session.ts'

const topic = 'marketplace'
/** PostgreSQL refuses payloads of 8,000 bytes and more. */
const payloadBytes = 7_000
const reconnectMs = 500
/** Interval of the questions whether the server still answers, and the longest wait for an answer, in ms. */
const checkMs = 5_000
const payload = z.tuple([z.string()], z.string())

export type Notifications = {
  /** Statements that announce channels to the other processes, which are notified when their transaction commits. */
  announcing(channels: Iterable<string>): string[]
  /** The same of few channels, for a statement that announces itself. */
  announced(channels: readonly string[]): Announced
  close(): Promise<void>
}

/**
 * Passes wake-ups between the processes that share a PostgreSQL server, with NOTIFY and LISTEN on one connection. After that
 * connection breaks, every channel is woken, because notifications may have been lost.
 * @param url `postgres://…`
 * @param name of this process
 */
export const openNotifications = ({
  url,
  name: me,
  wakeups,
}: {
  url: string
  name: string
  wakeups: Pick<Wakeups, 'notify'>
}): Notifications => {
  const ending = new AbortController()
  const receive = (text = '') => {
    // Any client of the database may announce on this topic, so a malformed payload is ignored.
    const [from, ...channels] = payload.safeParse(parseJson(text)).data ?? [me]
    // This process wakes its own workers directly after the commit, so its own notifications are ignored.
    if (from !== me) for (const channel of channels) wakeups.notify(channel)
  }
  const listening = keepListening({
    url,
    name: me,
    signal: ending.signal,
    heard: receive,
    missed: () => wakeups.notify(everyChannel),
  })
  return {
    announcing: channels =>
      inParts([...channels]).map(part => `notify ${topic}, ${pg.escapeLiteral(JSON.stringify([me, ...part]))}`),
    announced: channels => ({ topic, payload: JSON.stringify([me, ...channels]) }),
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

type Listening = { url: string; name: string; signal: AbortSignal; heard(text?: string): void; missed(): void }

/** Listens until the signal aborts, and reconnects when the connection breaks. */
const keepListening = async ({ url, name, signal, heard, missed }: Listening): Promise<void> => {
  let isFirst = true
  while (!signal.aborted) {
    const client = new pg.Client({
      ...{ connectionString: url, application_name: name, keepAlive: true },
      ...{ query_timeout: checkMs, connectionTimeoutMillis: checkMs },
    })
    const { promise: broken, resolve: lose } = Promise.withResolvers<void>()
    client.once('end', lose).on('error', () => lose())
    signal.addEventListener('abort', () => lose(), { once: true })
    client.on('notification', it => heard(it.payload))
    // A server that was cut off says nothing, also not that it has gone.
    const checking = setInterval(() => void sendHeartbeat(client).catch(() => lose()), checkMs)
    try {
      await client.connect()
      await client.query(`listen ${topic}`)
      if (!isFirst) missed()
      await broken
    } catch {
      // The server is unavailable. Workers also read the database at intervals, so nothing is lost.
    }
    isFirst = false
    clearInterval(checking)
    await endSession(client)
    await delay(reconnectMs, undefined, { signal }).catch(() => undefined)
  }
}
