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
import { agUi, agUiInput, type Dialect, digestOf, wordsOf } from './dialects.ts'
import { toProblem } from './problem.ts'
import { cutConnection } from './request.ts'
import type { Streams } from './streams.ts'

/** Existing clients give a stream 600 seconds; it says goodbye before they hang up. */
const streamMs = 590_000

/** JSON of one line for every client: some split lines at these three as well. */
export const toLine = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u0085\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

export type StreamReach = {
  deps: Deps
  log(error: unknown): void
  streams: Streams
  /** How long a reader may take nothing. */
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
      await tellEvents({ sse, write, beat }, follow, encode)
    } catch (error) {
      // The headers are gone, so a failure is told in the stream; what is not ours to tell is logged.
      await write(encode.fail?.(toProblem(error, follow.log)) ?? [])
    } finally {
      follow.leave()
    }
  })

/** Waits until a reader has taken what was written, and cuts off one that takes nothing: then the writing ends as well. */
const watchReader =
  ({ deps: { hints }, stalledMs }: Follow, cut: () => void) =>
  async (written: Promise<unknown>): Promise<void> => {
    const taken = new AbortController()
    const waited = hints.wait('stalled', stalledMs, taken.signal).then(() => taken.signal.aborted || cut())
    await written
    taken.abort()
    await waited
  }

type Out = { sse: SSEStreamingApi; write(frames: Frame[]): Promise<void>; beat(): Promise<void> }

const tellEvents = async (
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

/** GET /runs/{run_id}/events with Accept: text/event-stream: our own log, resumable by Last-Event-ID. */
export const streamEvents = async (c: Context, reach: StreamReach, caller: Caller): Promise<Response> => {
  const run = await ownRun(reach.deps, c.req.param('run_id') ?? '', caller)
  const last = c.req.header('last-event-id') ?? c.req.query('after') ?? '0'
  if (!/^\d{1,15}$/.test(last)) throw new Problem('invalid-input', 'Last-Event-ID is the sequence of an event.')
  const as = parseInput(quoting, c.req.query('deliverable'))
  return stream(
    c,
    { ...reach, caller, runId: run.id, afterSeq: Number(last), leave: reach.streams.enter(caller) },
    // A failure just ends it: the reader comes back with Last-Event-ID.
    { event: async it => [{ id: String(it.seq), ...toFrame(await toQuotedRecord(reach.deps, it, as)) }] },
  )
}

type Asked = { caller: Caller; input: unknown; dialect: Dialect }

/** A message whose run is followed until it rests or ends, told in the dialect of its client. */
export const streamInvoke = async (c: Context, reach: StreamReach, { caller, input, dialect }: Asked): Promise<Response> => {
  const { deps } = reach
  const message = parseInput(invokeInput, input)
  // A message that cannot be followed is not taken: its sender comes again with it.
  const leave = reach.streams.enter(caller)
  const { runId, afterSeq } = await takeMessage(message, deps, caller).catch((error: unknown) => {
    leave()
    throw error
  })
  const fail = (problem: Problem) => dialect.fail(problem, runId).map(toFrame)
  const end = async () => {
    const run = await deps.store.run(runId)
    return run ? dialect.end(await toInvokeAnswer(run, deps)).map(toFrame) : fail(new Problem('run-not-found'))
  }
  const event = (it: RunEvent) => dialect.event(it).map(told => ({ id: String(it.seq), ...toFrame(told) }))
  return stream(
    c,
    { ...reach, caller, runId, afterSeq, leave },
    { begin: (dialect.begin?.(runId) ?? []).map(toFrame), event, end, fail },
  )
}

/** POST /invoke with Accept: text/event-stream, by an AG-UI client or by anybody who sends a message. */
export const streamAgUi = async (
  c: Context,
  reach: StreamReach,
  { caller, input }: Omit<Asked, 'dialect'>,
): Promise<Response> => {
  const asked = agUiInput.safeParse(input)
  const { ids } = reach.deps
  const of = asked.success ? asked.data : { threadId: ids.fresh('conversation'), runId: ids.fresh('agui') }
  const said = asked.success
    ? { message: wordsOf(asked.data), conversation_id: asked.data.threadId, digest: digestOf(asked.data) }
    : input
  return streamInvoke(c, reach, { caller, input: said, dialect: agUi(of) })
}
