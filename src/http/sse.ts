import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { limits } from '../domain/limits.ts'
import { Problem } from '../domain/problem.ts'
import type { RunEvent } from '../domain/runEvent.ts'
import { followRun } from '../operations/followRun.ts'
import { invokeInput, takeMessage, toInvokeAnswer } from '../operations/invoke.ts'
import { type Caller, type Deps, parseInput } from '../operations/operation.ts'
import { ownRun } from '../operations/readRun.ts'
import { toEventRecord } from '../operations/readRunEvents.ts'
import { toProblem } from './problem.ts'

/** Existing clients give a stream 600 seconds; it says goodbye before they hang up. */
const streamMs = 590_000

/** JSON of one line for every client: some split lines at these three as well. */
const toLine = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u0085\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

type Reach = { deps: Deps; log(error: unknown): void }
type Follow = Reach & { caller: Caller; runId: string; afterSeq: number }
type Frame = { data: string; id?: string }
type Encode = { event(it: RunEvent): Frame | undefined; end?(): Promise<Frame>; fail?(problem: Problem): Frame }

const stream = (c: Context, follow: Follow, encode: Encode): Response =>
  streamSSE(c, sse =>
    tellEvents(sse, follow, encode).catch(async (error: unknown) => {
      // The headers are gone, so a failure is told in the stream; what is not ours to tell is logged.
      const problem = toProblem(error, follow.log)
      const frame = encode.fail?.(problem)
      if (frame) await sse.writeSSE(frame)
    }),
  )

const tellEvents = async (sse: SSEStreamingApi, { deps, caller, runId, afterSeq }: Follow, encode: Encode): Promise<void> => {
  const gone = new AbortController()
  sse.onAbort(() => gone.abort())
  const signal = AbortSignal.any([gone.signal, ...(caller.signal ? [caller.signal] : [])])
  const deadline = deps.clock.now() + streamMs
  let quietSince = deps.clock.now()
  for await (const it of followRun(deps, { runId, afterSeq, deadline, signal })) {
    const frame = it === 'beat' ? undefined : encode.event(it)
    if (frame) await sse.writeSSE(frame)
    else if (deps.clock.now() - quietSince >= limits.heartbeatMs) await sse.write(': still here\n\n')
    else continue
    quietSince = deps.clock.now()
  }
  if (encode.end) await sse.writeSSE(await encode.end())
}

/** GET /runs/{run_id}/events with Accept: text/event-stream: our own log, resumable by Last-Event-ID. */
export const streamEvents = async (c: Context, { deps, log }: Reach, caller: Caller): Promise<Response> => {
  const run = await ownRun(deps, c.req.param('run_id') ?? '', caller)
  const last = c.req.header('last-event-id') ?? c.req.query('after') ?? '0'
  if (!/^\d{1,15}$/.test(last)) throw new Problem('invalid-input', 'Last-Event-ID is the sequence of an event.')
  return stream(
    c,
    { deps, log, caller, runId: run.id, afterSeq: Number(last) },
    // A failure just ends it: the reader comes back with Last-Event-ID.
    { event: it => ({ id: String(it.seq), data: toLine(toEventRecord(it)) }) },
  )
}

/** POST /invoke/stream: progress lines with `summary_text`, and always a closing `run_completed` or `run_error`. */
export const streamInvoke = async (
  c: Context,
  { deps, log }: Reach,
  { caller, input }: { caller: Caller; input: unknown },
): Promise<Response> => {
  const { runId, afterSeq } = await takeMessage(parseInput(invokeInput, input), deps, caller)
  const fail = ({ detail, type }: Problem) => ({ data: toLine({ type: 'run_error', run_id: runId, error: detail, code: type }) })
  const end = async () => {
    const run = await deps.store.run(runId)
    if (!run) return fail(new Problem('run-not-found'))
    const answer = await toInvokeAnswer(run, deps)
    if (!answer.success) return { data: toLine({ type: 'run_error', ...answer }) }
    return { data: toLine({ type: 'run_completed', summary: answer.content, output: answer.content, ...answer }) }
  }
  // The question, the proposal and the result come whole in the closing event; a progress line would say them twice.
  const inClosing = new Set(['message', 'declined', 'asked', 'proposed', 'answer'])
  return stream(
    c,
    { deps, log, caller, runId, afterSeq },
    {
      fail,
      event: it => (inClosing.has(it.kind) ? undefined : { id: String(it.seq), data: toLine(toEventRecord(it)) }),
      end,
    },
  )
}
