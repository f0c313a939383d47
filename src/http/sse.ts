import { setImmediate } from 'node:timers/promises'
import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { limits } from '../domain/limits.ts'
import { Problem } from '../domain/problem.ts'
import type { RunEvent } from '../domain/runEvent.ts'
import { invokeInput, takeMessage, toInvokeAnswer } from '../operations/messages/invoke.ts'
import { type Caller, type Deps, parseInput } from '../operations/operation.ts'
import { followRun } from '../operations/runs/followRun.ts'
import { quoting } from '../operations/runs/quoting.ts'
import { ownRun } from '../operations/runs/readRun.ts'
import { toQuotedRecord } from '../operations/runs/readRunEvents.ts'
import { toProblem } from './problem.ts'
import { cutConnection } from './request.ts'
import { agUi, agUiInput, digestOf, type StreamFormat, wordsOf } from './streamFormats.ts'
import type { Streams } from './streams.ts'

/** Existing clients close a stream after 600 s. The service ends it shortly before. */
const streamMs = 590_000

/** Serializes a value as one line of JSON. U+0085, U+2028 and U+2029 are escaped, because some clients split lines there. */
export const toLine = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u0085\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

export type StreamReach = {
  deps: Deps
  log(error: unknown): void
  streams: Streams
  /** Time in ms that a client may read nothing before its connection is closed. */
  stalledMs: number
}
type Follow = StreamReach & { caller: Caller; runId: string; afterSeq: number; leave(): void }
type Frame = { data: string; id?: string }
type Encode = {
  begin?: Frame[]
  event(it: RunEvent): Frame[] | Promise<Frame[]>
  end?(): Promise<Frame[]>
  fail?(problem: Problem): Frame[]
}

const toFrame = (value: unknown): Frame => ({ data: toLine(value) })

const stream = (c: Context, follow: Follow, encode: Encode): Response =>
  streamSSE(c, async sse => {
    const taken = watchReader(follow, () => {
      sse.abort()
      cutConnection(c)
    })
    const write = async (frames: Frame[]) => {
      for (const frame of frames) await taken(sse.writeSSE(frame))
    }
    const beat = () => taken(sse.write(': still here\n\n'))
    try {
      await sendEvents({ sse, write, beat }, follow, encode)
    } catch (error) {
      // The headers are already sent, so the error is reported in the stream. Unexpected errors are logged.
      await write(encode.fail?.(toProblem(error, follow.log)) ?? [])
    } finally {
      follow.leave()
    }
  })

/**
 * Returns a function that waits for a write to complete. After `stalledMs` it calls `cut`, and the write
 * rejects.
 */
export const watchReader =
  ({ deps: { wakeups }, stalledMs }: Pick<StreamReach, 'deps' | 'stalledMs'>, cut: () => void) =>
  async (written: Promise<unknown>): Promise<void> => {
    let isTaken = false
    const done = written.finally(() => {
      isTaken = true
    })
    // Most writes complete at once and need no timer.
    await Promise.race([done, setImmediate()])
    if (isTaken) return done.then(() => undefined)
    const taken = new AbortController()
    const waited = wakeups.wait('stalled', stalledMs, taken.signal).then(() => taken.signal.aborted || cut())
    await written
    // An abort reason of our own, because the default one records a stack trace.
    taken.abort('taken')
    await waited
  }

type Out = { sse: SSEStreamingApi; write(frames: Frame[]): Promise<void>; beat(): Promise<void> }

const sendEvents = async (
  { sse, write, beat }: Out,
  { deps, caller, runId, afterSeq }: Follow,
  encode: Encode,
): Promise<void> => {
  const gone = new AbortController()
  sse.onAbort(() => gone.abort())
  const signal = AbortSignal.any([gone.signal, ...(caller.signal ? [caller.signal] : [])])
  const deadline = deps.clock.now() + streamMs
  let quietSince = deps.clock.now()
  await write(encode.begin ?? [])
  for await (const it of followRun(deps, { runId, afterSeq, deadline, signal })) {
    const frames = it === 'beat' ? [] : await encode.event(it)
    if (frames.length > 0) await write(frames)
    else if (deps.clock.now() - quietSince >= limits.heartbeatMs) await beat()
    else continue
    quietSince = deps.clock.now()
  }
  if (encode.end) await write(await encode.end())
}

/**
 * GET /runs/{run_id}/events with Accept: text/event-stream: the event log of a run, resumable with Last-Event-ID.
 * @throws Problem run-not-found, invalid-input, too-many-streams
 */
export const streamEvents = async (c: Context, reach: StreamReach, caller: Caller): Promise<Response> => {
  const run = await ownRun(reach.deps, c.req.param('run_id') ?? '', caller)
  const last = c.req.header('last-event-id') ?? c.req.query('after') ?? '0'
  if (!/^\d{1,15}$/.test(last)) throw new Problem('invalid-input', 'Last-Event-ID must be the sequence number of an event.')
  const as = parseInput(quoting, c.req.query('deliverable'))
  return stream(
    c,
    { ...reach, caller, runId: run.id, afterSeq: Number(last), leave: reach.streams.enter(caller) },
    // An error only ends the stream: the client reconnects with Last-Event-ID.
    { event: async it => [{ id: String(it.seq), ...toFrame(await toQuotedRecord(reach.deps, it, as)) }] },
  )
}

type Asked = { caller: Caller; input: unknown; format: StreamFormat }

/**
 * Accepts a message and streams its run, in the client's format, until the run ends or waits for the user.
 * @throws Problem the errors of `invoke`, and too-many-streams
 */
export const streamInvoke = async (c: Context, reach: StreamReach, { caller, input, format }: Asked): Promise<Response> => {
  const { deps } = reach
  const message = parseInput(invokeInput, input)
  // The stream is reserved first: a message whose stream is refused must not start a run, because the client sends it again.
  const leave = reach.streams.enter(caller)
  const { runId, afterSeq } = await takeMessage(message, deps, caller).catch((error: unknown) => {
    leave()
    throw error
  })
  caller.onRun?.(runId)
  const fail = (problem: Problem) => format.fail(problem, runId).map(toFrame)
  const end = async () => {
    const run = await deps.store.run(runId)
    return run ? format.end(await toInvokeAnswer(run, deps)).map(toFrame) : fail(new Problem('run-not-found'))
  }
  const event = (it: RunEvent) => format.event(it).map(told => ({ id: String(it.seq), ...toFrame(told) }))
  return stream(
    c,
    { ...reach, caller, runId, afterSeq, leave },
    { begin: (format.begin?.(runId) ?? []).map(toFrame), event, end, fail },
  )
}

/** POST /invoke with Accept: text/event-stream: accepts the input of an AG-UI client, or the plain input of `invoke`. */
export const streamAgUi = async (c: Context, reach: StreamReach, { caller, input }: Omit<Asked, 'format'>): Promise<Response> => {
  const asked = agUiInput.safeParse(input)
  const { ids } = reach.deps
  const of = asked.success ? asked.data : { threadId: ids.fresh('conversation'), runId: ids.fresh('agui') }
  const said = asked.success
    ? { message: wordsOf(asked.data), conversation_id: asked.data.threadId, digest: digestOf(asked.data) }
    : input
  return streamInvoke(c, reach, { caller, input: said, format: agUi(of) })
}
