import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { limits } from '../domain/limits.ts'
import { Problem } from '../domain/problem.ts'
import type { RunEvent } from '../domain/runEvent.ts'
import { followRun } from '../operations/followRun.ts'
import { invokeInput, takeMessage, toInvokeAnswer } from '../operations/invoke.ts'
import type { Caller, Deps } from '../operations/operation.ts'
import { ownRun } from '../operations/readRun.ts'
import { toEventRecord } from '../operations/readRunEvents.ts'

/** Existing clients give a stream 600 seconds; it says goodbye before they hang up. */
const streamMs = 590_000

/** JSON of one line for every client: some split lines at these three as well. */
const toLine = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u0085\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

type Follow = { deps: Deps; caller: Caller; runId: string; afterSeq: number }
type Frame = { data: string; id?: string }
type Encode = { event(it: RunEvent): Frame | undefined; end?(): Promise<Frame> }

const stream = (c: Context, { deps, runId, afterSeq }: Follow, encode: Encode): Response =>
  streamSSE(c, async sse => {
    const gone = new AbortController()
    sse.onAbort(() => gone.abort())
    const deadline = deps.clock.now() + streamMs
    let quietSince = deps.clock.now()
    for await (const it of followRun(deps, { runId, afterSeq, deadline, signal: gone.signal })) {
      const frame = it === 'beat' ? undefined : encode.event(it)
      if (frame) await sse.writeSSE(frame)
      else if (deps.clock.now() - quietSince >= limits.heartbeatMs) await sse.write(': still here\n\n')
      else continue
      quietSince = deps.clock.now()
    }
    if (encode.end) await sse.writeSSE(await encode.end())
  })

/** GET /runs/{run_id}/events with Accept: text/event-stream: our own log, resumable by Last-Event-ID. */
export const streamEvents = async (c: Context, deps: Deps, caller: Caller): Promise<Response> => {
  const run = await ownRun(deps, c.req.param('run_id') ?? '', caller)
  const last = c.req.header('last-event-id') ?? c.req.query('after') ?? '0'
  if (!/^\d{1,15}$/.test(last)) throw new Problem('invalid-input', 'Last-Event-ID is the sequence of an event.')
  return stream(
    c,
    { deps, caller, runId: run.id, afterSeq: Number(last) },
    { event: it => ({ id: String(it.seq), data: toLine(toEventRecord(it)) }) },
  )
}

/** POST /invoke/stream: progress lines with `summary_text`, and always a closing `run_completed` or `run_error`. */
export const streamInvoke = async (
  c: Context,
  deps: Deps,
  { caller, input }: { caller: Caller; input: unknown },
): Promise<Response> => {
  const parsed = invokeInput.safeParse(input)
  if (!parsed.success) throw new Problem('invalid-input', parsed.error.issues[0]?.message)
  const { runId, afterSeq } = await takeMessage(parsed.data, deps, caller)
  const end = async () => {
    const run = await deps.store.run(runId)
    if (!run) return { data: toLine({ type: 'run_error', run_id: runId, error: 'The run is gone.' }) }
    const answer = await toInvokeAnswer(run, deps)
    if (!answer.success) return { data: toLine({ type: 'run_error', ...answer }) }
    return { data: toLine({ type: 'run_completed', summary: answer.content, output: answer.content, ...answer }) }
  }
  // The question, the proposal and the result come whole in the closing event; a progress line would say them twice.
  const inClosing = new Set(['message', 'asked', 'proposed', 'answer'])
  return stream(
    c,
    { deps, caller, runId, afterSeq },
    {
      event: it => (inClosing.has(it.kind) ? undefined : { id: String(it.seq), data: toLine(toEventRecord(it)) }),
      end,
    },
  )
}
