import type { Context } from 'hono'
import { limits } from '../../domain/limits.ts'
import { relay, requestIdOf } from '../../operations/gateway/relay.ts'
import type { Caller, Deps } from '../../operations/operation.ts'
import { toProblem } from '../problem.ts'
import { heartbeat, type StreamCare, streamEvents, toFrames } from './eventStream.ts'
import type { Streams } from './streams.ts'

type Reach = StreamCare & { deps: Deps; streams: Streams }

/**
 * Relays an A2A request and sends the agent's answer as one server-sent event, with heartbeats while the agent works. Used by
 * POST /gateway/a2a/{agent}/stream and by `message/stream` at /gateway/a2a/{agent}.
 * @throws Problem too-many-streams
 */
export const streamRelay = (
  c: Context,
  { deps, streams, ...care }: Reach,
  { caller, input }: { caller: Caller; input: unknown },
): Response => {
  const leave = streams.enter(caller)
  return streamEvents(c, care, async ({ send, gone }) => {
    const signal = AbortSignal.any([gone, ...(caller.signal ? [caller.signal] : [])])
    const answered = new AbortController()
    const answer = relay
      .call(input, deps, { ...caller, signal })
      .catch((error: unknown) => ({
        jsonrpc: '2.0',
        id: requestIdOf(input),
        error: { code: -32603, message: toProblem(error, care.log).detail },
      }))
      .finally(() => answered.abort())
    const quiet = AbortSignal.any([answered.signal, signal])
    try {
      while (!quiet.aborted) {
        await deps.wakeups.wait('', limits.heartbeatMs, quiet)
        if (!quiet.aborted) await send(heartbeat)
      }
      await send(toFrames([await answer]))
    } finally {
      leave()
    }
  })
}
