import type { Context } from 'hono'
import { cutConnection } from '../request.ts'

/** Serializes a value as one line of JSON. U+0085, U+2028 and U+2029 are escaped, because some clients split lines there. */
export const toLine = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u0085\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

const encoder = new TextEncoder()

/** Encodes values as server-sent events, which get the same id. */
export const toFrames = (values: unknown[], id?: number): Uint8Array =>
  encoder.encode(values.map(it => `data: ${toLine(it)}\n${id === undefined ? '' : `id: ${id}\n`}\n`).join(''))

/** A comment, which clients ignore. */
export const heartbeat: Uint8Array = encoder.encode(': still here\n\n')

export type EventStream = {
  /** Sends bytes, and waits while unread bytes fill the buffers of the connection. Sends nothing once the client is gone. */
  send(bytes: Uint8Array): Promise<void>
  /** Aborts when the client disconnects, or has read nothing for too long. */
  gone: AbortSignal
}

export type StreamCare = {
  log(error: unknown): void
  /** Time in ms that a client may read nothing before its connection is closed. */
  stalledMs: number
}

const headers = {
  'transfer-encoding': 'chunked',
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  connection: 'keep-alive',
}

/**
 * Answers with server-sent events until `work` ends. One queue holds what is not sent yet; thousands of streams cannot afford
 * the two piped streams and the timer per write of the framework.
 */
export const streamEvents = (
  c: Context,
  { log, stalledMs }: StreamCare,
  work: (stream: EventStream) => Promise<void>,
): Response => {
  const gone = new AbortController()
  let isCancelled = false
  const cancel = () => {
    isCancelled = true
    gone.abort()
  }
  const { promise: opened, resolve: open } = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>()
  let onRead = () => {}
  const unread = new ReadableStream<Uint8Array>({ start: open, pull: () => onRead(), cancel })
  const cut = () => {
    gone.abort()
    cutConnection(c)
  }
  const read = () =>
    new Promise<void>(resolve => {
      const done = () => {
        clearTimeout(timer)
        gone.signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(cut, stalledMs)
      gone.signal.addEventListener('abort', done, { once: true })
      onRead = done
    })
  const run = async () => {
    const queue = await opened
    const send = async (bytes: Uint8Array) => {
      if (gone.signal.aborted || bytes.length === 0) return
      queue.enqueue(bytes)
      if (queue.desiredSize === null || queue.desiredSize <= 0) await read()
    }
    await work({ send, gone: gone.signal }).catch(log)
    if (!isCancelled) queue.close()
  }
  run().catch(log)
  return c.body(unread, 200, headers)
}
