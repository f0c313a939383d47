import { setImmediate } from 'node:timers/promises'
import type { Context } from 'hono'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { RunEvent } from '../../domain/runs/runEvent.ts'
import { invokeInput, takeMessage, toInvokeAnswer } from '../../operations/messages/invoke.ts'
import { type Caller, type Deps, parseInput } from '../../operations/operation.ts'
import { followRun } from '../../operations/runs/followRun.ts'
import { isWhole, ownRun, quoting, toEventRecord, toQuotedRecord } from '../../operations/runs/readRun.ts'
import type { Run } from '../../ports.ts'
import { toProblem } from '../problem.ts'
import { type EventStream, heartbeat, type StreamCare, streamEvents, toFrames } from './eventStream.ts'
import { agUi, agUiInput, digestOf, type StreamFormat, wordsOf } from './streamFormats.ts'
import type { Streams } from './streams.ts'

/** Existing clients close a stream after 600 s. The service ends it shortly before. */
const streamMs = 590_000

export type StreamReach = StreamCare & { deps: Deps; streams: Streams }
type Follow = StreamReach & { caller: Caller; runId: string; afterSeq: number; leave(): void }
type Encode = {
  begin?: unknown[]
  event(it: RunEvent): Uint8Array | Promise<Uint8Array>
  end?(): Promise<unknown[]>
  fail?(problem: Problem): unknown[]
}

type Tell = (it: RunEvent) => unknown[]
const encodedByFormat = new WeakMap<Tell, WeakMap<RunEvent, Uint8Array>>()

/** Encodes each event of a run once for all its readers of one format. */
const encodeOnce = (tell: Tell) => {
  const encoded = encodedByFormat.get(tell) ?? new WeakMap<RunEvent, Uint8Array>()
  encodedByFormat.set(tell, encoded)
  return (it: RunEvent): Uint8Array => {
    const bytes = encoded.get(it) ?? toFrames(tell(it), it.seq)
    encoded.set(it, bytes)
    return bytes
  }
}

const stream = (c: Context, follow: Follow, encode: Encode): Response =>
  streamEvents(c, follow, async out => {
    try {
      await sendEvents(out, follow, encode)
    } catch (error) {
      // The headers are already sent, so the error is reported in the stream. Unexpected errors are logged.
      await out.send(toFrames(encode.fail?.(toProblem(error, follow.log)) ?? []))
    } finally {
      follow.leave()
    }
  })

const nothing = new Uint8Array()
/** After so many events a stream lets the others continue. */
const eventsInTurn = 16

const sendEvents = async (
  { send, gone }: EventStream,
  { deps, caller, runId, afterSeq }: Follow,
  encode: Encode,
): Promise<void> => {
  const signal = AbortSignal.any([gone, ...(caller.signal ? [caller.signal] : [])])
  const deadline = deps.clock.now() + streamMs
  let quietSince = deps.clock.now()
  let sent = 0
  await send(toFrames(encode.begin ?? []))
  for await (const it of followRun(deps, { runId, afterSeq, deadline, signal })) {
    const bytes = it === 'beat' ? nothing : await encode.event(it)
    const isQuiet = bytes.length === 0
    if (isQuiet && deps.clock.now() - quietSince < limits.heartbeatMs) continue
    await send(isQuiet ? heartbeat : bytes)
    quietSince = deps.clock.now()
    sent += 1
    if (sent % eventsInTurn === 0) await setImmediate()
  }
  if (encode.end) await send(toFrames(await encode.end()))
}

const encodeWhole = encodeOnce(it => [toEventRecord(it)])

/**
 * GET /runs/{run_id}/events with Accept: text/event-stream: the event log of a run, resumable with Last-Event-ID. Status 204
 * means that the run has ended and the reader has all of it.
 * @throws Problem run-not-found, invalid-input, too-many-streams
 */
export const streamRunEvents = async (c: Context, reach: StreamReach, caller: Caller): Promise<Response> => {
  const run = await ownRun(reach.deps, c.req.param('run_id') ?? '', caller)
  const last = c.req.header('last-event-id') ?? c.req.query('after') ?? '0'
  if (!/^\d{1,15}$/.test(last)) throw new Problem('invalid-input', 'Last-Event-ID must be the sequence number of an event.')
  const as = parseInput(quoting, c.req.query('deliverable'))
  const afterSeq = Number(last)
  if (await isReadToEnd(reach.deps, run, afterSeq)) return c.body(null, 204)
  return stream(
    c,
    { ...reach, caller, runId: run.id, afterSeq, leave: reach.streams.enter(caller) },
    // An error only ends the stream: the client reconnects with Last-Event-ID.
    {
      event: it =>
        isWhole(it, as) ? encodeWhole(it) : toQuotedRecord(reach.deps, it, as).then(told => toFrames([told], it.seq)),
    },
  )
}

/**
 * Whether a run has ended, and its reader has all of its events. An EventSource reconnects after the end of each stream, and
 * stops at status 204 only (HTML standard, 9.2.2).
 */
const isReadToEnd = async ({ store }: Deps, { id, state }: Run, afterSeq: number): Promise<boolean> =>
  (state === 'completed' || state === 'failed') && (await store.runTail(id, afterSeq, 1))?.events.length === 0

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
  const fail = (problem: Problem) => format.fail(problem, runId)
  const end = async () => {
    const run = await deps.store.run(runId)
    return run ? format.end(await toInvokeAnswer(run, deps)) : fail(new Problem('run-not-found'))
  }
  return stream(
    c,
    { ...reach, caller, runId, afterSeq, leave },
    { begin: format.begin?.(runId) ?? [], event: encodeOnce(format.event), end, fail },
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
