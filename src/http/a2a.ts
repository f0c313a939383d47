import { createHash } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { type JsonObject, jsonObject, parseJson } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { unparsable } from '../operations/gateway/relay.ts'
import { type Caller, checkScope } from '../operations/operation.ts'
import { readBytes } from './body.ts'
import { heartbeat, streamEvents, toFrames } from './events/eventStream.ts'
import type { StreamReach } from './events/sse.ts'

type Frames = AsyncGenerator<object, void, undefined>

/** An A2A agent: its card, the path at which it answers, and its answer to a JSON-RPC request. */
export type A2aAgent = {
  path: string
  card: JsonObject
  /** The same with a signature of now. Keys change, and signatures with them. */
  signedCard(): Promise<JsonObject>
  streams(body: JsonObject): boolean
  answer(body: JsonObject, caller: Caller): Promise<object | Frames>
}

type Reach = StreamReach & { callerOf(c: Context): Promise<Caller> }

/** Seconds for which a client may keep the card. */
const cardAgeS = 300

export const serveA2a = (app: Hono, reach: Reach, agent: A2aAgent): void => {
  const card = JSON.stringify(agent.card)
  const etag = `"${createHash('sha256').update(card).digest('hex').slice(0, 16)}"`
  const headers = {
    etag,
    'last-modified': new Date().toUTCString(),
    'cache-control': `public, max-age=${cardAgeS}`,
    'access-control-allow-origin': '*',
  }
  app.get('/.well-known/agent-card.json', async c =>
    c.req.header('if-none-match') === etag
      ? c.body(null, 304, headers)
      : c.body(JSON.stringify(await agent.signedCard()), 200, { ...headers, 'content-type': 'application/json' }),
  )
  // Some clients append a slash to the address of a card.
  for (const path of [agent.path, `${agent.path}/`]) app.post(path, c => answer(c, reach, agent))
}

const answer = async (c: Context, reach: Reach, agent: A2aAgent): Promise<Response> => {
  const caller = await reach.callerOf(c)
  // A2A 1.0, 9.5: another media type of the request has a code of its own.
  if (!/^application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? ''))
    return c.json({ jsonrpc: '2.0', id: null, error: { code: -32005, message: 'The body must be application/json.' } })
  const parsed = parseJson(new TextDecoder().decode(await readBytes(c, caller, limits.messageBodyBytes)))
  if (parsed === undefined) return c.json(unparsable)
  const body = jsonObject.safeParse(parsed)
  if (!body.success)
    return c.json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'The body is not a JSON-RPC 2.0 request.' } })
  // Sending and cancelling act for the user, and an address is told of the task later; every other method reads.
  const scope = /send|cancel|create|config\/set|delete/i.test(String(body.data.method)) ? 'hire' : 'look'
  checkScope({ scope, caller: 'anyone' }, caller)
  const leave = agent.streams(body.data) ? reach.streams.enter(caller) : () => undefined
  try {
    const gone = new AbortController()
    const signal = AbortSignal.any([gone.signal, ...(caller.signal ? [caller.signal] : [])])
    const said = await agent.answer(body.data, { ...caller, signal })
    if (isFrames(said)) return streamFrames(c, reach, { frames: said, gone, leave })
    leave()
    return c.json(said)
  } catch (error) {
    leave()
    throw error
  }
}

const isFrames = (it: object): it is Frames => Symbol.asyncIterator in it

type Streamed = { frames: Frames; gone: AbortController; leave(): void }

/** Streams responses as server-sent events, with heartbeats while none comes. */
const streamFrames = (c: Context, reach: Reach, { frames, gone, leave }: Streamed): Response =>
  streamEvents(c, reach, async stream => {
    stream.gone.addEventListener('abort', () => gone.abort(), { once: true })
    try {
      for (;;) {
        const { done, value } = await beatUntil(reach, frames.next(), () => stream.send(heartbeat))
        if (done) return
        await stream.send(toFrames([value]))
      }
    } finally {
      gone.abort()
      leave()
    }
  })

/** Waits for a result, and calls `beat` at each interval until it arrives. */
const beatUntil = async <T>({ deps }: Reach, coming: Promise<T>, beat: () => Promise<void>): Promise<T> => {
  const there = new AbortController()
  const result = coming.finally(() => there.abort())
  // The rejection is handled below. This handler prevents an unhandled rejection while a heartbeat is written.
  result.catch(() => undefined)
  while (!there.signal.aborted) {
    await deps.wakeups.wait('', limits.heartbeatMs, there.signal)
    if (!there.signal.aborted) await beat()
  }
  return result
}
